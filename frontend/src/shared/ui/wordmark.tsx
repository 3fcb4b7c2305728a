import type { Ref } from 'react';
import { useSite } from '@/shared/api';
import styles from './wordmark.module.css';

/**
 * The festival's name as a beam throws it: small at the projector, large where it lands. Any name fills the box; screen
 * readers read the text next to it.
 */
export function Wordmark({ className = '', ref }: { className?: string; ref?: Ref<HTMLSpanElement> }) {
  const { product } = useSite();
  return (
    <span ref={ref} className={`${styles.wordmark} ${className}`} aria-hidden="true">
      <svg viewBox="0 0 500 100" preserveAspectRatio="none" className={styles.plane} aria-hidden="true">
        <text x="0" y="100" textLength="505" lengthAdjust="spacingAndGlyphs" className={styles.name}>
          {product.name}
        </text>
      </svg>
    </span>
  );
}
