/** A seed with an edition and some upcoming events. */
export function events(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `
[[upcoming_events]]
event = "Event ${index + 1}"
event_datetime = 2025-10-2${index}T18:00:00+05:30
location = "Hall ${index + 1}"
`,
  );
  return `
[edition]
year = 2025
ordinal = 20
name = "20th Lamp Film Festival"
starts_on = 2025-10-24
ends_on = 2025-10-31
${rows.join('')}`;
}

/** Words that compress no better than natural text. */
function writer(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const syllables = 'an ba chi da el fo gri ha ing jo ka lu me no or pe qui ra sha tu un ve wo yel zo the of and in to'.split(' ');
  const letters = 'അ ക ഖ ഗ ച ജ ട ത ദ ന പ ബ മ യ ര ല വ ശ സ ഹ ഴ'.split(' ');
  const word = (parts: string[]) => Array.from({ length: 1 + next(3) }, () => parts[next(parts.length)]).join('');
  const words = (count: number, parts = syllables) => Array.from({ length: count }, () => word(parts)).join(' ');
  return { next, words, malayalam: (count: number) => words(count, letters) };
}

/** A seed with the programme of a large festival: 216 films, 320 screenings in 8 halls on 8 days. */
export function largeProgramme(firstDay = '2025-10-24'): string {
  const date = (day: number) => new Date(Date.parse(firstDay) + day * 86_400_000).toISOString().slice(0, 10);
  const { next, words, malayalam } = writer(20);
  const title = (index: number) => `${words(2)} ${index}`;
  const titles = Array.from({ length: 216 }, (_, index) => title(index));
  const films = titles.map(
    (name, index) => `
[[films]]
category = "section-${index % 12}"
name = "${name}"
original_title = "${index % 3 ? words(2) : malayalam(2)}"
director_name = "${words(2)}"
country = "${words(1)}"
language = "${words(1)}"
synopsis = "${words(60)}"
year = 2025
duration_minutes = ${80 + next(40)}

[[certificates]]
film = "${name}"
status = "certified"
`,
  );
  const screenings = Array.from({ length: 320 }, (_, index) => {
    const [hall, slot, day] = [index % 8, Math.floor(index / 8) % 5, Math.floor(index / 40)];
    const minutes = 9 * 60 + slot * 165;
    const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    return `
[[screenings]]
code = "S${index}"
film = "${titles[index % titles.length]}"
hall = "Hall ${hall}"
starts_at = ${date(day)}T${time}:00
subtitles = "English"
${next(5) === 0 ? `guests = "${words(2)}"` : ''}
`;
  });
  const numbered = (kind: string, count: number, rows: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `\n[[${kind}]]\n${rows(index)}\n`);
  return [
    `[edition]
year = 2025
ordinal = 20
name = "20th Lamp Film Festival"
starts_on = ${date(0)}
ends_on = ${date(7)}
`,
    ...numbered('categories', 12, (index) => `slug = "section-${index}"\nname = "${words(2)}"`),
    ...numbered('halls', 8, (index) => `name = "Hall ${index}"\nvenue = "${words(2)}"\ncapacity = 300`),
    ...films,
    ...screenings,
  ].join('');
}
