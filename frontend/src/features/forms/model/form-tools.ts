/** What a form needs once somebody works on it. It is loaded apart from the page: see `load-tools.ts`. */
export { FileFacts, FilePreview } from '../components/file-facts';
export { LeaveGuard } from '../components/leave-guard';
export { Popup } from '../components/popup';
export { SendFaults, SendProgress } from '../components/send-report';
export { UpiCode } from '../components/upi-code';
export { noteOn } from './checks';
export { watchClosing } from './closing';
export { NOT_DIGITS, textOf } from './entries';
export { checkedCopy } from './file-check';
export { FileUploads } from './file-uploads';
export { keepReceipt } from './receipt';
export { submitForm } from './submit-form';
export { prepareSuccessPage, successPage } from './success-page';
