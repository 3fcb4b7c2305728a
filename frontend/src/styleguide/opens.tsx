import { type ReactNode, useState } from 'react';
import styles from './guide.module.css';

/** A button that shows what lies over the page. */
export function Opens({ name, children }: { name: string; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.open} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {name}
      </button>
      {open ? children(() => setOpen(false)) : null}
    </>
  );
}
