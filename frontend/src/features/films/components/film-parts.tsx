import { useEffect, useState } from 'react';
import { type Film, type FilmPart, useApi } from '@/shared/api';
import { langOf, scriptOf } from '@/shared/lang';
import { Appear, inTurn } from '@/shared/motion';
import { Button, Page, Status } from '@/shared/ui/page';
import { cardOf, partKey } from '../open-film';
import { useFurtherParts } from '../use-further-parts';
import { FilmCard } from './film-card';
import styles from './film-parts.module.css';
import { Sheets } from './sheets';
import { ViewSwitch } from './view-switch';

interface FilmPartsProps {
  category: string;
  /** The part that the address names; later ones are appended. */
  begin: FilmPart;
  onOpen: (film: Film) => void;
  /** A film is open over them: its poster is loaded before theirs. */
  covered?: boolean;
}

/**
 * A category's films: one part is in the page, the others are loaded while scrolling. Without JavaScript links lead to
 * them.
 */
export function FilmParts({ category, begin, onOpen, covered = false }: FilmPartsProps) {
  const first = begin.films[0];
  const { parts, next, onMore } = useFurtherParts(begin);
  // Unchanged after hydration: a visible picture whose loading attributes change disappears for some frames.
  const [inFirstView] = useState(!covered);
  return (
    <Page
      surface="night"
      title={first?.category_name}
      lang={langOf(first?.category_name)}
      lead={first?.category_desc ? <span {...scriptOf(first.category_desc)}>{first.category_desc}</span> : null}
    >
      <ViewSwitch category={category} view="posters" count={begin.count} />
      {begin.previous ? (
        <p className={styles.earlier}>
          <Button href={`/films/${category}?part=${begin.previous}`} kind="quiet" rel="prev">
            Earlier films
          </Button>
        </p>
      ) : null}
      <ul className={styles.grid}>
        <Cards films={begin.films} onOpen={onOpen} inFirstView={inFirstView} />
        {parts.map((part) => (
          <FurtherPart key={part.number} of={partKey(category, part.number)} {...part} onOpen={onOpen} />
        ))}
      </ul>
      {next === null ? null : (
        <p className={styles.more}>
          <Button href={`/films/${category}?part=${next}`} kind="quiet" rel="next" onClick={onMore}>
            Show more films
          </Button>
        </p>
      )}
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

/** A later part: its cards, and until they are loaded as many placeholders. */
function FurtherPart({ of: key, length, asked, focus, onNear, onOpen }: FurtherPartProps) {
  const part = useApi<FilmPart>(asked ? key : null, { later: true });
  const first = focus && part.status === 'loaded' ? part.data.films[0] : undefined;
  useEffect(() => {
    if (first) cardOf(first)?.focus();
  }, [first]);
  if (part.status === 'loading') return <Sheets length={length} onNear={onNear} />;
  if (part.status === 'error')
    return (
      <li className={styles.full}>
        <Status kind="error" onRetry={part.retry}>
          Failed to load films !!!
        </Status>
      </li>
    );
  return <Cards films={part.data.films} onOpen={onOpen} />;
}

interface CardsProps {
  films: Film[];
  onOpen: (film: Film) => void;
  inFirstView?: boolean;
}

function Cards({ films, onOpen, inFirstView = false }: CardsProps) {
  return films.map((film, index) => (
    <Appear as="li" key={film.id} pose={inTurn(index)}>
      <FilmCard film={film} onOpen={onOpen} eager={inFirstView && index < 2} />
    </Appear>
  ));
}
