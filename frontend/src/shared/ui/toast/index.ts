export { prepareToasts, type ToastKind, toast } from './toast';
