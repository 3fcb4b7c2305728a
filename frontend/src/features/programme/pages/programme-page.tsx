import { useDeferredValue, useEffect, useMemo, useSyncExternalStore } from 'react';
import { type Programme, type ProgrammeToday, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { useLocation, useQueryTexts } from '@/shared/router';
import { Page, Status } from '@/shared/ui/page';
import { useHydrated } from '@/shared/use-hydrated';
import { Chooser } from '../components/chooser';
import { MyFestival } from '../components/my-festival';
import { NowAndNext } from '../components/now-and-next';
import { Timetable } from '../components/timetable';
import { CHOICES, type Choice, filterScreenings, isNarrowed, programmePath } from '../model/filter';
import { keepOnDevice } from '../model/keep';
import { useOffline } from '../model/offline';
import { changedSince } from '../model/plan';
import { indexProgramme, search } from '../model/search';
import { seeVersion, storedStars, useStars } from '../model/stars';
import { clockOf, dayName, festivalDay } from '../model/times';
import styles from './programme-page.module.css';

/** The screening whose link was followed. */
const NAMED = ['screening'] as const;

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
  const named = useQueryTexts(NAMED).screening;
  const linked = programme.screenings.find(({ id }) => String(id) === named);
  const now = useNow();
  const served = useApi<ProgrammeToday>('/programme/today/').data?.day ?? null;
  const offline = useOffline();
  // The server does not know visitors' plans.
  const hydrated = useHydrated();
  const { search: query, key } = useLocation();
  const mine = hydrated && new URLSearchParams(query).get('view') === 'mine';
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
  // Time passes while the page is open, and the page may be days old.
  const today = now === null ? served : festivalDay(screenings, now);
  const day = days.find((day) => day === (choice.day || linked?.day)) ?? today ?? days[0] ?? '';
  const at = linked?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again scrolls there again
  useEffect(() => {
    const item = at === undefined ? null : document.getElementById(`screening-${at}`);
    item?.scrollIntoView({ block: 'center' });
    item?.focus({ preventScroll: true });
  }, [at, key]);
  const chosen = useDeferredValue(choice);
  const fitting = useMemo(() => filterScreenings(programme, chosen), [programme, chosen]);
  return (
    <>
      {released_at && (
        <p className={styles.released}>
          As of {dayName(released_at.slice(0, 10))}, {clockOf(released_at)}.
        </p>
      )}
      <div role="status">
        {offline && (
          <p className={styles.offline}>
            You are offline: this is the programme as this device has kept it. It is renewed as soon as there is a
            network.
          </p>
        )}
      </div>
      <Chooser programme={programme} choice={choice} />
      <nav className={styles.days} aria-label="Days">
        <ul>
          {days.map((one) => (
            <li key={one}>
              <a
                href={programmePath(choice, { day: one, q: '' })}
                aria-current={one === day && !choice.q && !mine ? 'page' : undefined}
              >
                {dayName(one)}
              </a>
            </li>
          ))}
          {hydrated && (
            <li>
              <a href="/programme?view=mine" aria-current={mine ? 'page' : undefined}>
                My festival{changed > 0 && `: ${changed} changed`}
              </a>
            </li>
          )}
        </ul>
      </nav>
      {mine ? (
        <MyFestival programme={programme} now={now} />
      ) : chosen.q ? (
        <Results programme={programme} choice={chosen} fitting={fitting} now={now} />
      ) : (
        <>
          {day === today && <NowAndNext programme={programme} now={now} />}
          <Day programme={programme} choice={chosen} day={day} fitting={fitting} now={now} linked={at} />
        </>
      )}
      <p className={styles.links}>
        <a href={`/programme/${day}.ics`}>Calendar of {dayName(day)}</a>
        <a href="/programme.ics">Calendar of all days</a>
        <a href="/programme/changes.xml">Changes as a feed</a>
      </p>
    </>
  );
}

interface PartProps {
  programme: Programme;
  choice: Choice;
  /** The screenings that match the filters. */
  fitting: Programme['screenings'];
  now: number | null;
}

function Day({ programme, choice, day, fitting, now, linked }: PartProps & { day: string; linked?: number }) {
  const screenings = fitting.filter((screening) => screening.day === day);
  return (
    <section aria-labelledby="day-title">
      <h2 id="day-title" className={styles.heading}>
        {dayName(day)}
      </h2>
      {screenings.length > 0 ? (
        <Timetable programme={programme} screenings={screenings} now={now} chosen={linked} />
      ) : (
        <Nothing choice={choice} text="No screenings on this day fit these filters." />
      )}
    </section>
  );
}

function Results({ programme, choice, fitting, now }: PartProps) {
  const index = useMemo(() => indexProgramme(programme), [programme]);
  const screenings = useMemo(() => {
    const found = search(index, choice.q).flatMap((hit) => hit.screenings);
    const allowed = new Set(fitting);
    return [...new Set(found)].filter((screening) => allowed.has(screening));
  }, [index, choice.q, fitting]);
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
          <a
            href={programmePath(
              { ...choice, section: '', language: '', country: '', hall: '', time: '', guests: '' },
              {},
            )}
          >
            Remove all filters
          </a>
        </p>
      )}
    </>
  );
}

const MINUTE = 60_000;

/** The time, updated every minute; null on the server and in the first render. */
function useNow(): number | null {
  return useSyncExternalStore<number | null>(
    (changed) => {
      const timer = setInterval(changed, MINUTE / 4);
      return () => clearInterval(timer);
    },
    () => Math.floor(Date.now() / MINUTE) * MINUTE,
    () => null,
  );
}
