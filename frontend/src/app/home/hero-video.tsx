import { type RefObject, useEffect, useRef, useState } from 'react';
import { useReducedMotion } from '@/shared/motion';
import { PauseButton } from '@/shared/ui/pause-button';
import styles from './hero.module.css';

/**
 * The hero's film: only in wide windows, only after the page has loaded, and not if the visitor wants to save data or
 * reduce motion. On a device that cannot keep up, it is paused until the visitor starts it.
 */
export function HeroVideo({ source }: { source: string | null | undefined }) {
  const video = useRef<HTMLVideoElement>(null);
  const [wanted, setWanted] = useState(false);
  const [paused, setPaused] = useState(false);
  const [asked, setAsked] = useState(false);
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

  const shown = wanted && !reduced && source;
  useOverload(video, Boolean(shown) && !paused && !asked, () => {
    video.current?.pause();
    setPaused(true);
  });

  if (!shown) return null;
  const toggle = () => {
    setAsked(true);
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

/** Share of dropped frames above which the film makes everything else on the page stutter as well. */
const MOST_DROPPED = 1 / 3;

/**
 * How often the frames are counted, in milliseconds, and how many counts in a row have to be too low: one may be a
 * hitch.
 */
const COUNT_MS = 2_000;
const TIMES = 2;

/** Reports when a device drops too many frames of a film, while it is `watched`. */
function useOverload(video: RefObject<HTMLVideoElement | null>, watched: boolean, onOverload: () => void): void {
  const report = useRef(onOverload);
  useEffect(() => {
    report.current = onOverload;
  });

  useEffect(() => {
    const film = video.current;
    if (!film || !watched) return;
    let before = film.getVideoPlaybackQuality();
    let times = 0;
    const timer = setInterval(() => {
      const now = film.getVideoPlaybackQuality();
      const frames = now.totalVideoFrames - before.totalVideoFrames;
      const dropped = now.droppedVideoFrames - before.droppedVideoFrames;
      before = now;
      times = dropped > frames * MOST_DROPPED ? times + 1 : 0;
      if (times === TIMES) report.current();
    }, COUNT_MS);
    return () => clearInterval(timer);
  }, [video, watched]);
}
