import { useEffect, useRef, useState } from 'react';
import { useReducedMotion } from '@/shared/motion';
import { PauseButton } from '@/shared/ui/pause-button';
import styles from './hero.module.css';

/** The hero's film: only in wide windows, only after the page has loaded, and not where data or motion are to be saved. */
export function HeroVideo({ source }: { source: string | null | undefined }) {
  const video = useRef<HTMLVideoElement>(null);
  const [wanted, setWanted] = useState(false);
  const [paused, setPaused] = useState(false);
  const reduced = useReducedMotion();

  useEffect(() => {
    const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
    if (reduced || connection?.saveData || !matchMedia('(min-width: 48.01rem)').matches) {
      return;
    }
    const start = () => setWanted(true);
    if (document.readyState === 'complete') start();
    else addEventListener('load', start, { once: true });
    return () => removeEventListener('load', start);
  }, [reduced]);

  if (!wanted || reduced || !source) return null;
  const toggle = () => {
    if (paused) void video.current?.play();
    else video.current?.pause();
    setPaused(!paused);
  };
  return (
    <>
      <video
        ref={video}
        className={styles.video}
        src={source}
        autoPlay
        muted
        loop
        playsInline
        aria-hidden="true"
        tabIndex={-1}
      />
      <div className={styles.pause}>
        <PauseButton rotation={{ paused, toggle }} label="Film in the background" />
      </div>
    </>
  );
}
