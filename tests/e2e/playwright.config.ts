import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import type { BrowserName } from './support/webdriver.ts';

const here = import.meta.dirname;
const chromium = execFileSync(join(here, 'support/chromium.sh'), { encoding: 'utf8' }).trim();

/** Pictures for people to judge are taken on demand only. */
const shots = process.env.FESTIVAL_SHOTS !== undefined;

export default defineConfig<{ engine: BrowserName }>({
  outputDir: 'output/results',
  fullyParallel: true,
  // Four on two cores: tests spend more than half of their time waiting for animations and timers.
  workers: 4,
  forbidOnly: process.env.CI !== undefined,
  // A test that needs a second try is a defect of the test or of the site.
  retries: 0,
  // Timeouts are for hanging tests only: durations say more about the machine than about the site.
  timeout: 1_800_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'output/results.json' }]],
  globalSetup: './support/prepare.ts',
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    // Chromium is the system's: nothing is downloaded.
    launchOptions: {
      executablePath: chromium,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    viewport: { width: 1440, height: 900 },
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    trace: 'off',
    // Requests that a service worker answers are not seen by tests; `offline.spec.ts` has a browser of its own.
    serviceWorkers: 'block',
  },
  projects: shots
    ? [{ name: 'shots', testDir: 'shots', testMatch: '*.shots.ts' }]
    : [
        { name: 'site', testDir: 'specs', testMatch: '*.spec.ts' },
        ...(['firefox', 'webkit'] as const).map((engine) => ({
          name: engine,
          testDir: 'browsers',
          testMatch: '*.spec.ts',
          grep: process.env.FESTIVAL_BROWSERS ? /./ : /@short/,
          use: { engine },
        })),
      ],
});
