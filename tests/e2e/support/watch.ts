import type { Page } from '@playwright/test';

/** The log message of a form that was not accepted. */
export const FORM_FAILURE = /^console error: A form was not accepted:/;

/** Invisible problems of a page: console messages, failed and third-party requests, dialogs. */
export class Watch {
  private found: string[] = [];
  private expected: RegExp[] = [];
  /** All requests of the page, in order. */
  readonly requests: { url: string; kind: string; method: string }[] = [];

  constructor(private readonly page: Page) {}

  /** Declares problems that the test provokes. */
  expect(...patterns: RegExp[]) {
    this.expected.push(...patterns);
  }

  /** Unexpected problems. A test that expects any problem also expects forms to log it. */
  complaints(): string[] {
    const expected = this.expected.length === 0 ? [] : [...this.expected, FORM_FAILURE];
    return this.found.filter((text) => !expected.some((pattern) => pattern.test(text)));
  }

  /** Whether a problem matched, expected or not. */
  noted(pattern: RegExp): boolean {
    return this.found.some((text) => pattern.test(text));
  }

  /** The paths of API calls. */
  calls(): string[] {
    return this.requests.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/api/'));
  }

  async begin() {
    const { page, found } = this;
    page.on('console', (message) => {
      // The configuration says so: `offline.spec.ts` alone has service workers.
      if (message.text() === 'Service Worker registration blocked by Playwright') return;
      if (['error', 'warning', 'assert'].includes(message.type()))
        found.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    // Hydration mismatches are reported here too.
    page.on('pageerror', (error) => found.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      found.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const url = request.url();
      this.requests.push({ url, kind: request.resourceType(), method: request.method() });
      const { protocol, hostname } = new URL(url);
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') found.push(`third party: ${url}`);
    });
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // Leaving a page aborts its requests.
      if (reason !== 'net::ERR_ABORTED') found.push(`failed: ${request.url()} ${reason}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) found.push(`status ${response.status()}: ${response.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
      );
    });
  }
}
