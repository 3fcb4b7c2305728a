import { expect, it } from 'vitest';
import { upiLink } from './upi';

it('writes a payment as UPI apps read it', () => {
  const link = upiLink({ id: 'lamp@bank', payee: 'Lamp & Light', amount: 5000, note: 'Entry fee, asian film' });
  expect(link).toBe('upi://pay?pa=lamp@bank&pn=Lamp%20%26%20Light&am=5000&cu=INR&tn=Entry%20fee%2C%20asian%20film');
});

it('leaves out what is empty and shortens the note', () => {
  const link = upiLink({ id: 'a@b', payee: '', amount: 1, note: 'x'.repeat(80) });
  expect(link).not.toContain('pn=');
  expect(link).toMatch(/tn=x{50}$/);
});
