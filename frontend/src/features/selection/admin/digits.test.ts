// @vitest-environment jsdom
import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { review } from './digits';

const question = (name: string, values: string[]) =>
  `<fieldset>${values.map((value) => `<input type="radio" name="${name}" value="${value}">`).join('')}</fieldset>`;

beforeEach(() => {
  const scores = ['1', '2', '3', '4', '5', 'abstain'];
  document.body.innerHTML = `<form class="review">${question('direction', scores)}${question('sound', scores)}
    ${question('recommendation', ['yes', 'maybe', 'no'])}<textarea name="text"></textarea>
    <button name="then" value="next">Save and next</button><button name="then" value="stay">Save</button></form>`;
  document.addEventListener('keydown', review);
});

afterEach(() => {
  document.removeEventListener('keydown', review);
});

const press = (key: string, at: Element = document.activeElement ?? document.body) => fireEvent.keyDown(at, { key });
const answers = () => [...document.querySelectorAll<HTMLInputElement>('input:checked')].map((choice) => choice.value);

it('digits score one criterion after the other, and then recommend', () => {
  press('4');
  press('0');
  press('2');
  expect(answers()).toEqual(['4', 'abstain', 'maybe']);
});

it('a digit changes the answer that has the focus, and one without a choice does nothing', () => {
  press('4');
  document.querySelector<HTMLInputElement>('input[name="direction"]')?.focus();
  press('5');
  press('6');
  expect(answers()).toEqual(['5']);
});

it('digits and Enter belong to the text while one is written', () => {
  const text = document.querySelector('textarea') ?? document.body;
  expect(fireEvent.keyDown(text, { key: '4' })).toBe(true);
  expect(fireEvent.keyDown(text, { key: 'Enter' })).toBe(true);
  expect(answers()).toEqual([]);
});

it('Enter saves and goes on to the next entry', () => {
  const submit = vi.fn((event: SubmitEvent) => {
    event.preventDefault();
    return (event.submitter as HTMLButtonElement).value;
  });
  document.querySelector('form')?.addEventListener('submit', submit);
  press('Enter', document.body);
  expect(submit).toHaveReturnedWith('next');
});
