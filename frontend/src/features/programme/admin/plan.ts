/**
 * The plan of a day as halls by time: screenings are dragged, or moved with the keyboard. Each move submits the page's
 * form for it, and the page in the response replaces this one.
 */
import { make } from '@/admin/window';
import { follow } from './pointer';
import {
  clock,
  type FormSlot,
  field,
  formSlot,
  number,
  positionCard,
  SHOWN_HOURS,
  type Slot,
  STEP,
  setOriginal,
  slotOf,
  snap,
} from './slots';

/** Turns the page's plan into a grid, also after each response. */
export function makePlan(main: HTMLElement): void {
  const status = make('p', { role: 'status' });
  const bar = make('div', { class: 'plan-status', hidden: '' }, status);
  document.body.append(bar);
  /** Moves waiting for the response to the previous one, by screening: only the last of each counts. */
  const waiting = new Map<string, HTMLFormElement>();
  let isSending = false;
  let search = '';

  const announce = (text: string, undo?: () => void) => {
    status.textContent = text;
    bar.hidden = text === '';
    bar.querySelector('button')?.remove();
    if (!undo) return;
    const button = make('button', { type: 'button', class: 'button quiet' }, 'Undo');
    button.addEventListener('click', undo);
    bar.append(button);
  };

  /** Posts a form; the response is the updated plan. Returns whether the change was made. */
  const post = async (form: HTMLFormElement, submitter?: HTMLElement | null): Promise<boolean> => {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value));
    const response = await fetch(form.getAttribute('action') ?? '', { method: 'POST', body });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.querySelector('main');
    // A user who is no longer signed in gets another page.
    if (!next?.querySelector('[data-plan]')) {
      location.reload();
      return false;
    }
    const message = next.querySelector('.flash')?.textContent?.trim() ?? '';
    if (waiting.size === 0) show(next);
    announce(message);
    if (response.redirected) history.replaceState(null, '', response.url);
    return response.ok;
  };

  const show = (next: HTMLElement) => {
    for (const flash of next.querySelectorAll('.flash')) flash.remove();
    const focus = document.activeElement?.id;
    const top = scrollY;
    main.replaceChildren(...next.childNodes);
    arrange();
    scrollTo({ top });
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  };

  /** Sends waiting moves, one after another. */
  const send = async () => {
    if (isSending) return;
    isSending = true;
    try {
      for (let [first] = waiting; first; [first] = waiting) {
        const [id, form] = first;
        waiting.delete(id);
        // A copy: the keyboard may change the form while the response is awaited.
        const [before, after] = [formSlot(form, 'was_'), formSlot(form, '')];
        if (!(await post(form))) {
          waiting.clear();
          break;
        }
        // Another move of the same screening starts from the result of this one.
        const further = waiting.get(id);
        if (further) setOriginal(further, after);
        else offerUndo(id, before, after);
      }
    } catch {
      waiting.clear();
      announce('Not saved: there is no connection. Reload the page, then try again.');
    } finally {
      isSending = false;
    }
  };

  const offerUndo = (id: string, before: FormSlot, after: FormSlot) => {
    announce(status.textContent ?? '', () => {
      const form = main.querySelector<HTMLFormElement>(`#screening-${id} form`);
      if (!form) return;
      setOriginal(form, after);
      for (const [name, value] of Object.entries(before)) field(form, name).value = value;
      queue(form);
    });
  };

  const queue = (form: HTMLFormElement) => {
    waiting.set(field(form, 'screening').value, form);
    void send();
  };

  /** Fills the form of a screening with its new hall and time, and sends it. */
  const move = (card: HTMLElement, to: Slot) => {
    const form = card.querySelector('form');
    const from = slotOf(card);
    if (!form || (to.hall === from.hall && to.offset === from.offset && to.length === from.length)) return;
    field(form, 'hall').value = to.hall;
    field(form, 'time').value = clock(to.offset);
    if (to.length !== from.length) field(form, 'minutes').value = String(to.length - number(card, 'talk'));
    card.dataset.offset = String(to.offset);
    card.dataset.length = String(to.length);
    const list = main.querySelector(`.hall[data-hall="${CSS.escape(to.hall)}"] .plan`);
    if (list && card.parentElement !== list) {
      const focused = document.activeElement;
      list.append(card);
      if (focused instanceof HTMLElement && card.contains(focused)) focused.focus({ preventScroll: true });
    }
    positionCard(card);
    announce(`${clock(to.offset)}–${clock(to.offset + to.length)}, ${to.hall}`);
    queue(form);
  };

  const halls = () => [...main.querySelectorAll<HTMLElement>('.hall')];

  const onKey = (card: HTMLElement) => (event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined && side === undefined) return;
    event.preventDefault();
    const to = slotOf(card);
    if (side !== undefined) {
      const names = halls().map((hall) => hall.dataset.hall ?? '');
      to.hall = names[names.indexOf(to.hall) + side] ?? to.hall;
    } else if (event.shiftKey) {
      to.length = Math.max(STEP + number(card, 'talk'), to.length + (step ?? 0));
    } else {
      to.offset = snap(to.offset + (step ?? 0), to.length);
    }
    move(card, to);
  };

  /** The hall under the pointer, and the time there. */
  const under = (event: PointerEvent, grab: number): { hall: HTMLElement; offset: number } | undefined => {
    const hall = halls().find((hall) => {
      const { left, right } = hall.getBoundingClientRect();
      return event.clientX >= left && event.clientX < right;
    });
    const list = hall?.querySelector('.plan')?.getBoundingClientRect();
    if (!hall || !list) return undefined;
    const [from, minutes] = range();
    return { hall, offset: from + ((event.clientY - grab - list.top) / list.height) * minutes };
  };

  const drag = (card: HTMLElement) => (start: PointerEvent) => {
    const target = start.target as HTMLElement;
    if (!isGrid() || start.button !== 0 || start.pointerType === 'touch' || target.closest('summary, form')) return;
    const from = slotOf(card);
    const home = card.parentElement;
    const { top, bottom } = card.getBoundingClientRect();
    const isLength = target.classList.contains('grip');
    let to = from;
    follow(
      main,
      start,
      (event) => {
        card.classList.add('dragged');
        const at = under(event, isLength ? start.clientY - bottom : start.clientY - top);
        if (!at) return;
        if (isLength) {
          const length = Math.round((at.offset - from.offset) / STEP) * STEP;
          to = { ...from, length: Math.max(STEP + number(card, 'talk'), length) };
        } else {
          to = { ...from, hall: at.hall.dataset.hall ?? from.hall, offset: snap(at.offset, from.length) };
          const list = at.hall.querySelector('.plan');
          if (list && card.parentElement !== list) list.append(card);
        }
        card.dataset.offset = String(to.offset);
        card.dataset.length = String(to.length);
        positionCard(card);
        announce(`${clock(to.offset)}–${clock(to.offset + to.length)}, ${to.hall}`);
      },
      (done) => {
        card.classList.remove('dragged');
        home?.append(card);
        card.dataset.offset = String(from.offset);
        card.dataset.length = String(from.length);
        positionCard(card);
        if (done) move(card, to);
        else announce('');
      },
    );
  };

  /** Drags a film onto the plan. */
  const dragFilm = (film: HTMLElement) => (start: PointerEvent) => {
    const form = main.querySelector<HTMLFormElement>('#add');
    const button = film.querySelector('button');
    if (!form || !isGrid() || start.button !== 0 || start.pointerType === 'touch') return;
    if ((start.target as HTMLElement).closest('button')) return;
    const length = number(film, 'minutes') || 120;
    const ghost = make('div', { class: 'ghost' }, film.querySelector('b')?.textContent ?? '');
    ghost.style.setProperty('--length', String(length));
    let at: { hall: HTMLElement; offset: number } | undefined;
    follow(
      main,
      start,
      (event) => {
        at = under(event, 0);
        if (!at) return ghost.remove();
        at.offset = snap(at.offset, length);
        ghost.style.setProperty('--offset', String(at.offset));
        at.hall.querySelector('.plan')?.append(ghost);
        announce(`${clock(at.offset)}–${clock(at.offset + length)}, ${at.hall.dataset.hall}`);
      },
      (done) => {
        ghost.remove();
        if (!done || !at) return announce('');
        field(form, 'hall').value = at.hall.dataset.hall ?? '';
        field(form, 'time').value = clock(at.offset);
        form.noValidate = true;
        form.requestSubmit(button);
      },
    );
  };

  const isGrid = () => main.querySelector('.halls')?.classList.contains('grid') ?? false;

  /** The first minute of the grid, and the number of its minutes. */
  const range = (): [number, number] => {
    const cards = [...main.querySelectorAll<HTMLElement>('.plan > li')];
    const begins = cards.map((card) => number(card, 'offset'));
    const ends = cards.map((card) => number(card, 'offset') + number(card, 'length'));
    const from = Math.floor(Math.min(SHOWN_HOURS[0], ...begins) / 60) * 60;
    const to = Math.ceil(Math.max(SHOWN_HOURS[1], ...ends) / 60) * 60;
    return [from, to - from];
  };

  const arrange = () => {
    const plan = main.querySelector<HTMLElement>('[data-plan]');
    const grid = plan?.querySelector<HTMLElement>('.halls');
    if (!plan || !grid) return;
    grid.classList.toggle('grid', wide.matches);
    const [from, minutes] = range();
    grid.style.setProperty('--from', String(from));
    grid.style.setProperty('--minutes', String(minutes));
    grid.style.setProperty('--halls', String(halls().length));
    const hours = make('ol', { class: 'hours', 'aria-hidden': 'true' });
    for (let hour = from; hour < from + minutes; hour += 60) hours.append(make('li', {}, clock(hour)));
    grid.prepend(hours);
    const mayMove = main.querySelector('#add') !== null;
    for (const card of grid.querySelectorAll<HTMLElement>('.plan > li')) {
      positionCard(card);
      if (!mayMove) continue;
      card.append(make('span', { class: 'grip' }));
      card.addEventListener('pointerdown', drag(card));
      card.addEventListener('dragstart', (event) => event.preventDefault());
      card.querySelector('a')?.addEventListener('keydown', onKey(card));
    }
    if (mayMove) grid.before(make('p', { class: 'hint' }, HINT));
    const hall = main.querySelector<HTMLSelectElement>('#add-hall');
    hall?.addEventListener('change', () => {
      if (hall.form) field(hall.form, 'time').value = hall.selectedOptions[0]?.dataset.free ?? '';
    });
    list(plan);
  };

  /** The films: searched, and dragged onto the plan. */
  const list = (plan: HTMLElement) => {
    const films = plan.querySelector<HTMLElement>('.films');
    const rows = [...plan.querySelectorAll<HTMLElement>('.films li')];
    const input = make('input', {
      type: 'search',
      'aria-label': 'Search films',
      placeholder: 'Search',
      id: 'search-films',
    });
    const filter = () => {
      search = input.value;
      const wanted = search.toLowerCase();
      for (const row of rows) row.hidden = !row.textContent?.toLowerCase().includes(wanted);
    };
    input.value = search;
    input.addEventListener('input', filter);
    films?.querySelector('ul')?.before(input);
    filter();
    for (const row of rows) row.addEventListener('pointerdown', dragFilm(row));
  };

  main.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.closest('[data-plan]') && form.id !== 'add') return;
    event.preventDefault();
    event.stopPropagation();
    if (form.id !== 'add') return queue(form);
    // After adding a film, the focus returns to the search for the next one.
    void post(form, event.submitter).then(
      (done) => {
        const film = main.querySelector<HTMLInputElement>('#add-film');
        if (!done) film?.setAttribute('aria-invalid', 'true');
        if (event.submitter?.closest('#add')) film?.focus();
      },
      () => announce('Not saved: there is no connection. Try again.'),
    );
  });

  const wide = matchMedia('(min-width: 64rem)');
  wide.addEventListener('change', () => main.querySelector('.halls')?.classList.toggle('grid', wide.matches));
  arrange();
}

const HINT =
  'Drag screenings and films, or select a screening and press Alt with an arrow key; Alt, Shift and an arrow key change its length.';
