import { expect, test, vi } from 'vitest';
import { loadAgain } from './load-again';

test('code that failed is loaded again, not the file that it imports and that Firefox names', async () => {
  const message = 'error loading dynamically imported module: http://127.0.0.1/assets/receipt.js';
  const load = vi.fn().mockRejectedValueOnce(new TypeError(message)).mockResolvedValueOnce({ SendFaults: 1 });
  expect(await loadAgain(load)).toEqual({ SendFaults: 1 });
});
