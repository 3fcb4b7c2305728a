import type { ReactNode } from 'react';
import { useSite } from '@/shared/api';
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
