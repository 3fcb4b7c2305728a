import { type FilmIndex as Index, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { langOf, scriptOf } from '@/shared/lang';
import { useRouteParams } from '@/shared/router';
import { Page, Status } from '@/shared/ui/page';
import { FilmIndex } from '../components/film-index';
import { FilmOverlay } from '../components/film-overlay';
import { ViewSwitch } from '../components/view-switch';
import { indexKey, useOpenFilm, usePickedFilm } from '../open-film';

/** The films of one category from A to Z. */
export default function FilmsIndexPage() {
  const { product, edition } = useSite();
  const { id = '' } = useRouteParams();
  const index = useApi<Index>(indexKey(id));
  const film = usePickedFilm(id);
  const { show, close } = useOpenFilm();
  const name = index.data?.name ?? 'Films';
  return (
    <>
      <Head
        title={`${film?.name ?? `${name}, A–Z`} · ${product.name} ${edition.year}`}
        description={`${name}: the competition films of the ${edition.name} from A to Z.`}
        query={film ? `?film=${film.id}` : ''}
      />
      {index.status === 'loading' && <Plain text="Loading films..." />}
      {index.status === 'error' && <Plain text="Failed to load films !!!" onRetry={index.retry} />}
      {index.status === 'loaded' && (
        <Page
          surface="night"
          title={index.data.name}
          lang={langOf(index.data.name)}
          lead={
            index.data.category_desc ? (
              <span {...scriptOf(index.data.category_desc)}>{index.data.category_desc}</span>
            ) : null
          }
        >
          <ViewSwitch category={id} view="index" count={index.data.count} />
          {index.data.count === 0 ? <Status>No films found in this category yet.</Status> : null}
          <FilmIndex index={index.data} onOpen={show} />
        </Page>
      )}
      {film ? <FilmOverlay key={film.id} film={film} kind="window" onClose={close} /> : null}
    </>
  );
}

function Plain({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <Page title="Films" malayalam="ചിത്രങ്ങൾ" surface="night">
      <Status kind={onRetry ? 'error' : 'quiet'} onRetry={onRetry}>
        {text}
      </Status>
    </Page>
  );
}
