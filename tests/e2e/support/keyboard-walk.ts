import { expect, type Page } from '@playwright/test';

/** More tab stops than any page has: reaching this number means a keyboard trap. */
const MOST = 400;

/** The focused element, its focus indicator and its position; `null` outside of the page. */
function stop(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    // The first line of a wrapped link; a control drawn by its label is where the label is.
    const box = [...element.getClientRects()].find(({ width, height }) => width > 1 && height > 1) ?? element.getBoundingClientRect();
    const [x, y] = [(Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2, (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2];
    const top = document.elementFromPoint(x, y);
    /** A control may be drawn by its label or by an adjacent element. */
    const drawn = [element, element.nextElementSibling, element.closest('label'), element.parentElement, element.querySelector(':scope > *')];
    const marked = (part: Element | null) => {
      if (!part) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(part);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    const all = [...document.querySelectorAll('*')];
    return {
      what: `${element.tagName} ${element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent?.trim().slice(0, 40)}`,
      place: all.indexOf(element),
      inPage: element.closest('main') !== null,
      inFooter: element.closest('footer:not(main footer)') !== null,
      // A timetable is read by time, whatever the column.
      time: Number(element.closest('li[data-row]')?.getAttribute('data-row') ?? Number.NaN),
      left: box.left + scrollX,
      right: box.right + scrollX,
      top: box.top + scrollY,
      bottom: box.bottom + scrollY,
      // The browser's video controls have their own focus indicator.
      mark: element.tagName === 'VIDEO' || drawn.some(marked),
      inView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      uncovered: top !== null && (element.contains(top) || top.contains(element) || element.closest('label')?.contains(top) === true),
      hidden: element.closest('[aria-hidden="true"], [inert]') !== null,
    };
  });
}

/**
 * Walks through a page with the keyboard: every stop is visible and marked, the stops are in reading order, and none
 * follows the last one. Header and footer are the same on every page: only a `whole` page is walked from beginning to
 * end, others from the skip link to the footer's first stop.
 */
export async function walkByKeyboard(page: Page, whole: boolean): Promise<void> {
  const what: string[] = [];
  let before: Awaited<ReturnType<typeof stop>> = null;
  for (;;) {
    expect(what.length, `trapped: ${what.slice(-3).join(', ')}`).toBeLessThan(MOST);
    await page.keyboard.press('Tab');
    const at = await stop(page);
    if (!at) break;
    what.push(at.what);
    expect.soft(at, at.what).toMatchObject({ mark: true, inView: true, uncovered: true, hidden: false });
    // Video controls have several tab stops.
    if (before && before.place !== at.place) {
      expect.soft(at.place, `${before.what}, then ${at.what}`).toBeGreaterThan(before.place);
      // The focus moves up only to the next column, or to an item that is not earlier in a timetable.
      const back = !(at.time >= before.time) && before.inPage && at.inPage && at.bottom <= before.top && at.left < before.right - 1;
      expect.soft(back, `${before.what}, then up to ${at.what}`).toBe(false);
    }
    before = at;
    if (whole) continue;
    if (at.inFooter) break;
    if (what.length === 1) await page.getByRole('main').focus();
  }
  expect(what.length).toBeGreaterThan(whole ? 10 : 1);
  expect(before?.inFooter, 'the last stop lies in the footer').toBe(true);
}
