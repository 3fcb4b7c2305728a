import { beforeEach, expect, it, vi } from 'vitest';
import { prepareToasts, toast } from '.';

beforeEach(() => {
  document.body.replaceChildren();
  vi.useFakeTimers();
});

it('shows a text for its time, in a place that screen readers know already', () => {
  prepareToasts();
  const alert = document.querySelector('[role="alert"]');
  toast('error', 'Please fill in name', 3000);
  expect(alert?.textContent).toBe('Please fill in name');
  vi.advanceTimersByTime(2999);
  expect(alert?.textContent).toBe('Please fill in name');
  vi.advanceTimersByTime(1);
  expect(alert?.textContent).toBe('');
});

it('closes with a click and lies outside of the application', () => {
  toast('success', 'Form submitted successfully!', 3000);
  const shown = document.querySelector<HTMLElement>('[role="status"] > p');
  expect(shown?.closest('#root')).toBeNull();
  shown?.click();
  expect(document.body.textContent).toBe('');
});
