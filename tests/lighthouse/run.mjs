// `make lighthouse`: Lighthouse's mobile preset on every route of the release build with the demonstration festival.
// `npm start -- --runs 1 --route /films` looks at one. Accessibility, best practices and SEO must be 100 everywhere,
// performance at least 98 on the home page; elsewhere it is only reported, because it depends on this machine.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { Site } from './site.mjs';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const HOME_PERFORMANCE = 98;
/** Pages that tell search engines not to list them; Lighthouse would count that as a fault. */
const HIDDEN = ['/success', '/analytics-ga4-view-via-looker', '/no/such/page'];

const root = resolve(import.meta.dirname, '../..');
const { values: asked } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    route: { type: 'string', multiple: true },
    program: { type: 'string', default: join(root, 'target/release/festival') },
  },
});

/** One run: each category's points, figures, and the audits that cost points. */
async function look(url, port, hidden) {
  const skipAudits = hidden ? ['is-crawlable'] : null;
  const flags = { port, output: 'json', logLevel: 'error', ignoreStatusCode: true, onlyCategories: CATEGORIES, skipAudits };
  const { lhr } = await lighthouse(url, flags);
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  const figure = (id) => lhr.audits[id]?.numericValue ?? 0;
  const faults = CATEGORIES.slice(1).flatMap((category) =>
    lhr.categories[category].auditRefs
      .map(({ id, weight }) => ({ ...lhr.audits[id], weight }))
      .filter(({ score, weight }) => weight > 0 && score !== null && score < 1)
      .map(({ id, title, details }) => `${id}: ${title} ${places(details)}`),
  );
  return {
    points: CATEGORIES.map((category) => Math.round((lhr.categories[category].score ?? 0) * 100)),
    figures: [
      figure('first-contentful-paint'),
      figure('largest-contentful-paint'),
      figure('total-blocking-time'),
      figure('cumulative-layout-shift'),
      figure('total-byte-weight') / 1000,
    ],
    faults,
  };
}

function places(details) {
  const items = details?.items ?? [];
  return items.slice(0, 3).map((item) => item.node?.snippet ?? item.description ?? item.url ?? '').join(' | ');
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const column = (rows, pick) => pick(rows[0]).map((_, index) => median(rows.map((row) => pick(row)[index])));

async function main() {
  const runs = Number(asked.runs);
  const browser = execFileSync(join(root, 'tests/e2e/support/chromium.sh'), { encoding: 'utf8' }).trim();
  const site = await Site.start(asked.program);
  let failed = false;
  try {
    const routes = asked.route ?? [...(await site.routes()), ...HIDDEN];
    console.log(`mobile preset, median of ${runs}`);
    console.log(`${'route'.padEnd(34)} perf  a11y  best   seo    FCP ms  LCP ms  TBT ms    CLS     kB`);
    for (const route of routes) {
      const rows = [];
      for (let run = 0; run < runs; run++) {
        // A browser of its own for each run, with nothing remembered.
        const chrome = await launch({ chromePath: browser, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'], logLevel: 'error' });
        try {
          rows.push(await look(site.url + route, chrome.port, HIDDEN.includes(route)));
        } finally {
          chrome.kill();
        }
      }
      const points = column(rows, (row) => row.points);
      const [fcp, lcp, tbt, cls, bytes] = column(rows, (row) => row.figures);
      const figures = [fcp.toFixed(0), lcp.toFixed(0), tbt.toFixed(0), cls.toFixed(3), bytes.toFixed(0)];
      console.log(`${route.padEnd(34)}${points.map((n) => String(n).padStart(5)).join(' ')}  ${figures.map((n) => n.padStart(7)).join(' ')}`);
      for (const fault of new Set(rows.flatMap((row) => row.faults))) console.log(`    ${fault}`);
      failed ||= points.slice(1).some((n) => n < 100) || (route === '/' && points[0] < HOME_PERFORMANCE);
    }
  } finally {
    await site.stop();
  }
  if (failed) process.exitCode = 1;
}

await main();
