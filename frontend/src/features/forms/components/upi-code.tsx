import { useEffect, useRef, useState } from 'react';
import type { Draft } from '../model/draft-store';
import { paymentCode } from '../model/payment-code';
import { upiLink } from '../model/upi';
import { CopyButton } from './copy-button';
import payment from './payment.module.css';
import styles from './upi-code.module.css';

interface UpiCodeProps {
  id: string;
  payee: string;
  /** Rupees; null: the code waits until the fee is known. */
  amount: number | null;
  /** The same as text. */
  amountText: string;
  note: string;
  draft: Draft;
}

/** Amount in rupees above which some payees cannot be paid by a picture from the gallery. */
const GALLERY_LIMIT = 2_000;

/**
 * A payment by UPI: the values to type into the app, each with a button to copy it, then the QR code with its picture
 * to save and, on a phone, a link to its app.
 */
export function UpiCode({ id, payee, amount, amountText, note, draft }: UpiCodeProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [png, setPng] = useState('');
  const code = paymentCode(draft.seed);
  const link = amount === null ? '' : upiLink({ id, payee, amount, note: `${code} ${note}` });

  useEffect(() => {
    if (!link) return;
    let address = '';
    let gone = false;
    void (async () => {
      const { drawCode } = await import('../model/draw-qr-code');
      if (gone || !canvas.current) return;
      drawCode(canvas.current, link);
      canvas.current.toBlob((blob) => {
        if (gone || !blob) return;
        address = URL.createObjectURL(blob);
        setPng(address);
      });
    })();
    return () => {
      gone = true;
      setPng('');
      if (address) URL.revokeObjectURL(address);
    };
  }, [link]);

  return (
    <>
      <Value name="UPI ID" text={id} />
      {payee && <Value name="Payee" text={payee} />}
      {amount !== null && <Value name="Amount in rupees" text={String(amount)} />}
      <Value name="Note of the payment" text={code} />
      <p className={styles.why}>
        <b>{code}</b> is your payment code. Write it into the note of the payment, also of a bank transfer: by it we
        find your payment.
      </p>
      {link ? (
        <div className={styles.code}>
          <canvas
            ref={canvas}
            className={styles.canvas}
            role="img"
            aria-label={`QR code: pay ${amountText} to ${id}`}
          />
          <div className={styles.actions}>
            <p>Scan it with any UPI app. It holds the amount of {amountText} and your payment code.</p>
            {amount !== null && amount > GALLERY_LIMIT ? (
              <p>
                Some apps take no more than ₹2,000 from a QR code that is opened as a picture from the gallery. Then
                scan it from another screen, or type the UPI ID and the amount.
              </p>
            ) : null}
            <a href={link} className={styles.action}>
              Open a UPI app
            </a>
            {png ? (
              <a href={png} download={`payment-${amount}-rupees.png`} className={styles.action}>
                Download the QR code
              </a>
            ) : null}
          </div>
        </div>
      ) : (
        <p className={payment.placeholder}>Choose a category, and the QR code for its fee stands here.</p>
      )}
    </>
  );
}

function Value({ name, text }: { name: string; text: string }) {
  return (
    <div className={styles.value}>
      <dl>
        <div>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      </dl>
      <CopyButton name={name} text={text} />
    </div>
  );
}
