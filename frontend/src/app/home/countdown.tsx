import { useEffect, useState } from 'react';
import { useSite } from '@/shared/api';
import { Appear, type Pose } from '@/shared/motion';
import styles from './countdown.module.css';

/** Days, hours, minutes and seconds to the date the organisers set; nothing without a date or once it has passed. */
export function Countdown() {
  const { edition } = useSite();
  return (
    edition.countdown_at && (
      <Ticking target={edition.countdown_at} label={edition.countdown_text} end={edition.countdown_at_text} />
    )
  );
}

const units = ['days', 'hours', 'minutes', 'seconds'] as const;

interface TickingProps {
  target: string;
  /** What it is called: "Countdown to the festival". */
  label: string | null;
  /** The target as text, for browsers without scripts. */
  end: string | null;
}

function Ticking({ target, label, end }: TickingProps) {
  // Unknown until the visitor's own clock can be read.
  const [left, setLeft] = useState<TimeLeft | null | undefined>(undefined);

  useEffect(() => {
    const tick = () => setLeft(timeLeft(target, Date.now()));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [target]);

  if (left === null) return null;
  return (
    <section aria-label={label ?? undefined}>
      <p className={styles.label}>{label}</p>
      <div role="timer" className={styles.units}>
        {units.map((unit) => (
          <p key={unit} className={styles.unit}>
            <span className={styles.number}>{left ? <Digits value={left[unit]} /> : '--'}</span>
            <span className={styles.name}>{unit}</span>
          </p>
        ))}
      </div>
      <p className={styles.end}>
        <time dateTime={target}>{end}</time>
      </p>
    </section>
  );
}

const pose: Pose = {
  from: { opacity: 0, transform: 'translateY(-45%)' },
  to: { opacity: 1, transform: 'translateY(0%)', transition: { duration: 0.3, ease: 'easeOut' } },
};

/** A number of at least two digits; only those that change are animated. The text is always one number. */
function Digits({ value }: { value: number }) {
  const digits = [...String(value).padStart(2, '0')];
  return digits.map((digit, index) => {
    // Keys count from the end, so that the last digit keeps its key when 100 becomes 99.
    const place = digits.length - index;
    return (
      <Appear as="span" key={`${place}-${digit}`} pose={pose} className={styles.digit}>
        {digit}
      </Appear>
    );
  });
}

/** The time left, in whole units. */
interface TimeLeft {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/**
 * The time from `now` (milliseconds) to `target`, null once it has passed or if it is not a date. A target without an
 * offset ("2025-09-03T22:00:00") is the visitor's local time.
 */
export function timeLeft(target: string, now: number): TimeLeft | null {
  const seconds = Math.ceil((new Date(target).getTime() - now) / 1000);
  if (!(seconds > 0)) return null;
  return {
    days: Math.floor(seconds / 86400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}
