import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Analyses a page with axe. There are no cross-origin frames, so axe need not open a second page (legacy mode). Only
 * violations are reported in full: transferring all passing elements with their HTML took longer than the analysis.
 */
export function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
}
