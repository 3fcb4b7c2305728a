import { footer, rules } from '../papers/rules.mjs';
import { programme } from '../papers/programme.mjs';
import { schedule } from '../papers/schedule.mjs';

/** What visitors take away on paper: the rules of the awards, the schedule of the science festival, programmes of earlier years. */
export async function papers(studio, { documents, edition, product }) {
  for (const own of Object.values(documents.rules)) {
    await studio.write(`documents/${own.slug}.pdf`, await studio.print(rules(own, product), footer(own.title)));
  }
  const of = (festival) => ({
    page: edition.pages.find(({ slug }) => slug === festival),
    sessions: edition.sessions.filter((session) => session.festival === festival),
    packages: edition.packages.filter((one) => one.festival === festival),
  });
  await studio.write('documents/isff-schedule.pdf', await studio.print(schedule(of('isff-2025'), product)));
  for (const own of documents.programmes) {
    await studio.write(`documents/${own.slug}.pdf`, await studio.print(programme(own, product)));
  }
}
