// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { guard } from './leaving';
import { makeRowsDraggable, makeSortable } from './order';
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

it('a dragged row of a setting takes its inputs and buttons to another place', () => {
  const row = (label: string, index: number) =>
    `<fieldset class="line"><legend>Footer, row ${index + 1}</legend>
    <input name="menu.footer.${index}.label" value="${label}"><input name="menu.footer.${index}.href" value="/${label}">
    <div class="moves"><button name="action" value="up:menu.footer:${index}"${index ? '' : ' disabled'}>Up<span class="visually-hidden"> row ${index + 1}</span></button>
    <button name="action" value="remove:menu.footer:${index}">Remove</button></div></fieldset>`;
  const blank = '<fieldset class="line"><input name="menu.footer.3.label"><div class="moves"></div></fieldset>';
  const html = `<fieldset class="lines">${['ant', 'bat', 'cat'].map(row).join('')}${blank}</fieldset>`;
  const setting = show(html, '.lines');
  makeRowsDraggable(setting);
  const handles = [...setting.querySelectorAll('.handle')];
  expect(handles.length).toBe(3);
  fireEvent.dragStart(handles[2] as Element);
  fireEvent.dragOver(setting.querySelector('.line') as Element);
  fireEvent.dragEnd(handles[2] as Element);
  const named = [...setting.querySelectorAll<HTMLInputElement>('input')].map(({ name, value }) => `${name}=${value}`);
  expect(named).toEqual([
    'menu.footer.0.label=cat',
    'menu.footer.0.href=/cat',
    'menu.footer.1.label=ant',
    'menu.footer.1.href=/ant',
    'menu.footer.2.label=bat',
    'menu.footer.2.href=/bat',
    'menu.footer.3.label=',
  ]);
  const buttons = [...setting.querySelectorAll('button')].map(({ value, disabled }) => [value, disabled]);
  expect(buttons).toEqual([
    ['up:menu.footer:0', true],
    ['remove:menu.footer:0', false],
    ['up:menu.footer:1', false],
    ['remove:menu.footer:1', false],
    ['up:menu.footer:2', false],
    ['remove:menu.footer:2', false],
  ]);
  expect(setting.querySelector('legend')?.textContent).toBe('Footer, row 1');
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
