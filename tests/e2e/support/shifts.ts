import type { Page } from '@playwright/test';

/** Layout shifts since the page was opened, or since `restart`. */
export interface Shifts {
  /** Counts from now on, once the visible text has its typefaces: they may load before or after the first paint. */
  restart(): Promise<void>;
  /** Cumulative layout shift: the worst session window of at most five seconds with gaps below one second. */
  seen(): Promise<{
    score: number;
    /** The same, counted from the time when the web fonts of the first view have loaded. */
    settled: number;
    moved: string[];
  }>;
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Element | null }[];
}

/** Observes layout shifts; call it before opening the page. */
export async function watchShifts(page: Page): Promise<Shifts> {
  await page.addInitScript(() => {
    const found: { at: number; value: number; moved: string[] }[] = [];
    Object.assign(window, { shifts: found, countedFrom: 0, facesAt: Number.POSITIVE_INFINITY });
    addEventListener('load', async () => {
      await document.fonts.ready;
      // The shifts that fonts cause are rendered in the next frame.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => Object.assign(window, { facesAt: performance.now() })),
      );
    });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map(({ node }) => `${node?.nodeName}.${node?.className} ${entry.value.toFixed(4)}`);
        found.push({ at: entry.startTime, value: entry.value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return {
    restart: () =>
      page.evaluate(async () => {
        await document.fonts.ready;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        Object.assign(window, { countedFrom: performance.now() });
      }),
    seen: () =>
      page.evaluate(() => {
        type Seen = { at: number; value: number; moved: string[] }[];
        const { shifts: all, countedFrom, facesAt } = window as unknown as Record<'countedFrom' | 'facesAt', number> & { shifts: Seen };
        const shifts = all.filter(({ at }) => at > countedFrom);
        const worst = (some: Seen) => {
          let [score, burst, begun, last] = [0, 0, 0, 0];
          for (const { at, value } of some) {
            if (at - last > 1000 || at - begun > 5000) [burst, begun] = [0, at];
            burst += value;
            last = at;
            score = Math.max(score, burst);
          }
          return score;
        };
        const settled = worst(shifts.filter(({ at }) => at > facesAt));
        return { score: worst(shifts), settled, moved: shifts.flatMap(({ moved }) => moved) };
      }),
  };
}
