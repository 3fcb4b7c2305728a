import { useEffect, useEffectEvent, useRef } from 'react';
import styles from './sheets.module.css';

/** How far from the window one of them is when their films are asked for. */
const NEAR = '800px 0px';

interface SheetsProps {
  length: number;
  /** One of them comes near the window. */
  onNear: () => void;
}

/** The room of cards whose films are on their way. */
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
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
      key={index}
      ref={(sheet) => {
        sheets.current[index] = sheet;
      }}
      className={styles.sheet}
      aria-hidden="true"
    />
  ));
}
