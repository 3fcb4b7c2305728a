import { type RefObject, useEffect, useRef, useState } from 'react';
import { useReducedMotion } from '@/shared/motion';
import { PauseButton } from '@/shared/ui/pause-button';
import { useHydrated } from '@/shared/use-hydrated';
import styles from './hero.module.css';

/** `waiting` for the page to load, `off` until the visitor starts it: in both nothing is fetched. */
type Phase = 'waiting' | 'off' | 'paused' | 'playing';

/**
 * The hero's film, after the page has loaded. Where the visitor saves data, has a slow connection or wants reduced
 * motion it is not fetched before its button is pressed. On a device that cannot keep up, it is paused until then.
 */
export function HeroVideo({ source }: { source: string | null | undefined }) {
  const reduced = useReducedMotion();
  // What the visitor wants is not known before.
  const hydrated = useHydrated();
  if (!source || !hydrated) return null;
  return <Film key={`${reduced}`} source={source} automatic={!reduced && !isDataScarce()} />;
}

function Film({ source, automatic }: { source: string; automatic: boolean }) {
  const video = useRef<HTMLVideoElement>(null);
  const [phase, setPhase] = useState<Phase>(automatic ? 'waiting' : 'off');
  const [asked, setAsked] = useState(false);

  useEffect(() => {
    if (!automatic) return;
    const start = () => setPhase('paused');
    if (document.readyState === 'complete') start();
    else addEventListener('load', start, { once: true });
    return () => removeEventListener('load', start);
  }, [automatic]);

  useOverload(video, phase === 'playing' && !asked, () => video.current?.pause());

  if (phase === 'waiting') return null;
  const toggle = () => {
    setAsked(true);
    // Its own attribute starts it.
    if (phase === 'off') setPhase('paused');
    else if (phase === 'playing') video.current?.pause();
    else void video.current?.play();
  };
  return (
    <>
      {phase !== 'off' && (
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
          // Browsers start and stop it, too: in a window that shows it, to save power.
          onPlay={() => setPhase('playing')}
          onPause={() => setPhase('paused')}
        />
      )}
      <div className={styles.pause}>
        <PauseButton rotation={{ paused: phase !== 'playing', toggle }} label="Film in the background" always />
      </div>
    </>
  );
}

/** Whether the visitor wants to save data, or has a connection on which a film would delay everything else. */
function isDataScarce(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  const isSlow = connection?.effectiveType !== undefined && connection.effectiveType !== '4g';
  return connection?.saveData === true || isSlow || matchMedia('(prefers-reduced-data: reduce)').matches;
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
