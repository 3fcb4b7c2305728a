export { altOf } from './alt';
export { Picture } from './picture';
export { atWidth, everyWidth, sizes } from './widths';
