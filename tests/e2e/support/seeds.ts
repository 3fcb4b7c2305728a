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
