export { Button } from './button';
export { Page } from './page';
export { Prose } from './prose';
export { Status } from './status';
export { TextPage } from './text-page';
