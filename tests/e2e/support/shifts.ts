import type { Page } from '@playwright/test';

/** What moved under the reader's eyes since the page began. */
export interface Shifts {
  /** The browser's own measure: the worst burst of at most five seconds, without a second's rest in it. */
  seen(): Promise<{
    score: number;
    /** The same without what moved before the typefaces of the first view were there. */
    settled: number;
    moved: string[];
  }>;
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Element | null }[];
}

/** Watches for layout shifts from the first paint on; call it before the page is opened. */
export async function watchShifts(page: Page): Promise<Shifts> {
  await page.addInitScript(() => {
    const found: { at: number; value: number; moved: string[] }[] = [];
    Object.assign(window, { shifts: found, facesAt: Number.POSITIVE_INFINITY });
    addEventListener('load', async () => {
      await document.fonts.ready;
      // What they move is drawn in the next frame.
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
    seen: () =>
      page.evaluate(() => {
        type Seen = { at: number; value: number; moved: string[] }[];
        const { shifts, facesAt } = window as unknown as { shifts: Seen; facesAt: number };
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
