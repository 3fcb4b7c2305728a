import { useState } from 'react';
import type { Programme, Screening } from '@/shared/api';
import { scriptOf } from '@/shared/lang';
import { useLocation } from '@/shared/router';
import { useHydrated } from '@/shared/use-hydrated';
import {
  changedSince,
  instead,
  type PlannedDay,
  planFragment,
  planOf,
  proposalsFor,
  readFragment,
  wayText,
} from '../model/plan';
import { addStars, seeVersion, toggleStar, useStars } from '../model/stars';
import { dayName, isOver, whenOf } from '../model/times';
import styles from './my-festival.module.css';
import { Timetable } from './timetable';

/**
 * The visitor's own festival: starred screenings by day, clashes, suggestions, and transfer to another phone. The server
 * does not know it. `now` is in milliseconds, null after the festival and before hydration.
 */
export function MyFestival({ programme, now }: { programme: Programme; now: number | null }) {
  const { stars, version } = useStars();
  const hydrated = useHydrated();
  const { hash } = useLocation();
  const sent = readFragment(hash, programme)?.filter((id) => !stars.has(id)) ?? [];
  const days = planOf(programme, stars);
  const isDayOver = ({ stops }: PlannedDay) =>
    now !== null && stops.every(({ screening }) => screening.cancelled || isOver(screening, now));
  const coming = days.filter((day) => !isDayOver(day));
  const over = days.filter(isDayOver);
  const show = ({ day, stops }: PlannedDay) => (
    <Day key={day} programme={programme} stars={stars} day={day} stops={stops} now={now} />
  );
  const changed = changedSince(programme, stars, version);
  return (
    <section aria-labelledby="mine-title">
      <h2 id="mine-title" className={styles.title}>
        My festival
      </h2>
      {sent.length > 0 && (
        <div className={styles.notice}>
          <p>
            This link holds {sent.length === 1 ? '1 screening' : `${sent.length} screenings`} that you have not starred.
          </p>
          <button type="button" onClick={() => addStars(sent)}>
            Add to my festival
          </button>
        </div>
      )}
      {changed.length > 0 && (
        <div className={styles.notice}>
          <p>Changed since your last visit:</p>
          <ul>
            {changed.map((screening) => (
              <li key={screening.id}>
                <Short screening={screening} programme={programme} />
                {screening.cancelled && ', cancelled'}
              </li>
            ))}
          </ul>
          <button type="button" onClick={() => seeVersion(programme.version)}>
            I have seen this
          </button>
        </div>
      )}
      {!hydrated ? (
        <p>Your plan is kept on this device and appears with the page’s scripts.</p>
      ) : days.length === 0 ? (
        <p>Star screenings to plan your days. Your plan stays on this device.</p>
      ) : (
        <Share fragment={planFragment(stars)} />
      )}
      {coming.map(show)}
      {over.length > 0 && (
        <details className={styles.over} open={coming.length === 0 || undefined}>
          <summary>{over.length === 1 ? '1 day that is over' : `${over.length} days that are over`}</summary>
          {over.map(show)}
        </details>
      )}
    </section>
  );
}

interface DayProps extends PlannedDay {
  programme: Programme;
  stars: ReadonlySet<number>;
  now: number | null;
}

function Day({ programme, stars, day, stops, now }: DayProps) {
  const from = now ?? Number.POSITIVE_INFINITY;
  return (
    <section aria-label={dayName(day)}>
      <h3 className={styles.day}>{dayName(day)}</h3>
      {stops.map(({ screening, walk, problem, after }) => (
        <div key={screening.id}>
          {problem === null && walk !== null && <p className={styles.walk}>{wayText(walk)}</p>}
          {problem !== null && now !== null && !isOver(screening, now) && (
            <div className={styles.problem}>
              <p>
                {problem === 'clash'
                  ? `“${screening.title}” begins before “${after?.title}” is over.`
                  : `“${screening.title}” begins before you can come from “${after?.title}”: it is ${wayText(walk ?? 0)}.`}
              </p>
              <Choices
                label="It is shown again, and fits:"
                programme={programme}
                screenings={instead(programme, stars, screening, from)}
                onChoose={(id) => {
                  toggleStar(screening.id);
                  toggleStar(id);
                }}
                action="See it then"
              />
            </div>
          )}
          <Timetable programme={programme} screenings={[screening]} now={now} level="h4" />
        </div>
      ))}
      <Choices
        label="Also fits this day:"
        programme={programme}
        screenings={proposalsFor(programme, stars, day, from)}
        onChoose={toggleStar}
        action="Add"
      />
    </section>
  );
}

interface ChoicesProps {
  label: string;
  programme: Programme;
  screenings: Screening[];
  action: string;
  onChoose: (id: number) => void;
}

function Choices({ label, programme, screenings, action, onChoose }: ChoicesProps) {
  if (screenings.length === 0) return null;
  return (
    <div className={styles.choices}>
      <p>{label}</p>
      <ul>
        {screenings.map((screening) => (
          <li key={screening.id}>
            <Short screening={screening} programme={programme} />
            <button type="button" onClick={() => onChoose(screening.id)}>
              {action}
              <span data-unseen="">: {screening.title}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Short({ screening, programme }: { screening: Screening; programme: Programme }) {
  const hall = programme.halls.find(({ id }) => id === screening.hall);
  return (
    <span>
      {whenOf(screening)} <strong {...scriptOf(screening.title)}>{screening.title}</strong>
      {hall ? `, ${hall.name}` : ''}
    </span>
  );
}

/**
 * The plan for another device: a link with the plan in its fragment, which browsers do not send, as text and as a QR
 * code.
 */
function Share({ fragment }: { fragment: string }) {
  const [code, setCode] = useState<{ data: boolean[][]; size: number; of: string } | null>(null);
  const link = `${location.origin}/programme?view=mine${fragment}`;
  const show = async () => {
    const { encode } = await import('uqr');
    setCode({ ...encode(link, { border: 4 }), of: link });
  };
  return (
    <div className={styles.share}>
      <button type="button" onClick={() => void show()}>
        Take it to another phone
      </button>
      {code?.of === link && (
        <div className={styles.code}>
          <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label="QR code of the link">
            <rect width={code.size} height={code.size} fill="#fff" />
            <path
              fill="#000"
              d={code.data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')}
            />
          </svg>
          <label>
            <span>Or send this link</span>
            <input readOnly value={link} onFocus={({ target }) => target.select()} />
          </label>
        </div>
      )}
    </div>
  );
}
