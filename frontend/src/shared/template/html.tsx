import { createElement, type ReactNode, type Ref } from 'react';
import { isPrinting, sourceOf, token } from './expression';

interface HtmlProps {
  /** HTML that the server has sanitised; nothing else may come here. */
  of: string | null | undefined;
  className?: string;
  as?: 'div' | 'section' | 'article';
  ref?: Ref<HTMLElement>;
}

/** Sanitised HTML of the server: `{{{path}}}` in the template. */
export function Html({ of, className, as = 'div', ref }: HtmlProps): ReactNode {
  const source = isPrinting() ? sourceOf(of) : null;
  const __html =
    source === null ? (of ?? '') : token(source.startsWith('(') ? `{{{${source.slice(1, -1)}}}}` : `{{{${source}}}}`);
  return createElement(as, { className, ref, dangerouslySetInnerHTML: { __html } });
}
