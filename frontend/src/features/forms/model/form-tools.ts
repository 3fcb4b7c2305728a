/** Code that a form needs once somebody fills it in. It is loaded separately from the page: see `load-tools.ts`. */
export { FilePreview, FileWarning } from '../components/chosen-file';
export { LeaveGuard } from '../components/leave-guard';
export { FeeCodeField, UtrField } from '../components/payment-fields';
export { Popup } from '../components/popup';
export { SendFaults, SendProgress } from '../components/send-report';
export { UpiCode } from '../components/upi-code';
export { watchClosing } from './closing';
export { textOf } from './entries';
export { showNote } from './field-note';
export { checkedCopy } from './file-check';
export { submitForm } from './submit-form';
export { leadToSuccessPage, prepareSuccessPage } from './success-page';
