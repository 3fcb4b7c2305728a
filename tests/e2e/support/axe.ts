import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Analyses a page with axe. There are no cross-origin frames, so axe need not open a second page (legacy mode). Only
 * violations are reported in full: transferring all passing elements with their HTML took longer than the analysis.
 */
export function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
}

/** Accessibility violations and horizontal overflow at each of these widths; without one, in the window as it is. */
export async function faults(page: Page, ...widths: number[]): Promise<string[]> {
  const problems: string[] = [];
  for (const width of widths.length > 0 ? widths : [page.viewportSize()?.width ?? 0]) {
    if (widths.length > 0) await page.setViewportSize({ width, height: 900 });
    const { violations } = await axe(page).analyze();
    problems.push(...violations.map(({ id, nodes }) => `${id} at ${width}: ${nodes[0]?.html}`));
    problems.push(...(await overflow(page)));
  }
  return problems;
}

/** By how much the page is wider than the window, if it is. */
export async function overflow(page: Page): Promise<string[]> {
  const [wide, width] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth - clientWidth, clientWidth];
  });
  return wide > 0 ? [`${wide} px too wide at ${width}`] : [];
}
