import { type ApiState, Load, type Supporter, useApi } from '@/shared/api';
import { Each, langOf, When } from '@/shared/template';
import { altOf, Picture } from '@/shared/ui/picture';
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
  return (
    <Load of={of}>
      {(supporters) => (
        <Section id={id} title={title} ground="paper">
          <ul className={styles.list}>
            <Each of={supporters} as="supporter">
              {(supporter) => (
                <li>
                  <When value={supporter.href} otherwise={<Mark supporter={supporter} />}>
                    {(href) => (
                      <a href={href} className={styles.link} rel="noopener">
                        <Mark supporter={supporter} />
                      </a>
                    )}
                  </When>
                </li>
              )}
            </Each>
          </ul>
        </Section>
      )}
    </Load>
  );
}

function Mark({ supporter }: { supporter: Supporter }) {
  return (
    <div className={styles.mark}>
      <When value={supporter.logo}>
        {(logo) => <Picture src={logo} alt={altOf(supporter, 'logo')} shape="logo" across="mark" />}
      </When>
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
