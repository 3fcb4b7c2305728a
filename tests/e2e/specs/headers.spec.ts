import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Front } from '../support/front.ts';
import { type Site, start } from '../support/program.ts';
import { addressOf, routes } from '../support/routes.ts';
import { alive, expect, follow, test as base } from '../support/test.ts';

interface Judgement {
  grade: string;
  score: number;
  status: number;
  results: { name: string; result: string; pass: boolean; modifier: number }[];
}

/** The demonstration behind a proxy with TLS, with a dashboard to frame. */
interface Secured {
  front: Front;
  site: Site;
  url: string;
}

const test = base.extend<{ secured: Secured }>({
  ignoreHTTPSErrors: true,
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters
  secured: async ({}, use) => {
    const front = await Front.open();
    const url = `https://localhost:${front.httpsPort}`;
    const dashboard = `https://127.0.0.1:${front.httpsPort}`;
    front.foreign['/dashboard'] = '<!doctype html><title>Numbers</title><p>Twenty visitors';
    const site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'), {
      FESTIVAL_PUBLIC_URL: url,
      FESTIVAL_TRUSTED_PROXIES: '["127.0.0.1"]',
      FESTIVAL_FRONTEND__FRAME_HOSTS: `["${dashboard}"]`,
      FESTIVAL_ANALYTICS__FRAME: `${dashboard}/dashboard`,
    });
    front.target = site.url;
    await use({ front, site, url });
    await site.stop();
    await front.close();
  },
});

/** What Mozilla's Observatory says. */
async function judge(front: Front): Promise<Judgement> {
  const script = join(import.meta.dirname, '../support/observatory.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, 'localhost', String(front.httpPort), String(front.httpsPort)],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: front.certificate } },
  );
  return JSON.parse(stdout);
}

test("Mozilla's Observatory gives an A+, and sees what is missing", async ({ secured: { front } }) => {
  const good = await judge(front);
  expect(good.results.filter(({ pass }) => !pass)).toEqual([]);
  expect(good.status).toBe(200);
  expect(good.grade).toBe('A+');
  expect(good.score).toBeGreaterThanOrEqual(115);
  const result = (of: Judgement, name: string) => of.results.find((one) => one.name === name)?.result;
  expect(result(good, 'redirection')).toBe('redirection-to-https');
  expect(result(good, 'content-security-policy')).toBe('csp-implemented-with-no-unsafe-default-src-none');

  front.change = (headers) => {
    headers['content-security-policy'] = String(headers['content-security-policy']).replace(
      "script-src 'self'",
      "script-src 'self' 'unsafe-inline'",
    );
  };
  const unsafe = await judge(front);
  expect(result(unsafe, 'content-security-policy')).toBe('csp-implemented-with-unsafe-inline');
  expect(unsafe.score).toBeLessThanOrEqual(80);

  front.change = (headers) => delete headers['strict-transport-security'];
  expect((await judge(front)).grade).not.toBe('A+');
});

test('who types http:// arrives at the same page by https, once, and nothing on it is loaded in the clear', async ({
  page,
  secured: { front, site, url },
  watch,
}) => {
  // The watch knows 127.0.0.1 as the site; here it is called by its name.
  watch.expect(/^third party: https:\/\/localhost:/, /^third party: http:\/\/localhost:/, /status 404.*\/no\/such\/page/);
  watch.expect(/Failed to load resource.*404/);
  for (const route of routes) {
    const path = new URL(await addressOf(route.path, site)).pathname;
    const answer = await page.goto(`http://localhost:${front.httpPort}${path}`);
    expect(answer?.url()).toBe(url + path);
    expect(answer?.status()).toBe(route.status ?? 200);
    const hops = [];
    for (let from = answer?.request().redirectedFrom(); from; from = from.redirectedFrom()) hops.push(from.url());
    expect(hops).toHaveLength(1);
    // Its scripts come after its first paint.
    await alive(page);
  }
  const inTheClear = watch.requests.filter(({ url, kind }) => url.startsWith('http:') && kind !== 'document');
  expect(inTheClear).toEqual([]);
  // The icon is asked for last; the site is about to stop.
  await page.goto('about:blank');
});

test('the page with the dashboard comes with a policy of its own, also by a link', async ({ page, secured: { url }, watch }) => {
  watch.expect(/^third party: https:\/\/localhost:/);
  await page.goto(url);
  await alive(page);
  const loaded = page.waitForRequest((request) => request.isNavigationRequest() && request.frame() === page.mainFrame());
  await follow(page, '/analytics-ga4-view-via-looker');
  expect(new URL((await loaded).url()).pathname).toBe('/analytics-ga4-view-via-looker');
  const frame = page.getByTitle('Analytics dashboard');
  await frame.scrollIntoViewIfNeeded();
  await expect(frame.contentFrame().getByText('Twenty visitors')).toBeVisible();
});

test('a browser reads why a form was refused, also where nobody read the form', async ({ page, watch }) => {
  watch.expect(/^status 4(13|29): .*\/api\/changed\/$/, /Failed to load resource.*(413|429)/);
  const site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'), {
    FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: '1',
  });
  await page.goto(`${site.url}/privacy-and-terms`);
  const answers = await page.evaluate(async () => {
    const form = new FormData();
    form.append('film_poster', new Blob([new Uint8Array(20 << 20)]), 'poster.jpg');
    const said: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const answer = await fetch('/api/changed/', { method: 'POST', body: form });
      said.push(`${answer.status} ${((await answer.json()) as { code: string }).code}`);
    }
    return said;
  });
  const refused = '429 too_many_requests';
  expect(answers).toEqual(['413 too_large', refused, refused, refused]);
  await site.stop();
});
