// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { guard } from './leaving';
import { makeSortable } from './order';
import { parseLibrary } from './pictures';
import { selectRanges } from './ranges';
import { nextIndex } from './rich/toolbar';
import { errorMessage } from './sending';
import { setStoredFile } from './upload';

afterEach(() => document.body.replaceChildren());

function show<T extends HTMLElement>(html: string, selector: string): T {
  document.body.innerHTML = html;
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`no ${selector}`);
  return element;
}

it('buttons move rows and update their positions', () => {
  const list = show(
    `<ol>${['Ant', 'Bat', 'Cat'].map((title, index) => `<li><label><span>${title}</span><input name="position-${index}" value="0"></label></li>`).join('')}</ol>`,
    'ol',
  );
  makeSortable(list);
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

it('a click with Shift ticks every row since the last one, and unticks them', () => {
  const rows = ['1', '2', '3', '4', '5'].map(
    (id) => `<tr><td><label><input type="checkbox" name="row" value="${id}"></label></td></tr>`,
  );
  const table = show(`<table>${rows.join('')}</table>`, 'table');
  selectRanges(table);
  const boxes = [...table.querySelectorAll('input')];
  const ticked = () =>
    boxes
      .filter((box) => box.checked)
      .map((box) => box.value)
      .join();
  fireEvent.click(boxes[1] as Element);
  fireEvent.click(boxes[3] as Element, { shiftKey: true });
  expect(ticked()).toBe('2,3,4');
  fireEvent.click(boxes[2] as Element);
  fireEvent.click(boxes[4] as Element, { shiftKey: true });
  expect(ticked()).toBe('2,3,4,5');
  fireEvent.click(boxes[2] as Element, { shiftKey: true });
  expect(ticked()).toBe('2');
});

it('leaving a changed form asks for confirmation, a preview does not', () => {
  const form = show<HTMLFormElement>(
    '<form><input><button formtarget="_blank">Preview</button><button>Save</button></form>',
    'form',
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  guard(form);
  const isBlocked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(isBlocked()).toBe(false);
  fireEvent.input(screen.getByRole('textbox'));
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  expect(isBlocked()).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(isBlocked()).toBe(false);
});

it('form references an uploaded picture instead of submitting the file', () => {
  const input = show<HTMLInputElement>(
    '<form><input type="checkbox" name="remove_image" checked><input type="file" name="image" required></form>',
    'input[type="file"]',
  );
  setStoredFile(input, 'pictures/a.png');
  setStoredFile(input, 'pictures/b.png');
  const submitted = [...new FormData(input.form ?? undefined)].filter(([name]) => name !== 'image');
  expect(submitted).toEqual([['kept_image', 'pictures/b.png']]);
  expect(input.required).toBe(false);
});

it('parses pictures and error messages of the library page', () => {
  const row = '<li data-key="pictures/a.png" data-alt="A &quot;lamp&quot;"></li>';
  expect(parseLibrary(`<ul class="pictures">${row}</ul>`)).toEqual([{ key: 'pictures/a.png', alt: 'A "lamp"' }]);
  expect(errorMessage('<div id="problems"><ul><li>Too large</li></ul></div>')).toBe('Too large');
  expect(errorMessage('')).toMatch(/could not be uploaded/);
});

it('arrow keys cycle through the toolbar and other keys are ignored', () => {
  expect(['ArrowRight', 'ArrowLeft', 'Home', 'End'].map((key) => nextIndex(key, 3, 4))).toEqual([0, 2, 0, 3]);
  expect(nextIndex('Tab', 0, 4)).toBeUndefined();
});
