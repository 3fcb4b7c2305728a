/**
 * The plan of a day as halls by time: screenings are dragged, or moved with the keyboard. Each move submits the form that the
 * page has for it, and the answer's page takes the place of this one.
 */
import { make } from './window';

/** Minutes that everything snaps to. */
const STEP = 5;
/** Minutes since 05:00, when a festival day begins, that the grid shows at least: 09:00 to midnight. */
const SHOWN = [240, 1140] as const;
const DAY = 1440;
/** Pixels that the pointer moves before that is dragging. */
const SLACK = 4;

/** Where and how long: minutes since the beginning of the festival day; the length with the talk. */
interface Place {
  hall: string;
  offset: number;
  length: number;
}

/** "18:30" of minutes since 05:00. */
export function clock(offset: number): string {
  const minutes = (offset + 300) % DAY;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** The nearest offset on five minutes within the day. */
export function snap(offset: number, length: number): number {
  return Math.max(0, Math.min(DAY - length, Math.round(offset / STEP) * STEP));
}

const number = (element: HTMLElement, name: string) => Number(element.dataset[name]) || 0;

/** Makes the page's plan a grid, and keeps it one through every answer. */
export function makePlan(main: HTMLElement): void {
  const said = make('p', { role: 'status' });
  const bar = make('div', { class: 'plan-said', hidden: '' }, said);
  document.body.append(bar);
  /** Moves that wait for the answer to the one before, by screening: only the last of each counts. */
  const waiting = new Map<string, HTMLFormElement>();
  let isSending = false;
  let search = '';

  const tell = (text: string, undo?: () => void) => {
    said.textContent = text;
    bar.hidden = text === '';
    bar.querySelector('button')?.remove();
    if (!undo) return;
    const button = make('button', { type: 'button', class: 'button quiet' }, 'Undo');
    button.addEventListener('click', undo);
    bar.append(button);
  };

  /** Posts a form; the answer is the plan as it is now. Returns whether the change was made. */
  const post = async (form: HTMLFormElement, submitter?: HTMLElement | null): Promise<boolean> => {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value));
    const response = await fetch(form.action, { method: 'POST', body });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.querySelector('main');
    // Somebody who is no longer signed in gets another page.
    if (!next?.querySelector('[data-plan]')) {
      location.reload();
      return false;
    }
    const message = next.querySelector('.flash')?.textContent?.trim() ?? '';
    if (waiting.size === 0) show(next);
    tell(message);
    if (response.redirected) history.replaceState(null, '', response.url);
    return response.ok;
  };

  const show = (next: HTMLElement) => {
    for (const flash of next.querySelectorAll('.flash')) flash.remove();
    const focus = document.activeElement?.id;
    const [window, grid] = [scrollY, main.querySelector('.halls')];
    const [left, top] = [grid?.scrollLeft ?? 0, grid?.scrollTop ?? 0];
    main.replaceChildren(...next.childNodes);
    arrange();
    main.querySelector('.halls')?.scrollTo({ left, top });
    scrollTo({ top: window });
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  };

  /** Sends what waits, one after another. */
  const send = async () => {
    if (isSending) return;
    isSending = true;
    try {
      for (let [first] = waiting; first; [first] = waiting) {
        const [id, form] = first;
        waiting.delete(id);
        // What is sent: keys may change the form while the answer is awaited.
        const [before, after] = [placeOf(form, 'was_'), placeOf(form, '')];
        if (!(await post(form))) {
          waiting.clear();
          break;
        }
        // A further move of the same screening starts where this one ended.
        const further = waiting.get(id);
        if (further) setSeen(further, after);
        else offerUndo(id, before, after);
      }
    } catch {
      waiting.clear();
      tell('Not saved: there is no connection. Reload the page, then try again.');
    } finally {
      isSending = false;
    }
  };

  const offerUndo = (id: string, before: FormPlace, after: FormPlace) => {
    tell(said.textContent ?? '', () => {
      const form = main.querySelector<HTMLFormElement>(`#screening-${id} form`);
      if (!form) return;
      setSeen(form, after);
      for (const [name, value] of Object.entries(before)) field(form, name).value = value;
      queue(form);
    });
  };

  const queue = (form: HTMLFormElement) => {
    waiting.set(field(form, 'screening').value, form);
    void send();
  };

  /** Fills the form of a screening with its new place, and sends it. */
  const move = (card: HTMLElement, to: Place) => {
    const form = card.querySelector('form');
    const from = placeOfCard(card);
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
    place(card);
    tell(`${clock(to.offset)}–${clock(to.offset + to.length)}, ${to.hall}`);
    queue(form);
  };

  const halls = () => [...main.querySelectorAll<HTMLElement>('.hall')];

  const onKey = (card: HTMLElement) => (event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined && side === undefined) return;
    event.preventDefault();
    const to = placeOfCard(card);
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

  /**
   * Follows the pointer until it lets go. `onMove` gets the event; `onDrop` whether it was dragged and not given up. What is
   * dragged changes its place in the document, so the whole page has the pointer.
   */
  const follow = (start: PointerEvent, onMove: (event: PointerEvent) => void, onDrop: (done: boolean) => void) => {
    let isDragged = false;
    const watch = new AbortController();
    const end = (done: boolean) => {
      watch.abort();
      if (!isDragged) return;
      // The click at the end of a drag opens nothing.
      const stop = (event: Event) => event.preventDefault();
      main.addEventListener('click', stop, { capture: true, once: true });
      setTimeout(() => main.removeEventListener('click', stop, { capture: true }));
      onDrop(done);
    };
    const on = { signal: watch.signal };
    main.addEventListener(
      'pointermove',
      (event) => {
        if (!isDragged && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < SLACK) return;
        if (!isDragged) main.setPointerCapture(start.pointerId);
        isDragged = true;
        onMove(event);
      },
      on,
    );
    main.addEventListener('pointerup', () => end(true), on);
    main.addEventListener('pointercancel', () => end(false), on);
    addEventListener('keydown', (event) => event.key === 'Escape' && end(false), on);
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
    const from = placeOfCard(card);
    const home = card.parentElement;
    const { top, bottom } = card.getBoundingClientRect();
    const isLength = target.classList.contains('grip');
    let to = from;
    follow(
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
        place(card);
        tell(`${clock(to.offset)}–${clock(to.offset + to.length)}, ${to.hall}`);
      },
      (done) => {
        card.classList.remove('dragged');
        home?.append(card);
        card.dataset.offset = String(from.offset);
        card.dataset.length = String(from.length);
        place(card);
        if (done) move(card, to);
        else tell('');
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
      start,
      (event) => {
        at = under(event, 0);
        if (!at) return ghost.remove();
        at.offset = snap(at.offset, length);
        ghost.style.setProperty('--offset', String(at.offset));
        at.hall.querySelector('.plan')?.append(ghost);
        tell(`${clock(at.offset)}–${clock(at.offset + length)}, ${at.hall.dataset.hall}`);
      },
      (done) => {
        ghost.remove();
        if (!done || !at) return tell('');
        field(form, 'hall').value = at.hall.dataset.hall ?? '';
        field(form, 'time').value = clock(at.offset);
        form.noValidate = true;
        form.requestSubmit(button);
      },
    );
  };

  const isGrid = () => main.querySelector('.halls')?.classList.contains('grid') ?? false;

  /** The first minute that the grid shows, and the number of its minutes. */
  const range = (): [number, number] => {
    const cards = [...main.querySelectorAll<HTMLElement>('.plan > li')];
    const begins = cards.map((card) => number(card, 'offset'));
    const ends = cards.map((card) => number(card, 'offset') + number(card, 'length'));
    const from = Math.floor(Math.min(SHOWN[0], ...begins) / 60) * 60;
    const to = Math.ceil(Math.max(SHOWN[1], ...ends) / 60) * 60;
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
      place(card);
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
    // After adding, the next film is typed at once.
    void post(form, event.submitter).then(
      (done) => {
        const film = main.querySelector<HTMLInputElement>('#add-film');
        if (!done) film?.setAttribute('aria-invalid', 'true');
        if (event.submitter?.closest('#add')) film?.focus();
      },
      () => tell('Not saved: there is no connection. Try again.'),
    );
  });

  const wide = matchMedia('(min-width: 64rem)');
  wide.addEventListener('change', () => main.querySelector('.halls')?.classList.toggle('grid', wide.matches));
  arrange();
}

const HINT =
  'Drag screenings and films, or select a screening and press Alt with an arrow key; Alt, Shift and an arrow key change its length.';

type FormPlace = Record<'day' | 'hall' | 'time' | 'minutes', string>;

function field(form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement {
  return form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}

/** The place in a form: the new one, or with "was_" the one that was seen. */
function placeOf(form: HTMLFormElement, prefix: '' | 'was_'): FormPlace {
  const value = (name: string) => field(form, `${prefix}${name}`).value;
  const day = field(form, prefix ? 'shown' : 'day').value;
  return { day, hall: value('hall'), time: value('time'), minutes: value('minutes') };
}

function setSeen(form: HTMLFormElement, place: FormPlace): void {
  field(form, 'shown').value = place.day;
  for (const name of ['hall', 'time', 'minutes'] as const) field(form, `was_${name}`).value = place[name];
}

function placeOfCard(card: HTMLElement): Place {
  const hall = card.closest<HTMLElement>('.hall')?.dataset.hall ?? '';
  return { hall, offset: number(card, 'offset'), length: number(card, 'length') };
}

/** Puts a card where its time is; a card that begins while another lasts lies over it, indented. */
function place(card: HTMLElement): void {
  card.style.setProperty('--offset', card.dataset.offset ?? '0');
  card.style.setProperty('--length', card.dataset.length ?? '0');
  const times = card.querySelector('b');
  const end = number(card, 'offset') + number(card, 'length');
  if (times) times.textContent = `${clock(number(card, 'offset'))}–${clock(end)}`;
  const begin = number(card, 'offset');
  const others = [...(card.parentElement?.children ?? [])] as HTMLElement[];
  const covers = (other: HTMLElement) => {
    const start = number(other, 'offset');
    return other !== card && start <= begin && begin < start + number(other, 'length');
  };
  card.classList.toggle('over', others.some(covers));
}
