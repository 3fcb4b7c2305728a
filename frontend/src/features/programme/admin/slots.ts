/** Hall and time of screenings: on the grid, and in their forms. */

/** Minutes to which everything snaps. */
export const STEP = 5;
/** Minutes since 05:00, when a festival day begins, that the grid shows at least: 09:00 to midnight. */
export const SHOWN_HOURS = [240, 1140] as const;
export const DAY = 1440;

/** Hall, start in minutes since the beginning of the festival day, and length including the talk. */
export interface Slot {
  hall: string;
  offset: number;
  length: number;
}

/** Minutes since 05:00 as "18:30". */
export function clock(offset: number): string {
  const minutes = (offset + 300) % DAY;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** Rounds an offset to five minutes within the day. */
export function snap(offset: number, length: number): number {
  return Math.max(0, Math.min(DAY - length, Math.round(offset / STEP) * STEP));
}

/** A number from a data attribute; 0 if there is none. */
export const number = (element: HTMLElement, name: string) => Number(element.dataset[name]) || 0;

/** The slot from the form of a screening. */
export type FormSlot = Record<'day' | 'hall' | 'time' | 'minutes', string>;

export function field(form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement {
  return form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}

/** The slot in a form: the new one, or with "was_" the original one. */
export function formSlot(form: HTMLFormElement, prefix: '' | 'was_'): FormSlot {
  const value = (name: string) => field(form, `${prefix}${name}`).value;
  const day = field(form, prefix ? 'visible_day' : 'day').value;
  return { day, hall: value('hall'), time: value('time'), minutes: value('minutes') };
}

export function setOriginal(form: HTMLFormElement, slot: FormSlot): void {
  field(form, 'visible_day').value = slot.day;
  for (const name of ['hall', 'time', 'minutes'] as const) field(form, `was_${name}`).value = slot[name];
}

export function slotOf(card: HTMLElement): Slot {
  const hall = card.closest<HTMLElement>('.hall')?.dataset.hall ?? '';
  return { hall, offset: number(card, 'offset'), length: number(card, 'length') };
}

/** Positions a card by its time; a card that overlaps an earlier one is on top of it, indented. */
export function positionCard(card: HTMLElement): void {
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
