import { choose } from '@/shared/template';

/**
 * What is to be seen on the picture `name` of `of`, as an organiser has said it: the API says it beside the address, as
 * `<name>_alt`. Else `otherwise`: empty where the words on the page say the same.
 */
export function altOf<T extends object>(of: T | null | undefined, name: keyof T & string, otherwise = ''): string {
  const said = (of as Record<string, string | undefined> | null | undefined)?.[`${name}_alt`];
  return choose(said, `${said}`, otherwise);
}
