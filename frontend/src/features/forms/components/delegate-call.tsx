import { Button } from '@/shared/ui/page';
import { Section } from '@/shared/ui/section';
import { useFormsFacts } from '../forms-facts';
import styles from './delegate-call.module.css';

/** Asks visitors to register: the memberships with their fees, and a link to the form. */
export function DelegateCall() {
  const { edition, fees } = useFormsFacts();
  return (
    <Section id="delegates" title="Be a part of it" malayalam="വരൂ, ഇരുട്ടിൽ ഒപ്പമിരിക്കാം" surface="lit" slant="left">
      <div className={styles.call}>
        <div>
          <p className={styles.lead}>Register as a delegate or a member of the {edition.name}.</p>
          <Button href="/form">Delegate / member form</Button>
        </div>
        <ul className={styles.fees}>
          {fees.memberships.map((membership) => (
            <li key={membership.key}>
              <a href="/form" className={styles.fee}>
                <span>{membership.label}</span>
                <strong>{membership.amount_text}</strong>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}
