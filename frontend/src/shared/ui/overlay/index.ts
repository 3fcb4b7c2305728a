export { Overlay } from './overlay';
export { PictureButton } from './picture-button';
export { PictureOverlay } from './picture-overlay';
