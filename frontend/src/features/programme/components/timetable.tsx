import { useRef, useSyncExternalStore } from 'react';
import type { Programme, ProgrammeFilm, Screening } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { atWidth } from '@/shared/ui/picture';
import { ShareLink } from '@/shared/ui/share-link';
import { useNear } from '@/shared/use-near';
import { toggleStar, useStars } from '../model/stars';
import {
  calendarLinks,
  clockOf,
  dayName,
  filmPath,
  isAfterMidnight,
  isOn,
  isOver,
  minutesInto,
  screeningPath,
} from '../model/times';
import places from './grid-places.module.css';
import styles from './timetable.module.css';

interface TimetableProps {
  programme: Programme;
  screenings: Screening[];
  /** Milliseconds; null before the first screening, and when all are over. */
  now: number | null;
  /** The screening that the address names. */
  chosen?: number;
  /** Heading in place of the day, for screenings of several days. */
  withDay?: boolean;
  /** The level of the titles. */
  level?: 'h3' | 'h4';
}

/** Numbers of columns and quarters of an hour that the style sheet has positions for. */
const MOST_HALLS = 12;
const QUARTER = 15;
const LONGEST = 24;
/** Numbers of quarters in an hour, and of section colours in the style sheet. */
const HOUR = 4;
const COLOURS = 6;

/** A list of screenings; those of one day are a grid of halls by time in wide windows. */
export function Timetable({ programme, screenings, now, chosen, withDay = false, level = 'h3' }: TimetableProps) {
  const isMoving = useMoving();
  const used = programme.halls.filter(({ id }) => screenings.some(({ hall }) => hall === id));
  const isGrid = !withDay && used.length > 1 && used.length <= MOST_HALLS;
  const films = new Map(programme.films.map((film) => [film.id, film]));
  const quarter = (day: string, at: string) => Math.floor(minutesInto(day, at) / QUARTER);
  const begin = Math.min(...screenings.map(({ day, starts_at }) => quarter(day, starts_at)));
  const end = Math.max(...screenings.map(({ day, ends_at }) => quarter(day, ends_at)));
  const sections = [...new Set(programme.films.map(({ section }) => section.id))];
  const colourOf = ({ films: [first] }: Screening) => {
    const section = films.get(first ?? -1)?.section.id;
    return section === undefined ? undefined : (sections.indexOf(section) % COLOURS) + 1;
  };
  const firstHour = Math.ceil(begin / HOUR);
  const hours = Array.from({ length: Math.max(0, Math.ceil(end / HOUR) - firstHour) }, (_, at) => firstHour + at);
  return (
    <div className={isMoving ? undefined : styles.still}>
      {isGrid && (
        <div className={`${styles.halls} ${places.grid}`} data-halls={used.length} aria-hidden="true">
          {used.map((hall, index) => (
            <p
              key={hall.id}
              className={`${styles.hall} ${places.placed}`}
              data-hall={index + 1}
              {...scriptOf(hall.name)}
            >
              {hall.name}
            </p>
          ))}
        </div>
      )}
      <div
        className={isGrid ? `${styles.grid} ${places.grid}` : undefined}
        data-halls={isGrid ? used.length : undefined}
      >
        {isGrid &&
          hours.map((hour) => (
            <p
              key={hour}
              className={`${styles.hour} ${places.placed}`}
              data-row={hour * HOUR - begin + 1}
              data-span="1"
              aria-hidden="true"
            >
              {String(hour % 24).padStart(2, '0')}:00
            </p>
          ))}
        <ol className={isGrid ? styles.list : `${styles.list} ${styles.alone}`}>
          {screenings.map((screening, index) => {
            const row = quarter(screening.day, screening.starts_at) - begin + 1;
            const span = quarter(screening.day, screening.ends_at) - begin + 1 - row;
            return (
              <li
                key={screening.id}
                id={`screening-${screening.id}`}
                className={isGrid ? `${styles.item} ${places.placed}` : styles.item}
                data-hall={isGrid ? used.findIndex(({ id }) => id === screening.hall) + 1 : undefined}
                data-row={isGrid ? row : undefined}
                data-span={isGrid ? Math.max(1, Math.min(LONGEST, span)) : undefined}
                data-first-view={index === 0 ? '' : undefined}
                data-cancelled={screening.cancelled || undefined}
                // A link to a screening moves the focus there.
                tabIndex={screening.id === chosen ? -1 : undefined}
                aria-current={screening.id === chosen || undefined}
                data-now={(now !== null && isOn(screening, now)) || undefined}
                data-over={(now !== null && isOver(screening, now)) || undefined}
                data-colour={colourOf(screening)}
              >
                <Item
                  screening={screening}
                  films={screening.films.flatMap((id) => films.get(id) ?? [])}
                  programme={programme}
                  withDay={withDay}
                  level={level}
                />
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}

interface ItemProps extends Pick<TimetableProps, 'programme' | 'withDay' | 'level'> {
  screening: Screening;
  films: ProgrammeFilm[];
}

function Item({ screening, films, programme, withDay, level: Title = 'h3' }: ItemProps) {
  const { id, day, title, starts_at, ends_at, guests, with_guests, audience, language, subtitles } = screening;
  const hall = programme.halls.find((hall) => hall.id === screening.hall);
  // A venue with a single hall is named instead of the hall.
  const inVenue = hall?.venue?.startsWith(hall.name);
  const place = [inVenue ? null : hall?.name, hall?.venue].filter(Boolean).join(', ');
  const only = films.length === 1 ? films[0] : undefined;
  const facts = only
    ? [only.directors.join(', '), only.countries.join(', '), only.year, only.minutes && `${only.minutes} min`]
    : [];
  const links = calendarLinks(screening, place);
  return (
    <>
      <p className={styles.time}>
        {withDay && <time dateTime={day}>{dayName(day)}</time>}
        <span>
          <time dateTime={starts_at}>{clockOf(starts_at)}</time>–<time dateTime={ends_at}>{clockOf(ends_at)}</time>
        </span>
        {isAfterMidnight(screening) && <span>after midnight</span>}
      </p>
      <p className={styles.place} {...scriptOf(place)}>
        {place}
      </p>
      {only?.poster && (
        <img
          className={styles.poster}
          src={atWidth(only.poster, 240)}
          alt=""
          width={60}
          height={90}
          loading="lazy"
          decoding="async"
        />
      )}
      <Title className={styles.title} {...scriptOf(title)}>
        {only ? (
          <a href={filmPath(only)}>
            <Text text={title} />
          </a>
        ) : (
          <Text text={title} />
        )}
      </Title>
      {only?.original_title && (
        <p className={styles.facts} {...scriptOf(only.original_title)}>
          <Text text={only.original_title} />
        </p>
      )}
      {films.length > 1 && (
        <ul className={styles.facts}>
          {films.map((film) => (
            <li key={film.id} {...scriptOf(film.title)}>
              <a href={filmPath(film)}>
                <Text text={film.title} />
              </a>
            </li>
          ))}
        </ul>
      )}
      <Line parts={facts} />
      {only && (
        <p className={styles.section} {...scriptOf(only.section.name)}>
          {only.section.name}
        </p>
      )}
      <Line parts={[language, subtitles && `Subtitles: ${subtitles}`]} />
      <Marks screening={screening} programme={programme} />
      {(with_guests || guests.length > 0) && (
        <p className={styles.mark}>{guests.length > 0 ? `With ${guests.join(', ')}` : 'With guests'}</p>
      )}
      {audience === 'delegates' && <p className={styles.mark}>Delegates only</p>}
      <div className={styles.actions}>
        <StarButton screening={screening} />
        {screening.cancelled ? null : (
          <details className={styles.calendar}>
            <summary>
              Calendar and link<span data-unseen="">: {title}</span>
            </summary>
            <a href={`/programme/screenings/${id}.ics`}>Calendar file</a>
            <a href={links.google}>Google Calendar</a>
            <a href={links.outlook}>Outlook</a>
            <div className={styles.share}>
              <ShareLink path={screeningPath(screening)} title={title} what="screening" />
            </div>
          </details>
        )}
      </div>
    </>
  );
}

/** Letters other than those of Western Europe, which every page needs. */
const RARE_LETTERS = /[^\0-\xff\u2010-\u2044]/;

function Text({ text }: { text: string }) {
  return RARE_LETTERS.test(text) ? <RareText text={text} /> : text;
}

/**
 * A text that is in the system's typeface until it is in view of a visitor who moves through the page: its own may be
 * 80 kB for a single line.
 */
function RareText({ text }: { text: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const isSeen = useNear(place, '0px');
  return (
    <span ref={place} className={isSeen ? styles.rare : styles.unseen}>
      {text}
    </span>
  );
}

const MOVES = ['scroll', 'pointerdown', 'keydown'];
let hasMoved = false;

/** Whether the visitor has scrolled, pointed or typed on one of the pages. */
function useMoving(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const move = () => {
        hasMoved = true;
        changed();
      };
      for (const kind of MOVES) addEventListener(kind, move, { once: true, passive: true });
      return () => {
        for (const kind of MOVES) removeEventListener(kind, move);
      };
    },
    () => hasMoved,
    () => false,
  );
}

/** Adds a screening to the visitor's own festival, or removes it. */
export function StarButton({ screening: { id, title } }: { screening: Pick<Screening, 'id' | 'title'> }) {
  const starred = useStars().stars.has(id);
  return (
    <button type="button" className={styles.star} aria-pressed={starred} onClick={() => toggleStar(id)}>
      <span aria-hidden="true">{starred ? '★' : '☆'}</span> My festival<span data-unseen="">: {title}</span>
    </button>
  );
}

function Line({ parts }: { parts: (string | number | null | undefined)[] }) {
  const text = parts.filter(Boolean).join(' · ');
  return text ? (
    <p className={styles.facts} {...scriptOf(text)}>
      <Text text={text} />
    </p>
  ) : null;
}

/** Changes since the first release of the programme. */
export function Marks({
  screening: { cancelled, change, day },
  programme,
}: Pick<ItemProps, 'screening' | 'programme'>) {
  if (cancelled) return <p className={styles.mark}>Cancelled</p>;
  if (change?.kind === 'new') return <p className={styles.mark}>New</p>;
  if (change?.kind === 'changed') return <p className={styles.mark}>Changed</p>;
  if (change?.kind !== 'moved' || !change.was) return null;
  const { hall, starts_at } = change.was;
  const date = starts_at.slice(0, 10);
  const name = programme.halls.find(({ id }) => id === hall)?.name;
  return (
    <p className={styles.mark}>
      Moved; it was {date === day ? '' : `${dayName(date)}, `}
      {clockOf(starts_at)}
      {name ? `, ${name}` : ''}
    </p>
  );
}
