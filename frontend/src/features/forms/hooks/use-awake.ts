import { useEffect } from 'react';

/** Keeps the screen awake while something is in progress: a phone that falls asleep may cut the connection. */
export function useAwake(active: boolean): void {
  useEffect(() => {
    if (!active || !navigator.wakeLock) return;
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const ask = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        const given = await navigator.wakeLock.request('screen');
        if (over) void given.release();
        else lock = given;
      } catch {
        // The device refuses: a low battery, a setting.
      }
    };
    void ask();
    // The browser releases the lock while the page is hidden.
    document.addEventListener('visibilitychange', ask);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, [active]);
}
