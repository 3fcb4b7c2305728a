export { Button } from './button';
export { Page } from './page';
export { Prose } from './prose';
// `TextPage` is not exported here: these exports are in the script of every page.
export { Status } from './status';
