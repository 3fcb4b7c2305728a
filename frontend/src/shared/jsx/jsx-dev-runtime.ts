/** The same as `jsx-runtime.ts`, for development and tests. */
import type { ElementType, Key } from 'react';
import * as react from 'react/jsx-dev-runtime';
import { linked } from './linked';

export { Fragment } from 'react/jsx-dev-runtime';

type Source = react.JSXSource;

export const jsxDEV = (
  type: ElementType,
  props: object,
  key: Key | undefined,
  isStatic: boolean,
  source?: Source,
  self?: unknown,
) => react.jsxDEV(type, linked(type, props), key, isStatic, source, self);
