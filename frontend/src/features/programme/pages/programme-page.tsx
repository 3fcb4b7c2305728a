import { useDeferredValue, useMemo, useState } from 'react';
import { type Programme, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { JumpBar } from '@/shared/ui/jump-bar';
import { Page, Status } from '@/shared/ui/page';
import { useHydrated } from '@/shared/use-hydrated';
import { DayTimetable } from '../components/day-timetable';
import { ProgrammeChoices } from '../components/programme-choices';
import { type Choices, chosen, clashes, searchTexts } from '../search';
import { clock, dayNames, shortDay } from '../times';
import { useStarred } from '../use-starred';
import styles from './programme-page.module.css';

const EVERYTHING: Choices = {
  search: '',
  section: '',
  hall: '',
  language: '',
  country: '',
  time: '',
  guests: false,
  starred: false,
};

/** The released programme: every day with its screenings, to be searched and starred. */
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
      {programme.status === 'loaded' && programme.data.version === 0 && (
        <Status whole>The programme is not out yet.</Status>
      )}
      {programme.status === 'loaded' && programme.data.version > 0 && <Days programme={programme.data} />}
    </Page>
  );
}

function Days({ programme }: { programme: Programme }) {
  const hydrated = useHydrated();
  const { starred, toggle } = useStarred();
  const [choices, setChoices] = useState(EVERYTHING);
  const films = useMemo(() => new Map(programme.films.map((film) => [film.id, film])), [programme]);
  const texts = useMemo(() => (hydrated ? searchTexts(programme) : new Map<number, string>()), [hydrated, programme]);
  // Typing goes on while the list follows.
  const wanted = useDeferredValue(choices);
  const isEverything = wanted === EVERYTHING;
  const screenings = useMemo(
    () => (isEverything ? programme.screenings : chosen(programme, texts, wanted, starred)),
    [isEverything, programme, texts, wanted, starred],
  );
  const clashing = useMemo(() => clashes(programme, starred), [programme, starred]);
  const days = programme.days.filter((day) => screenings.some((screening) => screening.day === day));
  const released = programme.released_at;
  return (
    <>
      <p className={styles.released}>
        {released ? `As of ${dayNames(released.slice(0, 10)).date}, ${clock(released)}. ` : ''}
        <a href="/programme.ics">All of it for your calendar</a>
      </p>
      <JumpBar label="Days" places={days.map((day) => ({ id: `day-${day}`, name: shortDay(day) }))} />
      {hydrated ? (
        <ProgrammeChoices
          programme={programme}
          choices={choices}
          found={screenings.length}
          starred={starred.size}
          onChoose={(more) => setChoices((before) => ({ ...before, ...more }))}
          onReset={() => setChoices(EVERYTHING)}
        />
      ) : (
        <div className={styles.choicesRoom} />
      )}
      {days.length === 0 ? (
        <p>
          {wanted.starred && starred.size === 0
            ? 'Star what you do not want to miss: it is kept on this device.'
            : 'Nothing fits.'}
        </p>
      ) : null}
      {days.map((day) => (
        <DayTimetable
          key={day}
          day={day}
          programme={programme}
          screenings={screenings.filter((screening) => screening.day === day)}
          films={films}
          starred={starred}
          clashing={clashing}
          onStar={hydrated ? toggle : undefined}
        />
      ))}
    </>
  );
}
