import { useEffect, useRef } from 'react';
import { base } from '../../archive';
import styles from './prose.module.css';

/** Start of a link to a page of the site in a text by organisers: in the archive it gets the prefix like all others. */
const TO_PAGES = / href="(?=\/(?!media))/g;

interface ProseProps {
  /** HTML that the server has sanitised; nothing else is allowed. */
  of: string | null;
  /** In wide windows headings are next to their text, which begins in the second quarter. */
  asideHeadings?: boolean;
}

/** Formatted text by organisers. */
export function Prose({ of, asideHeadings = false }: ProseProps) {
  const text = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other tables
  useEffect(() => {
    const tables = [...(text.current?.querySelectorAll('table') ?? [])];
    if (tables.length === 0 || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => {
      // Elements that scroll sideways must be scrollable with the keyboard.
      for (const table of tables) {
        if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
        else table.removeAttribute('tabindex');
      }
    });
    for (const table of tables) observer.observe(table);
    return () => observer.disconnect();
  }, [of]);

  return (
    <div
      ref={text}
      className={asideHeadings ? `${styles.prose} ${styles.aside}` : styles.prose}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has sanitised it
      dangerouslySetInnerHTML={{ __html: (of ?? '').replace(TO_PAGES, `$&${base}`) }}
    />
  );
}
