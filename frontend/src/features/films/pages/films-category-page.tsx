import { type Film, type FilmPart, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { Presence } from '@/shared/motion';
import { useQueryParam, useRouteParams } from '@/shared/router';
import { Page, Status } from '@/shared/ui/page';
import { FilmOverlay } from '../components/film-overlay';
import { FilmParts } from '../components/film-parts';
import { partKey, useOpenFilm, usePickedFilm } from '../open-film';

/** The films of one category. */
export default function FilmsCategoryPage() {
  const { product, edition } = useSite();
  const { id = '' } = useRouteParams();
  const part = useQueryParam('part') ?? '1';
  const films = useApi<FilmPart>(partKey(id, part));
  const film = usePickedFilm(id);
  const { open, close } = useOpenFilm();
  const first = films.data?.films[0];
  const further = films.data?.previous ? `, part ${films.data.number}` : '';
  const title = first?.category_name
    ? `${first.category_name}${further} · ${product.name} ${edition.year}`
    : `Films · ${product.name}`;
  const description = `${first?.category_name ? `${first.category_name}${further}: ` : ''}the competition films of the ${edition.name}.`;
  return (
    <>
      <Head
        title={film ? `${film.name} · ${product.name} ${edition.year}` : title}
        description={film ? filmDescription(film) : description}
        type={film ? 'video.movie' : 'website'}
        query={film ? `?film=${film.id}` : part === '1' ? '' : `?part=${part}`}
        image={first?.poster ?? null}
      />
      {films.status === 'loading' && <Plain text="Loading films..." />}
      {films.status === 'error' &&
        (films.gone ? (
          <WholeCategory id={id} onOpen={open} />
        ) : (
          <Plain text="Failed to load films !!!" kind="error" onRetry={films.retry} />
        ))}
      {films.status === 'loaded' &&
        (films.data.films.length > 0 ? (
          <FilmParts key={films.data.number} category={id} begin={films.data} onOpen={open} covered={film !== null} />
        ) : (
          <Pending />
        ))}
      <Presence of={film}>{(film) => <FilmOverlay key={film.id} film={film} kind="window" onClose={close} />}</Presence>
    </>
  );
}

/** The films of a backend that returns whole lists only: it has the specified paths and no parts. */
function WholeCategory({ id, onOpen }: { id: string; onOpen: (film: Film) => void }) {
  const films = useApi<Film[]>(`/categories/${id}/films/`, { later: true });
  if (films.status === 'loading') return <Plain text="Loading films..." />;
  if (films.status === 'error') return <Plain text="Failed to load films !!!" kind="error" onRetry={films.retry} />;
  if (films.status === 'empty') return <Pending />;
  return (
    <FilmParts
      category={id}
      begin={{ number: 1, previous: null, next: null, count: films.data.length, films: films.data }}
      onOpen={onOpen}
    />
  );
}

/** Description of the film from its facts: "By Anu Raj, 2025, India. It rains for a week." */
function filmDescription(film: Film): string {
  const comma = (value: string | number | null) => (value ? `, ${value}` : '');
  const facts = `${film.director_name ? `By ${film.director_name}` : 'A film'}${comma(film.year)}${comma(film.country)}.`;
  return facts + (film.synopsis ? ` ${film.synopsis}` : '');
}

/** A category without films yet. */
function Pending() {
  return (
    <Page
      surface="night"
      title="Selection in Progress"
      lead="Our jury is still watching: the movies of this category are being reviewed, and this page will be updated after the selection."
    />
  );
}

function Plain({ text, kind = 'quiet', onRetry }: { text: string; kind?: 'quiet' | 'error'; onRetry?: () => void }) {
  return (
    <Page title="Films" malayalam="ചിത്രങ്ങൾ" surface="night">
      <Status kind={kind} onRetry={onRetry}>
        {text}
      </Status>
    </Page>
  );
}
