import { useLocation, useParams } from 'react-router-dom';
import { useFirstPage } from './api/boot';
import { isPast } from './archive';
import { useHydrated } from './use-hydrated';

/** The only door to the router: what the site uses of it, and nothing else. */
export {
  BrowserRouter,
  matchPath,
  Outlet,
  Route,
  Routes,
  StaticRouter,
  useLocation,
  useNavigate,
  useNavigationType,
  useSearchParams,
} from 'react-router-dom';

/** The parameters of the page's address. */
export function useRouteParams(): Record<string, string> {
  return useParams() as Record<string, string>;
}

/**
 * A number in the address's query that the server reads too. On the page that the server sent it is what the server
 * took: a value that names nothing is not there.
 */
export function useQueryParam(name: string): string | null {
  const { boot, first, search } = useFirstPage();
  const { search: present } = useLocation();
  // Where pages are files, nobody has read the query.
  const hydrated = useHydrated();
  if (first && present === search && !(isPast && hydrated)) return boot.query[name] ?? null;
  const value = new URLSearchParams(present).get(name);
  return value !== null && /^[1-9]\d*$/.test(value) ? value : null;
}

/** The texts in the address's query that a page is rendered with, on the server as in the browser; empty where there is none. */
export function useQueryTexts<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const { boot, first, search } = useFirstPage();
  const { search: present } = useLocation();
  // A server that has much to do leaves them out, and a kept page was made for another address.
  const hydrated = useHydrated();
  const query = new URLSearchParams(first && present === search && !hydrated ? boot.query : present);
  return Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() ?? ''])) as Record<Name, string>;
}
