import type { ReactNode } from 'react';
import { Reveal } from '@/shared/motion';
import styles from './section.module.css';

interface SectionProps {
  /** The anchor, and the base of the heading's id. */
  id: string;
  title: string;
  /** The title's language, if organisers wrote it. */
  lang?: string;
  /** The line in Malayalam below the heading. */
  malayalam?: string;
  /** The dark of the hall, the lit screen, or paper. */
  surface?: 'night' | 'lit' | 'paper';
  /** The slant of the upper edge if the surface changes: which side is lower. */
  slant?: 'left' | 'right';
  /** A phone's window ends within it: until the first paint later sections load nothing (`base.css`). */
  firstView?: boolean;
  children: ReactNode;
}

/** A block of a page: heading and content. */
export function Section({ id, title, lang, malayalam, surface = 'night', slant, firstView, children }: SectionProps) {
  return (
    <section
      id={id}
      className={styles.section}
      data-surface={surface}
      data-slant={slant}
      data-first-view={firstView ? '' : undefined}
      aria-labelledby={`${id}-title`}
    >
      <Reveal className={styles.inner}>
        <div className={styles.head}>
          <h2 id={`${id}-title`} className={styles.title} lang={lang}>
            {title}
          </h2>
          {malayalam ? (
            <p lang="ml" className={styles.malayalam}>
              {malayalam}
            </p>
          ) : null}
        </div>
        {children}
      </Reveal>
    </section>
  );
}
