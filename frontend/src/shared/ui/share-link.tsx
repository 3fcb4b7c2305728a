import { useState } from 'react';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './share-link.module.css';

interface ShareLinkProps {
  /** The path of the shared page, with its query. */
  path: string;
  title: string;
  /** Kind of the shared thing, in a word. */
  what: string;
}

/** Shares the address with the device's own dialog, if there is one; otherwise copies it and says so. */
export function ShareLink({ path, title, what }: ShareLinkProps) {
  const hydrated = useHydrated();
  const [said, setSaid] = useState('');
  // Without scripts the browser's address bar has to do.
  if (!hydrated) return null;

  const share = async () => {
    const url = location.origin + path;
    setSaid('');
    if (canShare()) {
      // Closing the device's dialog without choosing anything is no failure.
      await navigator.share({ title, url }).catch(() => {});
      return;
    }
    setSaid((await copy(url)) ? 'Link copied' : `The link is ${url}`);
  };

  return (
    <div className={styles.share}>
      <button type="button" className={styles.button} onClick={() => void share()}>
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <path d="M3 12v6h14v-6M10 13V2M5.5 6.5 10 2l4.5 4.5" fill="none" stroke="currentColor" strokeWidth="2.5" />
        </svg>
        <span className={styles.label}>{canShare() ? `Share this ${what}` : 'Copy link'}</span>
      </button>
      <span role="status" className={styles.status}>
        {said}
      </span>
    </div>
  );
}

/** Sharing by the device itself, which is what people know on phones. */
function canShare(): boolean {
  return typeof navigator.share === 'function';
}

async function copy(text: string): Promise<boolean> {
  try {
    // Missing if the site has no https.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
