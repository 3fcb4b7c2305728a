import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { type Site, start } from './program.ts';
import { Watch } from './watch.ts';

export { expect };
export type { Page, Site };

/** The modules that can be disabled. */
export const modules = ['festivals', 'films', 'content', 'forms', 'magazines', 'programme'] as const;

/** The modules to disable together with one: the programme refers to films, the selection to forms; neither is enabled without. */
export function switchedOff(module: string): string[] {
  if (module === 'films') return ['films', 'programme'];
  return module === 'forms' ? ['forms', 'selection'] : [module];
}

/** A seed of support/prepare.ts, or the demonstration without a module. */
export type SiteName = 'demo' | 'exact' | 'hard' | 'empty' | 'bare' | 'events-1' | 'events-2' | `without-${(typeof modules)[number]}`;

/** Names that break careless pages, for the site with hard data. */
const hardNames = {
  FESTIVAL_PRODUCT__NAME: `"Lamp" & 'Light' {{z}}`,
  FESTIVAL_PRODUCT__FULL_NAME: '</script><script>alert(1)</script> {{{z}}} <img src=x onerror=alert(1)>',
  FESTIVAL_PRODUCT__TAGLINE: 'വെളിച്ചം – ചലച്ചിത്രമേളയുടെ ഇരുപത് വർഷങ്ങൾ',
};

function launch(name: SiteName): Promise<Site> {
  const filled = process.env.FESTIVAL_TEST_FILLED;
  if (!filled) throw new Error('support/prepare.ts has not run');
  const off = name.startsWith('without-') ? name.slice('without-'.length) : null;
  const switched = off ? switchedOff(off) : [];
  const environment = switched.map((module) => [`FESTIVAL_MODULES__${module.toUpperCase()}__ENABLED`, 'false']);
  if (off) return start(join(filled, 'demo'), Object.fromEntries(environment));
  return start(join(filled, name), name === 'hard' ? hardNames : {});
}

interface WorkerFixtures {
  /** A server with these data, started on the first call and shared by the worker's tests, which only read. */
  siteOf: (name: SiteName) => Promise<Site>;
}

interface TestFixtures {
  /** The server with the demonstration. */
  site: Site;
  /** Collects problems of the page; unexpected ones fail the test. */
  watch: Watch;
}

/** Playwright's test with festival servers. */
export const sites = base.extend<Pick<TestFixtures, 'site'>, WorkerFixtures>({
  siteOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters
    async ({}, use) => {
      const running = new Map<SiteName, Promise<Site>>();
      await use((name) => {
        const site = running.get(name) ?? launch(name);
        running.set(name, site);
        return site;
      });
      for (const site of running.values()) await (await site).stop();
    },
    { scope: 'worker' },
  ],
  site: async ({ siteOf }, use) => use(await siteOf('demo')),
});

/** A test in Chromium that fails if its page complains. */
export const test = sites.extend<Pick<TestFixtures, 'watch'>>({
  watch: [
    async ({ page }, use) => {
      const watch = new Watch(page);
      await watch.begin();
      await use(watch);
      expect(watch.complaints(), 'what the page complained about').toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens a page and waits for hydration. */
export async function open(page: Page, address: string) {
  const response = await page.goto(address, { waitUntil: 'load' });
  await hydrated(page);
  return response;
}

/** Waits for hydration, which makes the opener of the menu a button. */
export async function hydrated(page: Page) {
  await expect(page.locator('header button[aria-haspopup="dialog"]')).toBeAttached();
}

/** Leaves a page, which may still be loading something, and stops its server. */
export async function leave(page: Page, site: Pick<Site, 'stop'>) {
  await page.goto('about:blank');
  await site.stop();
}

/** Follows a link by client-side navigation. */
export async function follow(page: Page, path: string) {
  await page.evaluate((path) => {
    const link = document.createElement('a');
    link.href = path;
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
}

/** Holds the requests to these addresses until the returned function is called. */
export async function holdRequests(page: Page, addresses: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
