export { type ToastKind, toast } from './toast';
