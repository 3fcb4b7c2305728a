import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { type Programme, type ProgrammeToday, useApi, useSite } from '@/shared/api';
import { isPast } from '@/shared/archive';
import { Head } from '@/shared/head';
import { useLocation, useQueryTexts } from '@/shared/router';
import { Page, Status } from '@/shared/ui/page';
import { Chooser } from '../components/chooser';
import { MyFestival } from '../components/my-festival';
import { NowAndNext } from '../components/now-and-next';
import { Timetable } from '../components/timetable';
import { CHOICES, type Choice, filterScreenings, isNarrowed, programmePath, withoutFilters } from '../model/filter';
import { keepOnDevice } from '../model/keep';
import { useNow } from '../model/now';
import { useOffline } from '../model/offline';
import { changedSince } from '../model/plan';
import { indexProgramme, searchScreenings } from '../model/search';
import { seeVersion, storedStars, useStars } from '../model/stars';
import { clockOf, dayName, festivalDay, isOver } from '../model/times';
import styles from './programme-page.module.css';

/** The screening whose link was followed, and whether the visitor's own festival is shown. */
const NAMED = ['screening', 'view'] as const;

/** The released programme: a day at a time, or search results of all days. */
export default function ProgrammePage() {
  const { product } = useSite();
  const programme = useApi<Programme>('/programme/');
  return (
    <Page title="Programme" malayalam="പ്രദർശനക്രമം">
      <Head
        title={`Programme · ${product.name}`}
        description={`What the ${product.full_name} shows: films, talks and ceremonies by day, time and hall.`}
      />
      {programme.status === 'loading' && <Status>Loading ...</Status>}
      {programme.status === 'error' && (
        <Status kind="error" onRetry={programme.retry}>
          Unable to load the programme. Please try again later.
        </Status>
      )}
      {(programme.status === 'empty' || (programme.status === 'loaded' && programme.data.days.length === 0)) && (
        <Status whole>The programme is not out yet.</Status>
      )}
      {programme.status === 'loaded' && programme.data.days.length > 0 && <Released programme={programme.data} />}
    </Page>
  );
}

function Released({ programme }: { programme: Programme }) {
  const choice = useQueryTexts(CHOICES);
  const { screening: named, view } = useQueryTexts(NAMED);
  const linked = programme.screenings.find(({ id }) => String(id) === named);
  const served = useApi<ProgrammeToday>('/programme/today/').data;
  const clock = useNow();
  const offline = useOffline();
  const { key } = useLocation();
  const mine = view === 'mine';
  const { stars, version } = useStars();
  const changed = changedSince(programme, stars, version).length;
  // A release without changes to starred screenings counts as seen.
  useEffect(() => {
    const stored = storedStars();
    if (stored.version !== programme.version && changedSince(programme, stored.stars, stored.version).length === 0)
      seeVersion(programme.version);
  }, [programme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every star changes the films to cache
  useEffect(() => void keepOnDevice(programme), [programme, stars]);
  const { days, released_at, screenings } = programme;
  // Time passes while the page is open, and the page may be days old. Before hydration it is as late as the server says.
  const since = served?.since ? Date.parse(served.since) : null;
  const now = clock ?? since;
  const today = clock === null ? (served?.day ?? null) : festivalDay(screenings, clock);
  const hasEnded = now !== null && screenings.every((screening) => isOver(screening, now));
  const day = days.find((day) => day === (choice.day || linked?.day)) ?? today ?? days[0] ?? '';
  const at = linked?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again scrolls there again
  useEffect(() => {
    const item = at === undefined ? null : document.getElementById(`screening-${at}`);
    item?.scrollIntoView({ block: 'center' });
    item?.focus({ preventScroll: true });
  }, [at, key]);
  // On a phone the bar is wider than the window.
  const bar = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day is another place in the bar
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (bar.current && link) bar.current.scrollLeft = link.offsetLeft - bar.current.offsetWidth / 3;
  }, [day]);
  const chosen = useDeferredValue(choice);
  const fitting = useMemo(() => filterScreenings(programme, chosen), [programme, chosen]);
  // After the festival its programme is a record: nothing is next, and nothing stands back.
  const time = hasEnded ? null : now;
  const mineLink = (
    <a className={styles.mine} href="/programme?view=mine" aria-current={mine ? 'page' : undefined}>
      My festival{changed > 0 && `: ${changed} changed`}
    </a>
  );
  return (
    <div className={styles.page}>
      <div role="status">
        {offline && (
          <p className={styles.offline}>
            You are offline: this is the programme as this device has kept it. It is renewed as soon as there is a
            network.
          </p>
        )}
      </div>
      {hasEnded && !isPast && <p className={styles.over}>The festival is over. This was its programme.</p>}
      <nav className={styles.days} aria-label="Days">
        <ul ref={bar}>
          {days.map((one) => (
            <li key={one}>
              <a
                href={programmePath(choice, { day: one, q: '', earlier: '' })}
                aria-current={one === day && !choice.q && !mine ? 'page' : undefined}
              >
                {dayName(one)}
              </a>
            </li>
          ))}
          <li className={styles.beside}>{mineLink}</li>
        </ul>
      </nav>
      {mine ? (
        <MyFestival programme={programme} now={time} />
      ) : (
        <>
          {day === today && time !== null && <NowAndNext programme={programme} now={time} today={today} />}
          <Chooser programme={programme} choice={choice} />
          {chosen.q ? (
            <Results programme={programme} choice={chosen} fitting={fitting} now={time} />
          ) : (
            <Day
              programme={programme}
              choice={chosen}
              day={day}
              isToday={day === today}
              fitting={fitting}
              now={time}
              linked={at}
            />
          )}
        </>
      )}
      <p className={styles.links}>
        {!mine && <a href={`/programme/${day}.ics`}>Calendar of {dayName(day)}</a>}
        <a href="/programme.ics">Calendar of all days</a>
        <a href="/programme/schedule.xml">Schedule for conference apps</a>
        <a href="/programme/changes.xml">Changes as a feed</a>
      </p>
      {released_at && (
        <p className={styles.released}>
          As of {dayName(released_at.slice(0, 10))}, {clockOf(released_at)}.
        </p>
      )}
      <p className={styles.thumb}>{mine ? <a href="/programme">All screenings</a> : mineLink}</p>
    </div>
  );
}

interface PartProps {
  programme: Programme;
  choice: Choice;
  /** The screenings that match the filters. */
  fitting: Programme['screenings'];
  now: number | null;
}

interface DayProps extends PartProps {
  day: string;
  isToday: boolean;
  /** The screening that the address names. */
  linked?: number;
}

/** A day's screenings; on the day that it is, those that are over are folded away. */
function Day({ programme, choice, day, isToday, fitting, now, linked }: DayProps) {
  const all = fitting.filter((screening) => screening.day === day);
  const coming = all.filter((screening) => !isToday || now === null || !isOver(screening, now));
  const isUnfolded = choice.earlier !== '' || (linked !== undefined && !coming.some(({ id }) => id === linked));
  const screenings = isUnfolded ? all : coming;
  const over = all.length - coming.length;
  return (
    <section aria-labelledby="day-title">
      <h2 id="day-title" className={styles.heading}>
        {dayName(day)}
      </h2>
      {over > 0 && (
        <p className={styles.earlier}>
          <a href={programmePath(choice, { earlier: isUnfolded ? '' : '1' })}>
            {isUnfolded ? 'Fold what is over' : `Earlier today: ${over === 1 ? '1 screening' : `${over} screenings`}`}
          </a>
        </p>
      )}
      {screenings.length > 0 ? (
        <Timetable programme={programme} screenings={screenings} now={now} chosen={linked} />
      ) : over > 0 && !isNarrowed(choice) ? (
        <p>Nothing more begins today.</p>
      ) : (
        <Nothing
          choice={choice}
          text={over > 0 ? 'Nothing more today fits these filters.' : 'No screenings on this day fit these filters.'}
        />
      )}
    </section>
  );
}

function Results({ programme, choice, fitting, now }: PartProps) {
  const index = useMemo(() => indexProgramme(programme), [programme]);
  const screenings = useMemo(() => {
    const allowed = new Set(fitting);
    return searchScreenings(index, choice.q, now).filter((screening) => allowed.has(screening));
  }, [index, choice.q, fitting, now]);
  return (
    <section aria-labelledby="results-title">
      <div role="status">
        <h2 id="results-title" className={styles.heading}>
          {screenings.length === 1 ? '1 screening' : `${screenings.length} screenings`} for “{choice.q}”
        </h2>
      </div>
      {screenings.length > 0 ? (
        <Timetable programme={programme} screenings={screenings} now={now} withDay />
      ) : (
        <Nothing choice={choice} text="Check the spelling, or search for a director or a country." />
      )}
    </section>
  );
}

function Nothing({ choice, text }: { choice: Choice; text: string }) {
  return (
    <>
      <p>{text}</p>
      {isNarrowed(choice) && (
        <p className={styles.links}>
          <a href={programmePath(withoutFilters(choice), {})}>Remove all filters</a>
        </p>
      )}
    </>
  );
}
