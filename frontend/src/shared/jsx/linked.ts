import { base } from '../archive';

/** The properties of an element; a link to a page of the site leads to the same page of the edition that is shown. */
export function linked(type: unknown, props: { href?: string }): object {
  return base && type === 'a' && props.href?.[0] === '/' ? { ...props, href: base + props.href } : props;
}
