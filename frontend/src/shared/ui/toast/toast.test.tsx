import { act, fireEvent, render, renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { toast } from '.';
import { useToasts } from './toast';
import { Toasts } from './toasts';

beforeEach(() => void vi.useFakeTimers());

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

it('shows a text for its duration, in an existing live region', () => {
  render(<Toasts />);
  const alert = document.querySelector('[role="alert"]');
  act(() => toast('error', 'Please fill in name', 3000));
  expect(alert?.textContent).toBe('Please fill in name');
  wait(2999);
  expect(alert?.textContent).toBe('Please fill in name');
  wait(1);
  expect(alert?.textContent).toBe('');
});

it('closes with a click and is rendered outside the application', () => {
  const { container } = render(<Toasts />);
  act(() => toast('success', 'Form submitted successfully!', 3000));
  const shown = document.querySelector('[role="status"] > p') as HTMLElement;
  expect(container.contains(shown)).toBe(false);
  fireEvent.click(shown);
  expect(document.body.textContent).toBe('');
});

it('replaces the previous one in a narrow window', () => {
  const { result } = renderHook(useToasts);
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('max-width') }));
  act(() => toast('error', 'Please fill in name', 3000));
  act(() => toast('error', 'Please fill in email', 3000));
  vi.unstubAllGlobals();
  expect(result.current.map(({ text }) => text)).toEqual(['Please fill in email']);
});
