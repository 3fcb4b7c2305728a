/** Rows are dragged or moved by buttons; the numbers that are sent follow. */
import { make } from './window';

/** Gives every row its number: 10, 20, 30. */
export function number(list: HTMLElement): void {
  for (const [index, input] of [...list.querySelectorAll<HTMLInputElement>('input')].entries()) {
    input.value = String((index + 1) * 10);
  }
}

/** Makes the rows of `list` movable. */
export function movable(list: HTMLElement): void {
  const said = make('p', { class: 'unseen', role: 'status' });
  list.before(said);
  list.classList.add('movable');
  const words = document.querySelector('[data-order-words]');
  if (words) words.textContent = 'Drag the rows, or move them with the arrows. What is above comes first.';
  let dragged: HTMLElement | undefined;
  const rows = () => [...list.children] as HTMLElement[];
  const tell = (row: HTMLElement, title: string) => {
    number(list);
    said.textContent = `${title}: ${rows().indexOf(row) + 1} of ${rows().length}`;
    // Whoever leaves is asked.
    list.dispatchEvent(new Event('input', { bubbles: true }));
  };
  for (const row of rows()) {
    const title = row.querySelector('span')?.textContent?.trim() ?? '';
    const step = (label: string, face: string, move: () => void) => {
      const button = make(
        'button',
        { type: 'button', class: 'button quiet', 'aria-label': `${title}: ${label}` },
        face,
      );
      button.addEventListener('click', () => {
        move();
        tell(row, title);
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
      tell(row, title);
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
