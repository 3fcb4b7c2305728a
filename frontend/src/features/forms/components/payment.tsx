import type { ReactNode } from 'react';
import { useFormsFacts } from '../forms-facts';
import type { Draft } from '../model/draft-store';
import { useFormTools } from '../model/load-tools';
import styles from './payment.module.css';

interface PaymentProps {
  /** The fee as text. */
  fee: ReactNode;
  /** The fee in rupees; null while it depends on a choice that has not been made. */
  amount: number | null;
  /** The same as text; empty if there is none. */
  amountText: string;
  /** Purpose of the payment. */
  note: string;
  /** The draft: the payment code is derived from its seed. */
  draft: Draft;
  /** Whether to ask for the UTR. */
  utr?: boolean;
  /** Whether to ask for a discount code, if the festival has given some. */
  codes?: boolean;
  /** Another way to pay. */
  children?: ReactNode;
}

/** Amount and payment details; if none are set up yet, a note that they will be announced. */
export function Payment({ fee, children, utr, codes, ...code }: PaymentProps) {
  const { payment } = useFormsFacts();
  const tools = useFormTools();
  return (
    <div className={styles.payment} data-surface="lit">
      <p className={styles.fee}>{fee}</p>
      {payment.upi && (
        <div>
          <h3 className={styles.title}>UPI</h3>
          {tools ? (
            <tools.UpiCode {...payment.upi} {...code} />
          ) : (
            <>
              <dl>
                <Entry name="UPI ID" value={payment.upi.id} />
                {payment.upi.payee && <Entry name="Payee" value={payment.upi.payee} />}
              </dl>
              <div className={styles.placeholder} />
            </>
          )}
        </div>
      )}
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
      {children}
      {codes && tools ? <tools.FeeCodeField draft={code.draft} /> : null}
      {utr && tools ? <tools.UtrField draft={code.draft} /> : null}
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
