import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TlsProxy } from '../support/tls-proxy.ts';
import { type Site, start } from '../support/program.ts';
import { addressOf, routes } from '../support/routes.ts';
import { hydrated, expect, follow, leave, test as base } from '../support/test.ts';

interface Judgement {
  grade: string;
  score: number;
  status: number;
  results: { name: string; result: string; pass: boolean; modifier: number }[];
}

/** The demonstration behind a proxy with TLS, with a dashboard to frame. */
interface Secured {
  proxy: TlsProxy;
  site: Site;
  url: string;
}

const test = base.extend<{ secured: Secured }>({
  ignoreHTTPSErrors: true,
  secured: async ({ page }, use) => {
    const proxy = await TlsProxy.open();
    const url = `https://localhost:${proxy.httpsPort}`;
    const dashboard = `https://127.0.0.1:${proxy.httpsPort}`;
    proxy.foreign['/dashboard'] = '<!doctype html><title>Numbers</title><p>Twenty visitors';
    const site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'), {
      FESTIVAL_PUBLIC_URL: url,
      FESTIVAL_TRUSTED_PROXIES: '["127.0.0.1"]',
      FESTIVAL_FRONTEND__FRAME_HOSTS: `["${dashboard}"]`,
      FESTIVAL_ANALYTICS__FRAME: `${dashboard}/dashboard`,
    });
    proxy.target = site.url;
    await use({ proxy, site, url });
    await leave(page, site);
    await proxy.close();
  },
});

/** Runs Mozilla's HTTP Observatory. */
async function judge(proxy: TlsProxy): Promise<Judgement> {
  const script = join(import.meta.dirname, '../support/observatory.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, 'localhost', String(proxy.httpPort), String(proxy.httpsPort)],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: proxy.certificate } },
  );
  return JSON.parse(stdout);
}

test("Mozilla's Observatory gives an A+, and sees what is missing", async ({ secured: { proxy } }) => {
  const good = await judge(proxy);
  expect(good.results.filter(({ pass }) => !pass)).toEqual([]);
  expect(good.status).toBe(200);
  expect(good.grade).toBe('A+');
  expect(good.score).toBeGreaterThanOrEqual(115);
  const result = (of: Judgement, name: string) => of.results.find((one) => one.name === name)?.result;
  expect(result(good, 'redirection')).toBe('redirection-to-https');
  expect(result(good, 'content-security-policy')).toBe('csp-implemented-with-no-unsafe-default-src-none');

  proxy.change = (headers) => {
    headers['content-security-policy'] = String(headers['content-security-policy']).replace(
      "script-src 'self'",
      "script-src 'self' 'unsafe-inline'",
    );
  };
  const unsafe = await judge(proxy);
  expect(result(unsafe, 'content-security-policy')).toBe('csp-implemented-with-unsafe-inline');
  expect(unsafe.score).toBeLessThanOrEqual(80);

  proxy.change = (headers) => delete headers['strict-transport-security'];
  expect((await judge(proxy)).grade).not.toBe('A+');
});

test('http:// redirects once to the same page by https, and nothing is loaded unencrypted', async ({
  page,
  secured: { proxy, site, url },
  watch,
}) => {
  // The watch treats any host but 127.0.0.1 as a third party; here the site is called localhost.
  watch.expect(/^third party: https:\/\/localhost:/, /^third party: http:\/\/localhost:/, /status 404.*\/no\/such\/page/);
  watch.expect(/Failed to load resource.*404/);
  for (const route of routes) {
    const path = new URL(await addressOf(route.path, site)).pathname;
    const answer = await page.goto(`http://localhost:${proxy.httpPort}${path}`);
    expect(answer?.url()).toBe(url + path);
    expect(answer?.status()).toBe(route.status ?? 200);
    const hops = [];
    for (let from = answer?.request().redirectedFrom(); from; from = from.redirectedFrom()) hops.push(from.url());
    expect(hops).toHaveLength(1);
    // Scripts are loaded after the first paint.
    await hydrated(page);
  }
  const inTheClear = watch.requests.filter(({ url, kind }) => url.startsWith('http:') && kind !== 'document');
  expect(inTheClear).toEqual([]);
});

test('the page with the dashboard has its own content security policy, also when opened by a link', async ({ page, secured: { url }, watch }) => {
  watch.expect(/^third party: https:\/\/localhost:/);
  await page.goto(url);
  await hydrated(page);
  const loaded = page.waitForRequest((request) => request.isNavigationRequest() && request.frame() === page.mainFrame());
  await follow(page, '/analytics-ga4-view-via-looker');
  expect(new URL((await loaded).url()).pathname).toBe('/analytics-ga4-view-via-looker');
  const frame = page.getByTitle('Analytics dashboard');
  await frame.scrollIntoViewIfNeeded();
  await expect(frame.contentFrame().getByText('Twenty visitors')).toBeVisible();
});

test('a browser gets the reason for a rejection even if the form was not read', async ({ page, watch }) => {
  watch.expect(/^status 4(13|29): .*\/api\/changed\/$/, /Failed to load resource.*(413|429)/);
  const site = await start(join(process.env.FESTIVAL_TEST_FILLED ?? '', 'demo'), {
    FESTIVAL_MODULES__FORMS__POSTS_PER_10_MINUTES: '1',
  });
  await page.goto(`${site.url}/privacy-and-terms`);
  const answers = await page.evaluate(async () => {
    const form = new FormData();
    form.append('film_poster', new Blob([new Uint8Array(20 << 20)]), 'poster.jpg');
    const outcomes: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const answer = await fetch('/api/changed/', { method: 'POST', body: form });
      outcomes.push(`${answer.status} ${((await answer.json()) as { code: string }).code}`);
    }
    return outcomes;
  });
  const refused = '429 too_many_requests';
  expect(answers).toEqual(['413 too_large', refused, refused, refused]);
  await leave(page, site);
});
