import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { usePageChange } from './page-change';

vi.mock('@/shared/motion', () => ({ useMotionReady: () => true }));

test('the link that was clicked last wins, also one that changes only the address of the page', async () => {
  vi.useFakeTimers();
  const { result } = renderHook(usePageChange);
  const opened: string[] = [];
  void result.current.leave(new Promise(() => {}), () => opened.push('another page'));
  void result.current.leave(null, () => opened.push('a film of this page'));
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  expect(opened).toEqual(['a film of this page']);
});
