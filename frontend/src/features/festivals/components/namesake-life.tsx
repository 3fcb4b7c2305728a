import type { Namesake } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Prose } from '@/shared/ui/page';
import { Picture } from '@/shared/ui/picture';
import styles from './namesake-life.module.css';

/** The life of the person whom an award is named after; the anchor is the person's slug. */
export function NamesakeLife({ namesake }: { namesake: Namesake }) {
  return (
    <section id={namesake.slug} className={styles.life} aria-label={namesake.name}>
      <Picture
        src={namesake.portrait}
        alt={namesake.portrait_alt ?? ''}
        shape="portrait"
        sizes="column"
        missing="No Image"
        className={styles.portrait}
      />
      <div className={styles.text}>
        <h2 lang={langOf(namesake.name)}>{namesake.name}</h2>
        {namesake.life && <p className={styles.years}>{namesake.life}</p>}
        {namesake.award && (
          <p className={styles.award} lang={langOf(namesake.award)}>
            {namesake.award}
          </p>
        )}
        <Prose of={namesake.biography} />
      </div>
    </section>
  );
}
