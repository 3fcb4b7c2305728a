import type { ReactNode } from 'react';
import { useApi, useSite } from '@/shared/api';
import type { FormRules } from '@/shared/api/generated/forms-api';
import { useFormTools } from '../model/load-tools';
import styles from './payment.module.css';
import upiStyles from './upi-code.module.css';

interface PaymentProps {
  /** The fee, in words. */
  fee: ReactNode;
  /** The fee in rupees; null while it depends on a choice that was not made. */
  amount: number | null;
  /** The same for people; empty where there is none. */
  amountText: string;
  /** What the payment is for. */
  note: string;
  /** Another way to pay. */
  children?: ReactNode;
}

/** What to pay and where to; where nothing has been set up yet, it says that it will be announced. */
export function Payment({ fee, amount, amountText, note, children }: PaymentProps) {
  const { payment } = useSite();
  const tools = useFormTools();
  return (
    <div className={styles.payment} data-surface="lit">
      <p className={styles.fee}>{fee}</p>
      {payment.bank ? (
        <div>
          <h3 className={styles.title}>Bank transfer</h3>
          <dl>
            <Entry name="Account name" value={payment.bank.account_name} />
            <Entry name="Account number" value={payment.bank.account_number} />
            <Entry name="Bank" value={payment.bank.bank} />
            <Entry name="Branch" value={payment.bank.branch} />
            <Entry name="IFSC" value={payment.bank.ifsc} />
          </dl>
        </div>
      ) : (
        !payment.upi && <p className={styles.announced}>Payment details will be announced</p>
      )}
      {payment.upi && (
        <div>
          <h3 className={styles.title}>UPI</h3>
          <dl>
            <Entry name="UPI ID" value={payment.upi.id} />
            {payment.upi.payee && <Entry name="Payee" value={payment.upi.payee} />}
          </dl>
          {tools ? (
            <tools.UpiCode {...payment.upi} amount={amount} amountText={amountText} note={note} />
          ) : (
            <div className={upiStyles.placeholder} />
          )}
        </div>
      )}
      {children}
    </div>
  );
}

function Entry({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.entry}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Where to pay for a membership: the amount is that of the category which is chosen. */
export function DelegatePayment({ category }: { category: string }) {
  const { fees } = useSite();
  const chosen = fees.memberships.find(({ label }) => label === category);
  return (
    <Payment
      fee={
        chosen ? (
          <>
            {chosen.label}: {chosen.amount_text}
          </>
        ) : (
          'The fee of your category'
        )
      }
      amount={chosen?.amount ?? null}
      amountText={chosen?.amount_text ?? ''}
      note={chosen?.label ?? ''}
    />
  );
}

/** How film-makers pay who cannot pay in rupees. */
export function DollarPayment() {
  const { fees, contact } = useSite();
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
