import { type Film, type FilmPart, Load, useApi, useSite } from '@/shared/api';
import { choose, Head, useQueryParam, useRouteParams, When } from '@/shared/template';
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
  const further = choose(films.data?.previous, `, part ${films.data?.number}`);
  const title = choose(
    first?.category_name,
    `${first?.category_name}${further} · ${product.name} ${edition.year}`,
    `Films · ${product.name}`,
  );
  const description = `${choose(first?.category_name, `${first?.category_name}${further}: `)}the competition films of the ${edition.name}.`;
  return (
    <>
      <Head
        title={choose(film, `${film?.name} · ${product.name} ${edition.year}`, title)}
        description={choose(film, filmDescription(film), description)}
        type={choose(film, 'video.movie', 'website')}
        query={film ? `?film=${film.id}` : part === '1' ? '' : `?part=${part}`}
        image={first?.poster ?? null}
      />
      <Load
        of={films}
        loading={<Plain text="Loading films..." />}
        error={<Plain text="Failed to load films !!!" kind="error" onRetry={films.retry} />}
      >
        {(part) => (
          <When value={part.films} otherwise={<Pending />}>
            <FilmParts key={part.number} category={id} begin={part} onOpen={open} />
          </When>
        )}
      </Load>
      <When value={film}>{(film) => <FilmOverlay key={film.id} film={film} kind="window" onClose={close} />}</When>
    </>
  );
}

/** What the film is, in the words that there are: "Anu Raj, 2025, India. It rains for a week." */
function filmDescription(film: Film | null): string {
  const comma = (value: string | number | null | undefined) => choose(value, `, ${value}`);
  const facts = `${choose(film?.director_name, `By ${film?.director_name}`, 'A film')}${comma(film?.year)}${comma(film?.country)}.`;
  return facts + choose(film?.synopsis, ` ${film?.synopsis}`);
}

/** A known category without films yet. */
function Pending() {
  return (
    <Page
      ground="night"
      title="Selection in Progress"
      lead="Our jury is still watching: the movies of this category are being reviewed, and this page will be updated after the selection."
    />
  );
}

function Plain({ text, kind = 'quiet', onRetry }: { text: string; kind?: 'quiet' | 'error'; onRetry?: () => void }) {
  return (
    <Page title="Films" malayalam="ചിത്രങ്ങൾ" ground="night">
      <Status kind={kind} onRetry={onRetry}>
        {text}
      </Status>
    </Page>
  );
}
