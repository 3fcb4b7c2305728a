export { Overlay } from './overlay';
export { PictureButton, PictureOverlay } from './picture-button';
