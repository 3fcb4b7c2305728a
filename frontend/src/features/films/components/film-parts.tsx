import { useEffect } from 'react';
import { type Film, type FilmPart, Load, useApi } from '@/shared/api';
import { Each, langOf, When } from '@/shared/template';
import { Button, Page, Status } from '@/shared/ui/page';
import { cardOf, partKey } from '../open-film';
import { useFurtherParts } from '../use-further-parts';
import { FilmCard } from './film-card';
import styles from './film-parts.module.css';
import { Sheets } from './sheets';

interface FilmPartsProps {
  category: string;
  /** The part that the address names; those after it are appended. */
  begin: FilmPart;
  onOpen: (film: Film) => void;
}

/** A category's films: one part comes with the page, the others as one scrolls. Without JavaScript links lead to them. */
export function FilmParts({ category, begin, onOpen }: FilmPartsProps) {
  const first = begin.films[0];
  const { parts, next, onMore } = useFurtherParts(begin);
  return (
    <Page
      ground="night"
      title={first?.category_name}
      lang={langOf(first?.category_name)}
      lead={<When value={first?.category_desc}>{(text) => <span lang={langOf(text)}>{text}</span>}</When>}
    >
      <When value={begin.previous}>
        {(previous) => (
          <p className={styles.earlier}>
            <Button href={`/films/${category}?part=${previous}`} kind="quiet" rel="prev">
              Earlier films
            </Button>
          </p>
        )}
      </When>
      <ul className={styles.grid}>
        <Cards films={begin.films} onOpen={onOpen} />
        {parts.map((part) => (
          <FurtherPart key={part.number} of={partKey(category, part.number)} {...part} onOpen={onOpen} />
        ))}
      </ul>
      <When value={next}>
        {(next) => (
          <p className={styles.more}>
            <Button href={`/films/${category}?part=${next}`} kind="quiet" rel="next" onClick={onMore}>
              Show more films
            </Button>
          </p>
        )}
      </When>
    </Page>
  );
}

interface FurtherPartProps {
  of: string;
  length: number;
  asked: boolean;
  focus: boolean;
  onNear: () => void;
  onOpen: (film: Film) => void;
}

/** A part that follows: its cards, and until they come as many sheets. */
function FurtherPart({ of: key, length, asked, focus, onNear, onOpen }: FurtherPartProps) {
  const part = useApi<FilmPart>(asked ? key : null, { later: true });
  const first = focus && part.status === 'loaded' ? part.data.films[0] : undefined;
  useEffect(() => {
    if (first) cardOf(first)?.focus();
  }, [first]);
  return (
    <Load
      of={part}
      loading={<Sheets length={length} onNear={onNear} />}
      error={
        <li className={styles.across}>
          <Status kind="error" onRetry={part.retry}>
            Failed to load films !!!
          </Status>
        </li>
      }
    >
      {(part) => <Cards films={part.films} onOpen={onOpen} />}
    </Load>
  );
}

function Cards({ films, onOpen }: { films: Film[]; onOpen: (film: Film) => void }) {
  return (
    <Each of={films} as="film">
      {(film) => (
        <li>
          <FilmCard film={film} onOpen={onOpen} across="column" />
        </li>
      )}
    </Each>
  );
}
