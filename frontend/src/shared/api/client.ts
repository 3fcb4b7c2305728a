/** An error response of the API. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    // Set explicitly, because minification renames classes.
    this.name = 'ApiError';
  }
}

/** Fetches one API path; `mount` is the API's base path, `/api` by default. */
export async function fetchJson<T>(mount: string, path: string): Promise<T> {
  const response = await fetch(`${mount}${path}`, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new ApiError(response.status, `${path}: ${response.status}`);
  return unwrapPage(await response.json());
}

/** Unwraps a list from its pagination envelope. */
function unwrapPage<T>(answer: unknown): T {
  const results = typeof answer === 'object' && answer !== null ? (answer as { results?: unknown }).results : null;
  return (Array.isArray(results) ? results : answer) as T;
}
