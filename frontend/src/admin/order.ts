/** Reordering of rows by drag and drop or with buttons. The submitted positions follow. */
import { make } from './window';

/** Sets the positions of all rows: 10, 20, 30. */
export function number(list: HTMLElement): void {
  for (const [index, input] of [...list.querySelectorAll<HTMLInputElement>('input')].entries()) {
    input.value = String((index + 1) * 10);
  }
}

/** The row that is being dragged. */
let dragged: HTMLElement | undefined;

/** Lets the user drag `row` by `handle` to another place among its siblings; `done` is called when it is dropped. */
function makeDraggable(row: HTMLElement, handle: HTMLElement, done: () => void): void {
  handle.draggable = true;
  handle.addEventListener('dragstart', (event) => {
    dragged = row;
    event.dataTransfer?.setDragImage(row, 0, 0);
    row.classList.add('dragged');
  });
  handle.addEventListener('dragend', () => {
    row.classList.remove('dragged');
    dragged = undefined;
    done();
  });
  row.addEventListener('dragover', (event) => {
    if (!dragged || dragged === row || dragged.parentElement !== row.parentElement) return;
    event.preventDefault();
    const { top, height } = row.getBoundingClientRect();
    if (event.clientY > top + height / 2) row.after(dragged);
    else row.before(dragged);
  });
}

/** Lets the user drag the rows of a setting by a handle; their inputs, buttons and texts are numbered by their places. */
export function makeRowsDraggable(setting: HTMLElement): void {
  const rows = () => [...setting.querySelectorAll<HTMLElement>(':scope > .line')];
  const renumber = () => {
    for (const [index, row] of rows().entries()) {
      for (const input of row.querySelectorAll<HTMLInputElement>('[name]')) {
        input.name = input.name.replace(/\.\d+\./, `.${index}.`);
      }
      for (const button of row.querySelectorAll('button')) {
        button.value = button.value.replace(/\d+$/, `${index}`);
        button.disabled = index === 0 && button.value.startsWith('up:');
      }
      for (const text of row.querySelectorAll('legend, .moves .visually-hidden')) {
        text.textContent = (text.textContent ?? '').replace(/row \d+/, `row ${index + 1}`);
      }
    }
    // Marks the form as changed.
    setting.dispatchEvent(new Event('input', { bubbles: true }));
  };
  for (const row of rows()) {
    // A new row has no buttons, and stays the last one.
    const moves = row.querySelector('.moves:has(button)');
    if (!moves) continue;
    const handle = make('span', { class: 'handle', 'aria-hidden': 'true', title: 'Drag' }, '⠿');
    moves.prepend(handle);
    makeDraggable(row, handle, renumber);
  }
  setting.addEventListener('drop', (event) => event.preventDefault());
}

/** Lets the user move the rows of `list`. */
export function makeSortable(list: HTMLElement): void {
  const status = make('p', { class: 'visually-hidden', role: 'status' });
  list.before(status);
  list.classList.add('sortable');
  const hint = document.querySelector('[data-order-hint]');
  if (hint) hint.textContent = 'Drag the rows, or move them with the arrow buttons.';
  const rows = () => [...list.children] as HTMLElement[];
  const update = (row: HTMLElement, title: string) => {
    number(list);
    status.textContent = `${title}: ${rows().indexOf(row) + 1} of ${rows().length}`;
    // Marks the form as changed.
    list.dispatchEvent(new Event('input', { bubbles: true }));
  };
  for (const row of rows()) {
    const title = row.querySelector('span')?.textContent?.trim() ?? '';
    const step = (label: string, icon: string, move: () => void) => {
      const button = make(
        'button',
        { type: 'button', class: 'button quiet', 'aria-label': `${title}: ${label}` },
        icon,
      );
      button.addEventListener('click', () => {
        move();
        update(row, title);
        button.focus();
      });
      return button;
    };
    row.append(
      step('up', '↑', () => row.previousElementSibling?.before(row)),
      step('down', '↓', () => row.nextElementSibling?.after(row)),
    );
    makeDraggable(row, row, () => update(row, title));
  }
  list.addEventListener('drop', (event) => event.preventDefault());
}
