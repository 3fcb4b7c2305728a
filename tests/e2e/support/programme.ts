import type { Page } from '@playwright/test';

/** The released programme, as the API returns it. */
export interface Released {
  days: string[];
  films: { id: number; title: string }[];
  screenings: { id: number; day: string; title: string; cancelled: boolean; change: { kind: string } | null }[];
}

/** The screenings that the page lists. */
export const items = (page: Page) => page.locator('main ol > li');
