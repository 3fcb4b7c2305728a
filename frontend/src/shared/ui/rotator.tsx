import { type ReactNode, useRef, useState } from 'react';
import { useRotation } from '@/shared/motion';
import { useHydrated } from '@/shared/use-hydrated';
import { useNear } from '@/shared/use-near';
import { PauseButton } from './pause-button';
import styles from './rotator.module.css';

interface RotatorProps<T> {
  of: T[];
  label: string;
  /** Milliseconds for which each one is shown. */
  delay?: number;
  children: (item: T) => ReactNode;
}

/** Shows one of its items at a time, one after the other. Without JavaScript all of them are shown. */
export function Rotator<T extends { id: number }>({ of, label, delay = 2000, children }: RotatorProps<T>) {
  const hydrated = useHydrated();
  const stack = useRef<HTMLUListElement>(null);
  const near = useNear(stack, '200px');
  const [current, setCurrent] = useState(0);
  const count = hydrated ? of.length : 0;
  const rotation = useRotation(delay, () => setCurrent((index) => (index + 1) % count), near && count > 1);

  return (
    <div className={styles.rotator} {...rotation.host}>
      <ul ref={stack} className={styles.stack} data-live={hydrated || undefined} data-near={near || undefined}>
        {of.map((item, index) => (
          <li key={item.id} className={styles.item} data-current={(hydrated && index === current) || undefined}>
            {children(item)}
          </li>
        ))}
      </ul>
      {count > 1 ? <PauseButton rotation={rotation} label={label} /> : null}
    </div>
  );
}
