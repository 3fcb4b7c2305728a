/** What a form needs once somebody has worked on it. It comes apart from the page: see `load-tools.ts`. */
export { SendFaults, SendProgress } from '../components/send-report';
export { findProblems, noteOn } from './checks';
export { doubtAbout, refusalOf } from './file-check';
export { FileUploads } from './file-uploads';
export { receiptOf } from './make-receipt';
export { bodyOf, textPairs } from './payload';
export { keepReceipt } from './receipt';
export { send } from './send';
export { hasLostFiles, isDifferentFromAnEarlierOne, isRefusal, troubleOf } from './trouble';
