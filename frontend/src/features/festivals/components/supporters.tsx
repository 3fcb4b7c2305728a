import { type ApiState, type Supporter, useApi } from '@/shared/api';
import { langOf } from '@/shared/lang';
import { Picture } from '@/shared/ui/picture';
import { Section } from '@/shared/ui/section';
import styles from './supporters.module.css';

/** Who organises the festival. */
export function Organisers() {
  return <Supporters id="organisers" title="Organisers" of={useApi<Supporter[]>('/organisers/')} />;
}

/** Who supports the festival. */
export function Partners() {
  return <Supporters id="partners" title="Partners" of={useApi<Supporter[]>('/partners/')} />;
}

function Supporters({ id, title, of }: { id: string; title: string; of: ApiState<Supporter[]> }) {
  if (of.status !== 'loaded') return null;
  return (
    <Section id={id} title={title} surface="paper">
      <ul className={styles.list}>
        {of.data.map((supporter) => (
          <li key={supporter.id}>
            {supporter.href ? (
              <a href={supporter.href} className={styles.link} rel="noopener">
                <Mark supporter={supporter} />
              </a>
            ) : (
              <Mark supporter={supporter} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Mark({ supporter }: { supporter: Supporter }) {
  return (
    <div className={styles.mark}>
      {supporter.logo && <Picture src={supporter.logo} alt={supporter.logo_alt ?? ''} shape="logo" sizes="mark" />}
      <p>
        <strong lang={langOf(supporter.name)}>{supporter.name}</strong>
        <span className={styles.role}>
          {supporter.role}
          {supporter.kind}
        </span>
      </p>
    </div>
  );
}
