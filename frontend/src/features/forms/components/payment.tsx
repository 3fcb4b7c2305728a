import type { ReactNode } from 'react';
import { useSite } from '@/shared/api';
import { When } from '@/shared/template';
import styles from './payment.module.css';
import { UpiCode } from './upi-code';

interface PaymentProps {
  /** The fee, in words. */
  fee: ReactNode;
  /** The fee in rupees; null while it depends on a choice that was not made. */
  amount: number | null;
  /** What the payment is for. */
  note: string;
}

/** What to pay and where to; where nothing has been set up yet, it says that it will be announced. */
export function Payment({ fee, amount, note }: PaymentProps) {
  const { payment } = useSite();
  return (
    <div className={styles.payment} data-ground="lit">
      <p className={styles.fee}>{fee}</p>
      <When
        value={payment.bank}
        otherwise={
          <When value={payment.upi} otherwise={<p className={styles.announced}>Payment details will be announced</p>}>
            {null}
          </When>
        }
      >
        {(bank) => (
          <div>
            <h3 className={styles.title}>Bank transfer</h3>
            <dl>
              <Entry name="Account name" value={bank.account_name} />
              <Entry name="Account number" value={bank.account_number} />
              <Entry name="Bank" value={bank.bank} />
              <Entry name="Branch" value={bank.branch} />
              <Entry name="IFSC" value={bank.ifsc} />
            </dl>
          </div>
        )}
      </When>
      <When value={payment.upi}>
        {(upi) => (
          <div>
            <h3 className={styles.title}>UPI</h3>
            <dl>
              <Entry name="UPI ID" value={upi.id} />
              <When value={upi.payee}>{(payee) => <Entry name="Payee" value={payee} />}</When>
            </dl>
            <UpiCode id={upi.id} payee={upi.payee} amount={amount} note={note} />
          </div>
        )}
      </When>
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
