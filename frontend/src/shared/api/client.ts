/** An answer of the API that is not a success. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    // The log names it after the build as before: minifying renames classes.
    this.name = 'ApiError';
  }
}

/** Fetches one API path; `mount` is where the API lives, `/api` by default. */
export async function fetchJson<T>(mount: string, path: string): Promise<T> {
  const response = await fetch(`${mount}${path}`, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new ApiError(response.status, `${path}: ${response.status}`);
  return unwrapPage(await response.json());
}

/** A list may come in an envelope with pages; the site wants the list. */
function unwrapPage<T>(answer: unknown): T {
  const results = typeof answer === 'object' && answer !== null ? (answer as { results?: unknown }).results : null;
  return (Array.isArray(results) ? results : answer) as T;
}
