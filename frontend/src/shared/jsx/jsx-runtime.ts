/**
 * React's own runtime, with one difference: in the archive, links to the site's pages stay there. Pages write `<a
 * href="/films">` wherever they are.
 */
import type { ElementType, Key } from 'react';
import { jsx as element } from 'react/jsx-runtime';
import { linked } from './linked';

export { Fragment } from 'react/jsx-runtime';

const jsx = (type: ElementType, props: object, key?: Key) => element(type, linked(type, props), key);

// In production both are the same function.
export { jsx, jsx as jsxs };
