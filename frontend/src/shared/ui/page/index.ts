export { Button } from './button';
export { Page } from './page';
export { Prose } from './prose';
// `TextPage` is apart: what stands here is in the script of every page.
export { Status } from './status';
