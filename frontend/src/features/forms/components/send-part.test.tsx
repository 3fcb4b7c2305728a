import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { forms } from '@/shared/api/generated/all-forms';
import { loadTools } from '../model/load-tools';
import { SendPart } from './send-part';

function sending(sent: number) {
  const progress = { sent, total: 9_000_000, secondsLeft: 12 };
  const rest = { problems: [], trouble: null, quiet: false, onStop: () => {}, receipt: null, waiting: false };
  return <SendPart form={forms.asian} phase="submitting" ready progress={progress} {...rest} />;
}

it('shows the progress of sending, and that it waits once everything is sent', async () => {
  await loadTools();
  const { rerender } = render(sending(4_000_000));
  expect(screen.getByText('3.8 MB of 8.6 MB, about 20 seconds left')).toBeTruthy();
  rerender(sending(9_000_000));
  expect(screen.getByText('Sent; waiting for confirmation.')).toBeTruthy();
});
