import { useEffect, useRef, useState } from 'react';
import { upiLink } from '../model/upi';
import styles from './upi-code.module.css';

interface UpiCodeProps {
  id: string;
  payee: string;
  /** Rupees; null: the code waits until the fee is known. */
  amount: number | null;
  /** The same for people. */
  amountText: string;
  note: string;
}

/** The QR code of a payment by UPI, with its picture to keep and, for the phone in the hand, a link to its app. */
export function UpiCode({ id, payee, amount, amountText, note }: UpiCodeProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [png, setPng] = useState('');
  const link = amount === null ? '' : upiLink({ id, payee, amount, note });

  useEffect(() => {
    if (!link) return;
    let address = '';
    let gone = false;
    void (async () => {
      const { drawCode } = await import('../model/draw-code');
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

  if (!link) return <p className={styles.placeholder}>Choose a category, and the QR code for its fee stands here.</p>;
  return (
    <div className={styles.code}>
      <canvas ref={canvas} className={styles.canvas} role="img" aria-label={`QR code: pay ${amountText} to ${id}`} />
      <div className={styles.actions}>
        <p>Scan it with any UPI app. It holds the amount of {amountText}.</p>
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
  );
}
