/** The server's time; a visitor's own clock may be wrong by years. */

/** What the server's clock said, and when that was on a clock that nobody sets. */
let reading: { server: number; at: number } | null = null;

/** Asks the server what time it is, by the date of its answer. */
export async function readServerClock(mount: string): Promise<void> {
  const asked = performance.now();
  const response = await fetch(`${mount}/forms/`, { method: 'HEAD', cache: 'no-store' });
  const server = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds: on average half a second has passed since.
  if (!Number.isNaN(server)) reading = { server: server + 500, at: (asked + performance.now()) / 2 };
}

/** The server's time in milliseconds since 1970; null until it is known. */
export function serverNow(): number | null {
  return reading && reading.server + performance.now() - reading.at;
}
