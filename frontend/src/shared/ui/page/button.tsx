import type { AnchorHTMLAttributes } from 'react';
import styles from './button.module.css';

interface ButtonProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  kind?: 'strong' | 'quiet';
}

/** A link that is a call to action. */
export function Button({ kind = 'strong', children, ...link }: ButtonProps) {
  return (
    <a className={styles.button} data-kind={kind} {...link}>
      {children}
    </a>
  );
}
