import { useApi } from '@/shared/api';
import type { FormRules } from '@/shared/api/generated/api';
import { useFormsFacts } from '../forms-facts';
import styles from './payment.module.css';

/** Payment details for film-makers who cannot pay in rupees. */
export function DollarPayment() {
  const { fees, contact } = useFormsFacts();
  const rules = useApi<FormRules>('/forms/');
  return (
    <div>
      <h3 className={styles.title}>Payment in dollars</h3>
      {rules.status === 'loaded' &&
        (rules.data.dollar_payment ? (
          <p className={styles.dollars}>{rules.data.dollar_payment}</p>
        ) : (
          <p>
            Write to us for payment in dollars
            {contact.email ? (
              <>
                : <a href={`mailto:${contact.email}`}>{contact.email}</a>. The fee is {fees.film_submission_usd}{' '}
                dollars.
              </>
            ) : (
              '.'
            )}
          </p>
        ))}
    </div>
  );
}
