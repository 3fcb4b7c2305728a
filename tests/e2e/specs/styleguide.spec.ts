import { axe } from '../support/axe.ts';
import { startGuide } from '../support/guide.ts';
import { expect, type Page, test } from '../support/test.ts';

/** The guide includes a text that does not exist. */
const failedCall = [/pages\/not-there/, /status of 404/, /Reduced Motion/];

test.describe('the style guide', () => {
  // All tests share one development server; the first visit builds its dependencies.
  test.describe.configure({ mode: 'default' });
  let guide: Awaited<ReturnType<typeof startGuide>>;
  test.beforeAll(async () => {
    guide = await startGuide();
  });
  test.afterAll(() => guide?.stop());

  async function show(page: Page, motion: 'reduce' | 'no-preference' = 'reduce') {
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto(guide.url);
    await expect(page.locator('#LeaveQuestion button')).toBeVisible();
    // Pictures and carousels load near the window.
    await page.evaluate(async () => {
      for (let y = 0; y < document.body.scrollHeight; y += 800) {
        scrollTo(0, y);
        await new Promise((done) => setTimeout(done, 20));
      }
      scrollTo(0, 0);
    });
    await page.waitForLoadState('networkidle');
  }

  test('the style guide passes automated accessibility checks', async ({ page, watch }) => {
    watch.expect(...failedCall);
    await show(page);
    expect(await faults(page)).toEqual([]);
    // Contrast of every colour pair, checked by the guide itself.
    await expect(page.locator('[data-enough]')).toHaveCount(3 * 9);
    await expect(page.locator('[data-enough="false"]')).toHaveCount(0);
  });

  test('the style guide fits a narrow window with large text and with wide spacing', async ({ page, watch }) => {
    watch.expect(...failedCall);
    await page.setViewportSize({ width: 320, height: 800 });
    await show(page);
    expect(await sideways(page), 'at 320').toEqual([]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect(await sideways(page), 'with text at 200 %').toEqual([]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '';
      const style = document.createElement('style');
      style.textContent = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
        p { margin-block-end: 2em !important }`;
      document.head.append(style);
    });
    expect(await sideways(page), 'with the spacing that readers may set').toEqual([]);
    expect(await cut(page), 'cut off').toEqual([]);
  });

  test('the style guide uses its own typefaces only', async ({ page, watch }) => {
    watch.expect(...failedCall);
    await show(page);
    await page.evaluate(() => document.fonts.ready);
    const session = await page.context().newCDPSession(page);
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument', { depth: 0 });
    const { nodeIds } = await session.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: '#Type dd, #Type [data-cut] p, #Malayalam [data-letters]',
    });
    expect(nodeIds.length).toBeGreaterThan(30);
    const strangers = new Set<string>();
    for (const nodeId of nodeIds) {
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
      for (const font of fonts) if (!font.isCustomFont) strangers.add(`${font.familyName} (${font.glyphCount})`);
    }
    expect([...strangers]).toEqual([]);
  });

  test('focus is visible on every background, and touch targets are large enough', async ({ page, watch }) => {
    watch.expect(...failedCall);
    await show(page, 'no-preference');
    const controls = page.locator('main :is(a[href], button, input, select, textarea, summary):visible:not(:disabled)');
    const faint = await controls.evaluateAll(async (elements) => {
      const found: string[] = [];
      for (const element of elements as HTMLElement[]) {
        const place = element.closest('section[id]')?.id ?? '';
        element.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
        if (document.activeElement !== element) continue;
        const shown = [element, element.nextElementSibling, element.parentElement].some(
          (one) => one && getComputedStyle(one).outlineStyle !== 'none' && Number.parseFloat(getComputedStyle(one).outlineWidth) >= 2,
        );
        if (!shown) found.push(`no outline: ${place} ${element.outerHTML.slice(0, 80)}`);
        // Exempt: links within text, and controls whose whole label or card is the target.
        if (element.closest('p, label, td, [lang] > p') || getComputedStyle(element, '::after').position === 'absolute') continue;
        const { width, height } = element.getBoundingClientRect();
        if (width < 24 || height < 43) found.push(`${Math.round(width)} x ${Math.round(height)}: ${place} ${element.outerHTML.slice(0, 80)}`);
      }
      return found;
    });
    expect(faint).toEqual([]);
  });

  test('overlays of the style guide open and return the focus', async ({ page, watch }) => {
    watch.expect(...failedCall);
    await show(page);
    const openers = page.locator('section:not(#PictureButton) > [data-state] [data-surface]:first-child > button[aria-haspopup="dialog"]');
    const count = await openers.count();
    expect(count).toBeGreaterThan(8);
    for (let index = 0; index < count; index++) {
      const opener = openers.nth(index);
      await opener.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog).toBeVisible();
      expect(await faults(page, 'dialog'), (await opener.textContent()) ?? '').toEqual([]);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
    }
  });

  test('the style guide is not part of the program', async ({ request, site }) => {
    expect((await request.get(`${site.url}/styleguide`, { headers: { accept: 'text/html' } })).status()).toBe(404);
  });
});

async function faults(page: Page, part?: string) {
  // The guide repeats landmarks.
  const builder = axe(page).disableRules('landmark-unique');
  if (part) builder.include(part);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Elements that overflow the window, except within scrolling frames such as carousels and tables. */
function sideways(page: Page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    /** Whether an ancestor scrolls horizontally. */
    const inStrip = (element: Element | null): boolean =>
      element !== null && element !== document.body && (getComputedStyle(element).overflowX === 'auto' || inStrip(element.parentElement));
    return [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => {
        const { right, left, width: own } = element.getBoundingClientRect();
        return own > 1 && (right > width + 1 || left < -1) && !element.closest('[aria-roledescription="carousel"], svg, table *') && !inStrip(element.parentElement);
      })
      .slice(0, 8)
      .map((element) => `${element.closest('section[id]')?.id}: ${element.outerHTML.slice(0, 80)}`);
  });
}

/** Clipped text. Generated posters are exempt: their text is repeated next to them. */
function cut(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *:not([data-drawn], [data-drawn] *)')]
      .filter((element) => {
        const { overflowY, position, webkitLineClamp } = getComputedStyle(element);
        if (overflowY === 'visible' || overflowY === 'auto' || position === 'absolute' || webkitLineClamp !== 'none') return false;
        return element.innerText?.trim() !== '' && element.scrollHeight > element.clientHeight + 2;
      })
      .slice(0, 8)
      .map((element) => `${element.closest('section[id]')?.id}: ${element.outerHTML.slice(0, 80)}`),
  );
}
