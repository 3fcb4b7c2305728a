/**
 * Days and times of the programme as text. They are read from the strings that the API sends, which have the festival's
 * own clock: the server and every visitor, wherever they are, see the same.
 */
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** "Friday" and "11 December" for 2026-12-11. */
export function dayNames(day: string): { weekday: string; date: string } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const weekday = DAYS[new Date(Date.UTC(year, month - 1, date)).getUTCDay()] ?? '';
  return { weekday, date: `${date} ${MONTHS[month - 1] ?? ''}` };
}

/** "Fri 11 Dec" for 2026-12-11. */
export function shortDay(day: string): string {
  const { weekday, date } = dayNames(day);
  const [number, month = ''] = date.split(' ');
  return `${weekday.slice(0, 3)} ${number} ${month.slice(0, 3)}`;
}

/** "6:30 pm" for 2026-12-11T18:30:00+05:30. */
export function clock(time: string): string {
  const hour = Number(time.slice(11, 13));
  return `${hour % 12 || 12}:${time.slice(14, 16)} ${hour < 12 ? 'am' : 'pm'}`;
}

/** The hour in which something begins, after the midnight of its day counted on: 24 for 00:30 of the night. */
export function hourOf(day: string, time: string): number {
  const hour = Number(time.slice(11, 13));
  return time.slice(0, 10) === day ? hour : hour + 24;
}

/** "6 pm" for 18 and for 42. */
export function hourName(hour: number): string {
  const within = hour % 24;
  return `${within % 12 || 12} ${within < 12 ? 'am' : 'pm'}`;
}
