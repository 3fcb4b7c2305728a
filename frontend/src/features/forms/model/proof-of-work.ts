import type { Challenge } from '@/shared/api/generated/api';

/** Hashes computed at a time: a few milliseconds. */
const BATCH = 512;

/** Whether the browser offers hashing to this page: without https it does not. */
export function canSolve(): boolean {
  return Boolean(globalThis.crypto?.subtle);
}

/** The solution of a challenge for the header `Proof-Of-Work`; null if stopped, or if there is none. */
export async function solve(
  { salt, hash, max_number, signature }: Challenge,
  signal?: AbortSignal,
): Promise<string | null> {
  const encoder = new TextEncoder();
  // Eight bytes of thirty-two: a collision of them does not occur in practice.
  const wanted = BigInt(`0x${hash.slice(0, 16)}`);
  for (let first = 0; first < max_number && !signal?.aborted; first += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, place) => first + place);
    const hashes = await Promise.all(
      numbers.map((number) => crypto.subtle.digest('SHA-256', encoder.encode(`${salt}:${number}`))),
    );
    const index = hashes.findIndex((bytes) => new DataView(bytes).getBigUint64(0) === wanted);
    if (index >= 0) return `${salt}:${first + index}:${signature}`;
    // Results of hashes come before everything else that the page has to do, such as drawing and clicks: the page gets
    // its turn here.
    await new Promise((done) => setTimeout(done));
  }
  return null;
}

/** The challenge in a response, if there is one. */
export function challengeOf(value: unknown): Challenge | undefined {
  const { salt, hash, max_number, signature } = (value ?? {}) as Record<string, unknown>;
  if (typeof salt !== 'string' || typeof signature !== 'string') return;
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash) || typeof max_number !== 'number') return;
  return { salt, hash, max_number, signature };
}
