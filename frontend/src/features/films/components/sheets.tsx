import { useEffect, useEffectEvent, useRef } from 'react';
import styles from './sheets.module.css';

/** Distance from the window at which the films are requested. */
const NEAR = '800px 0px';

interface SheetsProps {
  length: number;
  /** Called when one of them comes near the window. */
  onNear: () => void;
}

/** Placeholders of cards whose films are loading. */
export function Sheets({ length, onNear }: SheetsProps) {
  const sheets = useRef<(HTMLLIElement | null)[]>([]);
  const tell = useEffectEvent(onNear);

  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) tell();
      },
      { rootMargin: NEAR },
    );
    for (const sheet of sheets.current) if (sheet) observer.observe(sheet);
    return () => observer.disconnect();
  }, []);

  return Array.from({ length }, (_, index) => (
    <li
      // biome-ignore lint/suspicious/noArrayIndexKey: they are identical
      key={index}
      ref={(sheet) => {
        sheets.current[index] = sheet;
      }}
      className={styles.sheet}
      aria-hidden="true"
    />
  ));
}
