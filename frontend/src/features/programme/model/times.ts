/** Times of the programme as the server writes them, in the festival's own zone: nothing depends on where the visitor is. */
import type { ProgrammeFilm, Screening } from '@/shared/api';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** "2026-12-11T18:30:00+05:30" as "18:30". */
export function clockOf(at: string): string {
  return at.slice(11, 16);
}

/** "2026-12-11" as "Fri 11 Dec". */
export function dayName(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return `${WEEKDAYS[new Date(Date.UTC(year, month - 1, date)).getUTCDay()]} ${date} ${MONTHS[month - 1]}`;
}

/** Whether a screening begins after the midnight of its festival day. */
export function isAfterMidnight({ day, starts_at }: Pick<Screening, 'day' | 'starts_at'>): boolean {
  return starts_at.slice(0, 10) > day;
}

/** "Fri 11 Dec, 18:30"; a night belongs to the evening before it: "Fri 11 Dec, 00:30 after midnight". */
export function whenOf(screening: Pick<Screening, 'day' | 'starts_at'>): string {
  const late = isAfterMidnight(screening) ? ' after midnight' : '';
  return `${dayName(screening.day)}, ${clockOf(screening.starts_at)}${late}`;
}

/** Minutes from the midnight with which a festival day begins: 00:30 of the same night is 1470. */
export function minutesInto(day: string, at: string): number {
  const [hours = 0, minutes = 0] = clockOf(at).split(':').map(Number);
  return hours * 60 + minutes + (at.slice(0, 10) > day ? 24 * 60 : 0);
}

/**
 * Which festival day it is; a day lasts until 5 in the morning. Null before and after the festival. The offset is that of
 * the screenings' own times: the first `Intl.DateTimeFormat` of a page keeps a slow phone busy for 80 ms.
 */
export function festivalDay(screenings: Screening[], now: number): string | null {
  const isToday = ({ day, starts_at }: Screening) => {
    const offset = Date.parse(`${starts_at.slice(0, 19)}Z`) - Date.parse(starts_at);
    return new Date(now + offset - 5 * 3600_000).toISOString().startsWith(day);
  };
  return screenings.find(isToday)?.day ?? null;
}

/** The address of a film's page. */
export function filmPath({ id, section }: Pick<ProgrammeFilm, 'id' | 'section'>): string {
  return `/films/${section.id}?film=${id}`;
}

/** The address of a screening in the programme of its day. */
export function screeningPath({ id }: Pick<Screening, 'id'>): string {
  return `/programme?screening=${id}`;
}

/** Whether a screening runs at a time, in milliseconds. */
export function isOn({ starts_at, ends_at, cancelled }: Screening, now: number): boolean {
  return !cancelled && Date.parse(starts_at) <= now && now < Date.parse(ends_at);
}

/** Whether a screening is over at a time, in milliseconds. */
export function isOver({ ends_at }: Pick<Screening, 'ends_at'>, now: number): boolean {
  return Date.parse(ends_at) <= now;
}

/** "20261211T130000Z", as web calendars expect it. */
function compact(at: string): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Addresses that add a screening to web calendars. */
export function calendarLinks(
  { title, starts_at, ends_at }: Screening,
  place: string,
): { google: string; outlook: string } {
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(starts_at)}/${compact(ends_at)}`,
    location: place,
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: starts_at,
    enddt: ends_at,
    location: place,
  });
  return {
    google: `https://calendar.google.com/calendar/render?${google}`,
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`,
  };
}
