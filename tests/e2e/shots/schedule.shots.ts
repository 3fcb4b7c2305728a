import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../support/program.ts';
import { expect, test } from '../support/test.ts';
import { webp } from '../support/webp.ts';

// The pictures of the demonstration's screening schedule, drawn from its released programme:
//   cd tests/e2e && FESTIVAL_SHOTS=1 npx playwright test --project=shots schedule
// What they say is written to tests/fixtures/demonstration-pictures.json, which tests/it compares with the programme.

interface Planned {
  days: string[];
  halls: { id: number; name: string }[];
  screenings: { day: string; title: string; hall: number; starts_at: string; cancelled: boolean }[];
}

const texts = join(root, 'tests/fixtures/demonstration-pictures.json');
const folder = join(root, 'config/editions/pictures/schedule');
const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];
/** Background, wedge, text and times of each day. */
const colours = [
  ['#ffe6a6', '#a2301c', '#0b0a0c', '#a2301c'],
  ['#a2301c', '#f2b233', '#ffe6a6', '#f2b233'],
  ['#12483c', '#f2b233', '#ffe6a6', '#f2b233'],
  ['#f2b233', '#a2301c', '#0b0a0c', '#a2301c'],
  ['#0b0a0c', '#e2583a', '#ffe6a6', '#f2b233'],
  ['#8fc3a5', '#a2301c', '#0b0a0c', '#12483c'],
  ['#fbf6ea', '#12483c', '#0b0a0c', '#a2301c'],
  ['#1a171b', '#ffe6a6', '#ffe6a6', '#f2b233'],
];

test.use({ bypassCSP: true });

test('the pictures of the screening schedule', async ({ page, siteOf, watch }) => {
  watch.expect(/./);
  const site = await siteOf('exact');
  const programme = await site.get<Planned>('/programme/');
  await mkdir(folder, { recursive: true });
  await page.setViewportSize({ width: 1000, height: 1250 });
  await page.goto(`${site.url}/programme`);
  await page.addStyleTag({
    content: `body { background: none } .day { position: fixed; inset: 0; z-index: 9999; padding: 60px 50px; background: var(--back); color: var(--ink) }
      .day::before { content: ''; position: absolute; inset: 0 0 auto 34%; height: 330px; background: var(--wedge); clip-path: polygon(0 0, 100% 0, 100% 100%) }
      .day > * { position: relative } .number { font: 800 240px/0.8 var(--font); font-stretch: 75%; position: absolute; inset: 50px auto auto 50px }
      .name { margin: 120px 0 0 330px; font: 800 76px/1 var(--font); font-stretch: 75% } .which { margin: 6px 0 70px 330px; font: 400 30px/1.2 var(--font); color: var(--ink) }
      .day li { display: grid; grid-template-columns: 110px 1fr auto; gap: 16px; align-items: baseline; padding: 9px 0 7px; border-top: 2px solid currentColor; font: 800 32px/1.1 var(--font); font-stretch: 75% }
      .day li b { color: var(--hours) } .day li i { font: 400 24px/1.1 var(--font); font-style: normal }`,
  });
  const schedule: string[][] = [];
  for (const [at, day] of programme.days.entries()) {
    const [back, wedge, ink, hours] = colours[at] ?? [];
    const slots = programme.screenings
      .filter((screening) => screening.day === day && !screening.cancelled)
      .map(({ starts_at, title, hall }) => ({
        time: starts_at.slice(11, 16),
        title,
        hall: programme.halls.find(({ id }) => id === hall)?.name ?? '',
      }));
    schedule.push(slots.map(({ time, title, hall }) => `${time} ${title}, ${hall}`));
    await page.evaluate(
      ({ number, name, which, slots, colours }) => {
        document.querySelector('.day')?.remove();
        const picture = document.createElement('div');
        picture.className = 'day';
        for (const [key, value] of Object.entries(colours)) picture.style.setProperty(`--${key}`, value ?? '');
        const add = (parent: Element, tag: string, text: string, className = '') => {
          const element = document.createElement(tag);
          element.className = className;
          element.textContent = text;
          parent.append(element);
          return element;
        };
        add(picture, 'p', String(number), 'number');
        add(picture, 'p', name, 'name');
        add(picture, 'p', which, 'which');
        const list = add(picture, 'ul', '');
        for (const { time, title, hall } of slots) {
          const line = add(list, 'li', '');
          add(line, 'b', time);
          add(line, 'span', title);
          add(line, 'i', hall);
        }
        document.body.append(picture);
      },
      {
        number: at + 1,
        name: new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' }),
        which: `${ordinals[at]} day of the festival`,
        slots,
        colours: { back, wedge, ink, hours },
      },
    );
    await page.evaluate(() => document.fonts.ready);
    const bottom = await page.locator('.day li').last().evaluate((line) => line.getBoundingClientRect().bottom);
    expect(bottom, day).toBeLessThan(1240);
    await writeFile(join(folder, `day-${at + 1}.webp`), await webp(page, await page.screenshot()));
  }
  const { daily_events } = JSON.parse(await readFile(texts, 'utf8'));
  await writeFile(texts, `${JSON.stringify({ schedule, daily_events }, null, 2)}\n`);
});
