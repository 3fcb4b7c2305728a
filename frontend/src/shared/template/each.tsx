import { Fragment, type ReactNode } from 'react';
import { blockName, expression, isPrinting, sourceOf, token } from './expression';

interface EachProps<T> {
  of: readonly T[] | null | undefined;
  /** Names the block parameter in the template. */
  as?: string;
  /** Shown where the list is empty. */
  empty?: ReactNode;
  children: (item: T, index: number) => ReactNode;
}

/** A list: `{{#each}}` in the template, a map in the browser. */
export function Each<T>({ of, as = 'item', empty, children }: EachProps<T>): ReactNode {
  const source = isPrinting() ? sourceOf(of) : null;
  if (source === null) {
    const items = of ?? [];
    if (items.length === 0) return empty;
    return items.map((item, index) => <Fragment key={keyOf(item, index)}>{children(item, index)}</Fragment>);
  }
  const name = blockName(as);
  return (
    <>
      {token(`{{#each ${source} as |${name}|}}`)}
      {children(expression<T>(name), expression<number>('@index'))}
      {empty ? token('{{else}}') : null}
      {empty}
      {token('{{/each}}')}
    </>
  );
}

function keyOf(item: unknown, index: number): string | number {
  const id = typeof item === 'object' && item !== null ? (item as { id?: unknown }).id : null;
  return typeof id === 'number' || typeof id === 'string' ? `${id}-${index}` : index;
}
