import type { Namesake } from '@/shared/api';
import { langOf, When } from '@/shared/template';
import { Prose } from '@/shared/ui/page';
import { altOf, Picture } from '@/shared/ui/picture';
import styles from './namesake-life.module.css';

/** The life of the person whom an award is named after; the anchor is the person's slug. */
export function NamesakeLife({ namesake }: { namesake: Namesake }) {
  return (
    <section id={namesake.slug} className={styles.life} aria-label={namesake.name}>
      <Picture
        src={namesake.portrait}
        alt={altOf(namesake, 'portrait')}
        shape="portrait"
        across="column"
        missing="No Image"
        className={styles.portrait}
      />
      <div className={styles.words}>
        <h2 lang={langOf(namesake.name)}>{namesake.name}</h2>
        <When value={namesake.life}>{(life) => <p className={styles.years}>{life}</p>}</When>
        <When value={namesake.award}>
          {(award) => (
            <p className={styles.award} lang={langOf(award)}>
              {award}
            </p>
          )}
        </When>
        <Prose of={namesake.biography} />
      </div>
    </section>
  );
}
