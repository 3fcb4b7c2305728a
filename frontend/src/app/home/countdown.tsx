import { useEffect, useState } from 'react';
import { useSite } from '@/shared/api';
import { When } from '@/shared/template';
import styles from './countdown.module.css';
import { type TimeLeft, timeLeft } from './time-left';

/** Days, hours, minutes and seconds to the date the organisers set; nothing without one or once it has come. */
export function Countdown() {
  const { edition } = useSite();
  return <When value={edition.countdown_at}>{(target) => <Ticking target={target} />}</When>;
}

const units = ['days', 'hours', 'minutes', 'seconds'] as const;

function Ticking({ target }: { target: string }) {
  // Unknown until the visitor's own clock is there.
  const [left, setLeft] = useState<TimeLeft | null | undefined>(undefined);

  useEffect(() => {
    const tick = () => setLeft(timeLeft(target, Date.now()));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [target]);

  if (left === null) return null;
  return (
    <section className={styles.countdown} aria-label="Countdown">
      <div role="timer" className={styles.units}>
        {units.map((unit) => (
          <p key={unit} className={styles.unit}>
            <span className={styles.number}>{left ? String(left[unit]).padStart(2, '0') : '--'}</span>
            <span className={styles.name}>{unit}</span>
          </p>
        ))}
      </div>
    </section>
  );
}
