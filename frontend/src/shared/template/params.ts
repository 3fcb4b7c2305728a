import { useFirstPage } from '@/shared/api/boot';
import { useLocation, useParams } from '@/shared/router';
import { expression, isPrinting } from './expression';

/** The parameters of the page's address: `{{@root.params.id}}` in the template. */
export function useRouteParams(): Record<string, string> {
  const params = useParams();
  return isPrinting() ? expression('@root.params') : (params as Record<string, string>);
}

/**
 * A number in the address's query that the server reads too: `{{@root.query.part}}` in the template. On the page that
 * the server sent it is what the server took: a value that names nothing is not there.
 */
export function useQueryParam(name: string): string | null {
  const { boot, first, search } = useFirstPage();
  const { search: present } = useLocation();
  if (isPrinting()) return expression(`@root.query.${name}`);
  if (first && present === search) return boot.query[name] ?? null;
  const value = new URLSearchParams(present).get(name);
  return value !== null && /^[1-9]\d*$/.test(value) ? value : null;
}
