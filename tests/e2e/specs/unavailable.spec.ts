import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { axe } from '../support/axe.ts';
import { root } from '../support/program.ts';

interface StoppedSite {
  url: string;
  /** Whether the site behind the proxy answers again. */
  isUp: boolean;
}

/** A proxy that sends the pages of config/deploy as config/deploy/nginx.conf does. */
const test = base.extend<{ stopped: StoppedSite }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters
  stopped: async ({}, use) => {
    const file = (name: string) => readFile(join(root, 'config/deploy', name), 'utf8');
    const policy = /Content-Security-Policy "([^"]+)"/.exec(await file('nginx.conf'))?.[1] ?? '';
    const stopped: StoppedSite = { url: '', isUp: false };
    const pages = { GET: await file('unavailable.html'), POST: await file('not-received.html') };
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      if (stopped.isUp) {
        response.end('<!doctype html><title>The site</title>');
        return;
      }
      response.setHeader('content-security-policy', policy);
      response.writeHead(502).end(pages[request.method === 'POST' ? 'POST' : 'GET']);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    stopped.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await use(stopped);
    server.close();
    server.closeAllConnections();
  },
});

for (const width of [390, 1440, 1920]) {
  test(`the page of a stopped site is accessible, ${width} px wide`, async ({ page, stopped }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${stopped.url}/films`);
    await expect(page.getByRole('heading', { name: 'Back in a moment' })).toBeVisible();
    expect((await axe(page).analyze()).violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

test('the page of a stopped site opens the requested page as soon as the site is back', async ({ page, stopped }) => {
  await page.goto(`${stopped.url}/films?page=2`);
  await expect(page).toHaveTitle('Back in a moment');
  stopped.isUp = true;
  await expect(page).toHaveTitle('The site');
  expect(page.url()).toBe(`${stopped.url}/films?page=2`);
});

test('a form that was not received is not turned into a page request', async ({ page, stopped }) => {
  await page.clock.install();
  await page.setContent(`<form method="post" action="${stopped.url}/contact"><button>Send</button></form>`);
  await page.getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Your form was not received' })).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  stopped.isUp = true;
  // The other page would have sent a request by now.
  await page.clock.runFor(60_000);
  await expect(page).toHaveTitle('Your form was not received');
});
