import type { Challenge } from '@/shared/api/generated/site';

/** Hashes that are asked for at a time: a few milliseconds. */
const BATCH = 512;

/** Whether this browser hashes for this page: without https it does not. */
export function canSolve(): boolean {
  return Boolean(globalThis.crypto?.subtle);
}

/** The solution of a challenge as the header `Proof-Of-Work` takes it; null: it was stopped, or there is none. */
export async function solve(
  { salt, hash, max_number, signature }: Challenge,
  signal?: AbortSignal,
): Promise<string | null> {
  const encoder = new TextEncoder();
  // Eight bytes of thirty-two: two numbers that share them are not found in a lifetime.
  const wanted = BigInt(`0x${hash.slice(0, 16)}`);
  for (let first = 0; first < max_number && !signal?.aborted; first += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, place) => first + place);
    const hashes = await Promise.all(
      numbers.map((number) => crypto.subtle.digest('SHA-256', encoder.encode(`${salt}:${number}`))),
    );
    const index = hashes.findIndex((bytes) => new DataView(bytes).getBigUint64(0) === wanted);
    if (index >= 0) return `${salt}:${first + index}:${signature}`;
    // Results of hashes come before everything else that the page has to do, such as drawing and clicks: it gets its turn here.
    await new Promise((done) => setTimeout(done));
  }
  return null;
}

/** The challenge in an answer, where there is one. */
export function challengeOf(value: unknown): Challenge | undefined {
  const { salt, hash, max_number, signature } = (value ?? {}) as Record<string, unknown>;
  if (typeof salt !== 'string' || typeof signature !== 'string') return;
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash) || typeof max_number !== 'number') return;
  return { salt, hash, max_number, signature };
}
