import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { guard } from './leaving';
import { movable } from './order';
import { listed } from './pictures';
import { moved } from './rich/toolbar';
import { problem } from './sending';
import { keep } from './upload';

afterEach(() => document.body.replaceChildren());

function show<T extends HTMLElement>(html: string, selector: string): T {
  document.body.innerHTML = html;
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`no ${selector}`);
  return element;
}

it('rows move by buttons, and their numbers follow', () => {
  const list = show(
    `<ol>${['Ant', 'Bat', 'Cat'].map((title, index) => `<li><label><span>${title}</span><input name="position-${index}" value="0"></label></li>`).join('')}</ol>`,
    'ol',
  );
  movable(list);
  fireEvent.click(screen.getByRole('button', { name: 'Cat: up' }));
  fireEvent.click(screen.getByRole('button', { name: 'Cat: up' }));
  fireEvent.click(screen.getByRole('button', { name: 'Cat: up' }));
  const numbers = [...list.querySelectorAll('input')].map(({ name, value }) => [name, value]);
  expect(numbers).toEqual([
    ['position-2', '10'],
    ['position-0', '20'],
    ['position-1', '30'],
  ]);
  expect(screen.getByRole('status').textContent).toBe('Cat: 1 of 3');
});

it('a form that was changed is not left without a question; a preview is no leaving', () => {
  const form = show<HTMLFormElement>(
    '<form><input><button formtarget="_blank">Preview</button><button>Save</button></form>',
    'form',
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  guard(form);
  const asked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(asked()).toBe(false);
  fireEvent.input(screen.getByRole('textbox'));
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  expect(asked()).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(asked()).toBe(false);
});

it('a picture that was sent is named by the form in place of the file', () => {
  const input = show<HTMLInputElement>(
    '<form><input type="checkbox" name="remove_image" checked><input type="file" name="image" required></form>',
    'input[type="file"]',
  );
  keep(input, 'pictures/a.png');
  keep(input, 'pictures/b.png');
  const sent = [...new FormData(input.form ?? undefined)].filter(([name]) => name !== 'image');
  expect(sent).toEqual([['kept_image', 'pictures/b.png']]);
  expect(input.required).toBe(false);
});

it('reads the page of pictures', () => {
  const row = '<li data-key="pictures/a.png" data-words="A &quot;lamp&quot;"></li>';
  expect(listed(`<ul class="pictures">${row}</ul>`)).toEqual([{ key: 'pictures/a.png', words: 'A "lamp"' }]);
  expect(problem('<div id="problems"><ul><li>Too large</li></ul></div>')).toBe('Too large');
  expect(problem('')).toMatch(/could not be sent/);
});

it('arrows go round in a toolbar, other keys go their way', () => {
  expect(['ArrowRight', 'ArrowLeft', 'Home', 'End'].map((key) => moved(key, 3, 4))).toEqual([0, 2, 0, 3]);
  expect(moved('Tab', 0, 4)).toBeUndefined();
});
