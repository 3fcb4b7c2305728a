export { Wordmark } from './wordmark';
