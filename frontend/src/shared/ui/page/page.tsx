import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  title: ReactNode;
  /** The title's language, if organisers wrote it. */
  lang?: string;
  /** The title in Malayalam. */
  malayalam?: string | null;
  lead?: ReactNode;
  /** Paper for reading and writing, night for films, posters and people. */
  surface?: 'paper' | 'night';
  children?: ReactNode;
}

/** The frame of an ordinary page: title, a leading sentence, content. */
export function Page({ title, lang, malayalam, lead, surface = 'paper', children }: PageProps) {
  return (
    <div data-surface={surface}>
      <header className={styles.head} data-surface="lit">
        <div className={styles.inner}>
          <h1 className={styles.title} lang={lang}>
            {title}
          </h1>
          {malayalam && (
            <p lang="ml" className={styles.malayalam}>
              {malayalam}
            </p>
          )}
          {lead ? <p className={styles.lead}>{lead}</p> : null}
        </div>
      </header>
      <div className={styles.body}>{children}</div>
    </div>
  );
}
