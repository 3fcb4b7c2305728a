import { useSWRConfig } from 'swr';
import { type Film, useApi } from '@/shared/api';
import { useFirstPage } from '@/shared/api/boot';
import { usePulling } from '@/shared/motion';
import { useLocation, useNavigate, useQueryParam, useSearchParams } from '@/shared/router';
import { useHydrated } from '@/shared/use-hydrated';

/** The address of a film, which can be shared. */
export function filmPath(film: Pick<Film, 'id' | 'category_id'>): string {
  return `/films/${film.category_id}?film=${film.id}`;
}

/** API path of a film. */
function filmKey(category: string | number, id: string | number): string {
  return `/categories/${category}/films/${id}/`;
}

/** API path of a part of a category's films. */
export function partKey(category: string, part: string | number): string {
  return `/categories/${category}/films/parts/${part}/`;
}

/** API path of a category's films by their first letters. */
export function indexKey(category: string): string {
  return `/categories/${category}/a-z/`;
}

/**
 * The film that is open over a list: `?film=3` in the address, so that it can be shared, Back closes it, and closing it
 * returns to where the visitor came from.
 */
export function useOpenFilm() {
  const [search] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  // The listing is rendered without the query; a film opens there after hydration.
  const hydrated = useHydrated();
  usePulling();
  const ours = (location.state as { film?: boolean } | null)?.film === true;

  /** The same list with another film open, or with none. */
  const address = (film: string | null) => {
    const others = new URLSearchParams(search);
    others.delete('film');
    if (film !== null) others.set('film', film);
    return { pathname: location.pathname, search: others.toString() };
  };

  const show = (film: number) => navigate(address(String(film)), { state: { film: true } });

  return {
    /** The open film's id, from the address. */
    id: hydrated ? search.get('film') : null,
    open: (film: Film) => {
      // Not requested if the list has it already.
      void mutate(filmKey(film.category_id, film.id), film, { revalidate: false });
      show(film.id);
    },
    /** Opens a film of which the list has only a line. */
    show,
    close: () => (ours ? navigate(-1) : navigate(address(null), { replace: true })),
  };
}

/** The film that the address names on the page of its category; the server reads it too. */
export function usePickedFilm(category: string): Film | null {
  const { boot } = useFirstPage();
  const id = useQueryParam('film');
  const key = id === null ? null : filmKey(category, id);
  return useApi<Film>(key, { later: key === null || !(key in boot.data) }).data ?? null;
}

/** The card of a film on the page, if there is one. */
export function cardOf(film: Film): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main a[href$="${filmPath(film)}"]`);
}
