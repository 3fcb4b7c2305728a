import { expect, type Locator, type Page } from '@playwright/test';

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator, key = 'Tab') {
  for (let presses = 0; presses < 150; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error('the keyboard does not reach it');
}

/** Tabs forwards and backwards and expects the focus to stay in the open dialog. */
export async function expectTrapped(page: Page) {
  await expect(page.getByRole('dialog')).toBeVisible();
  const stops = await page.getByRole('dialog').locator('a, button, input, select, summary').count();
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let presses = 0; presses < Math.min(stops + 4, 40); presses++) {
      await page.keyboard.press(key);
      const outside = await page.evaluate(() => {
        const at = document.activeElement;
        // The browser's own controls come between the last and the first tab stop.
        return at !== document.body && at?.closest('dialog') === null ? at?.outerHTML.slice(0, 80) : null;
      });
      expect(outside, `${key}, press ${presses}`).toBeNull();
    }
  }
}
