import { useState } from 'react';
import styles from './upi-code.module.css';

interface CopyButtonProps {
  /** Name of the copied text, for people. */
  name: string;
  text: string;
}

/** Copies a text. If the browser does not allow it, the text can still be selected. */
export function CopyButton({ name, text }: CopyButtonProps) {
  /** The text that was last copied, or failed to be. */
  const [done, setDone] = useState({ text: '', copied: false });

  const copy = async (button: HTMLElement) => {
    // The text is used elsewhere: storing the draft makes sure that the payment code stays the same.
    button.dispatchEvent(new Event('input', { bubbles: true }));
    try {
      await navigator.clipboard.writeText(text);
      setDone({ text, copied: true });
    } catch {
      setDone({ text, copied: false });
    }
  };

  return (
    <>
      <button
        type="button"
        className={styles.copy}
        aria-label={`Copy: ${name}`}
        onClick={(event) => void copy(event.currentTarget)}
      >
        Copy
      </button>
      <span className={styles.announcement} role="status">
        {done.text !== text ? '' : done.copied ? 'Copied' : 'Your browser does not copy: select it'}
      </span>
    </>
  );
}
