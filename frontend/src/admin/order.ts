/** Reordering of rows by drag and drop or with buttons. The submitted positions follow. */
import { make } from './window';

/** Sets the positions of all rows: 10, 20, 30. */
export function number(list: HTMLElement): void {
  for (const [index, input] of [...list.querySelectorAll<HTMLInputElement>('input')].entries()) {
    input.value = String((index + 1) * 10);
  }
}

/** Lets the user move the rows of `list`. */
export function makeSortable(list: HTMLElement): void {
  const status = make('p', { class: 'visually-hidden', role: 'status' });
  list.before(status);
  list.classList.add('sortable');
  const hint = document.querySelector('[data-order-hint]');
  if (hint) hint.textContent = 'Drag the rows, or move them with the arrow buttons.';
  let dragged: HTMLElement | undefined;
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
    row.draggable = true;
    row.addEventListener('dragstart', () => {
      dragged = row;
      row.classList.add('dragged');
    });
    row.addEventListener('dragend', () => {
      row.classList.remove('dragged');
      dragged = undefined;
      update(row, title);
    });
    row.addEventListener('dragover', (event) => {
      if (!dragged || dragged === row) return;
      event.preventDefault();
      const { top, height } = row.getBoundingClientRect();
      if (event.clientY > top + height / 2) row.after(dragged);
      else row.before(dragged);
    });
  }
  list.addEventListener('drop', (event) => event.preventDefault());
}
