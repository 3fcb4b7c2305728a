import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Less than half as long as what is sent to every page otherwise. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Analyses a page with axe. There are no cross-origin frames, so axe need not open a second page (legacy mode). Only
 * violations are reported in full: transferring all passing elements with their HTML took longer than the analysis.
 */
export function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page, axeSource }).setLegacyMode(true).options({ resultTypes: ['violations'] });
}

/**
 * Accessibility violations at the first of these widths, and horizontal overflow at each; without any, in the window as
 * it is. The markup is the same at every width except for the menu of narrow windows, and axe is slow.
 */
export async function faults(page: Page, ...widths: number[]): Promise<string[]> {
  const resize = (width: number) => page.setViewportSize({ width, height: 900 });
  const [first, ...others] = widths;
  if (first) await resize(first);
  const { violations } = await axe(page).analyze();
  const problems = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  problems.push(...(await overflow(page)));
  for (const width of others) {
    await resize(width);
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
