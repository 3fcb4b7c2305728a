import { type Namesake, useApi, useSite } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import { Rotator } from '@/shared/ui/rotator';
import { Section } from '@/shared/ui/section';
import styles from './portraits.module.css';

/** The people whom the awards are named after, one at a time. */
export function Namesakes() {
  const namesakes = useApi<Namesake[]>('/namesakes/');
  const { product } = useSite();
  if (namesakes.status !== 'loaded') return null;
  return (
    <Section id="namesakes" title="Award namesakes" malayalam="ഓർമ്മകൾ">
      <Rotator of={namesakes.data} label="Award namesakes">
        {(namesake) => (
          <a href={`/twenty-${product.slug}#${namesake.slug}`} className={styles.portrait}>
            <Picture src={namesake.portrait} alt={namesake.portrait_alt ?? ''} shape="portrait" sizes="portrait" />
            <span className={styles.caption}>
              <strong className={styles.name} lang={langOf(namesake.name)}>
                {namesake.name}
              </strong>
              <span lang={langOf(namesake.award)}>{namesake.award}</span>
            </span>
          </a>
        )}
      </Rotator>
    </Section>
  );
}
