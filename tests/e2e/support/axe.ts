import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Looks at a page with axe. No frame of another origin lies in ours: axe need not open a second page to judge them all.
 * Only what is wrong is answered in full: every element that is right, with its HTML, took longer on the control wire than
 * the looking.
 */
export function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
}
