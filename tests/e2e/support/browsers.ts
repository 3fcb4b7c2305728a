import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './program.ts';
import { sites } from './test.ts';
import { Browser, type BrowserName } from './webdriver.ts';


/** A test in Firefox or WebKit; skipped where the browser is neither installed nor can be. `make browsers` requires it. */
export const test = sites.extend<{ start: (isPrivate?: boolean) => Promise<Browser>; web: Browser; engine: BrowserName }>({
  engine: ['firefox', { option: true }],
  start: async ({ engine }, use, info) => {
    const program = programOf(engine);
    info.skip(program === null, `${engine} is not installed`);
    const [folder, running] = [await temporaryFolder(), [] as Browser[]];
    await use(async (isPrivate) => {
      const browser = await Browser.start(engine, program ?? '', join(folder, `${running.length}`), isPrivate);
      running.push(browser);
      await browser.size(1280, 900);
      return browser;
    });
    for (const browser of running) await browser.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  web: async ({ start }, use, info) => {
    const browser = await start();
    await use(browser);
    if (info.status !== info.expectedStatus) await browser.screenshot(info.outputPath('failed.png')).catch(() => {});
  },
});

function programOf(engine: BrowserName): string | null {
  try {
    return execFileSync(join(import.meta.dirname, 'browser.sh'), [engine], { encoding: 'utf8' }).trim();
  } catch (error) {
    if (process.env.FESTIVAL_BROWSERS) throw error;
    return null;
  }
}

/** Opens a page and waits for hydration, which makes the opener of the menu a button. */
export async function open(browser: Browser, address: string): Promise<void> {
  await browser.open(address);
  await browser.until(() => document.querySelector('header button[aria-haspopup="dialog"]') !== null);
}
