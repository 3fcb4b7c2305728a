import { useLocation, useParams } from 'react-router-dom';
import { useFirstPage } from './api/boot';
import { isPast } from './archive';
import { useHydrated } from './use-hydrated';

/** The only import of the router: exactly the parts that the site uses. */
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
 * A number in the address's query that the server reads too. On the page that the server sent it is the value that the
 * server used: one that matches nothing is missing.
 */
export function useQueryParam(name: string): string | null {
  const { boot, first, search } = useFirstPage();
  const { search: present } = useLocation();
  // For frozen files no server has read the query.
  const hydrated = useHydrated();
  if (first && present === search && !(isPast && hydrated)) return boot.query[name] ?? null;
  const value = new URLSearchParams(present).get(name);
  return value !== null && /^[1-9]\d*$/.test(value) ? value : null;
}

/** The texts in the address's query that a page is rendered with, on the server as in the browser; empty if missing. */
export function useQueryTexts<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const { boot, first, search } = useFirstPage();
  const { search: present } = useLocation();
  // A busy server leaves them out, and a cached page was rendered for another address.
  const hydrated = useHydrated();
  const query = new URLSearchParams(first && present === search && !hydrated ? boot.query : present);
  return Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() ?? ''])) as Record<Name, string>;
}
