export { Each } from './each';
export { Equal } from './equal';
export { Head, useTitle } from './head';
export { Html } from './html';
export { langOf } from './lang';
export { useQueryParam, useRouteParams } from './params';
export { choose, When } from './when';
