/** What a form needs once somebody works on it. It is loaded apart from the page: see `load-tools.ts`. */
export { Popup } from '../components/popup';
export { SendFaults, SendProgress } from '../components/send-report';
export { UpiCode } from '../components/upi-code';
export { findProblems, noteOn } from './checks';
export { NOT_DIGITS, textOf } from './entries';
export { doubtAbout, refusalOf } from './file-check';
export { FileUploads } from './file-uploads';
export { receiptOf } from './make-receipt';
export { keepReceipt } from './receipt';
export { send } from './send';
export { sendingWork } from './sending-work';
export { prepareSuccessPage, successPage } from './success-page';
export { isDifferentFromAnEarlierOne, isRefusal, troubleOf } from './trouble';
