// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * The latest change of a screening since the first release.
 */
export type Change = { kind: ChangeKind, 
/**
 * When it was released, RFC 3339.
 */
at: string, 
/**
 * Where and when it was, of a moved screening.
 */
was: Slot | null, };

/**
 * How a screening changed.
 */
export type ChangeKind = "new" | "moved" | "cancelled" | "changed";

/**
 * A hall.
 */
export type Hall = { id: number, name: string, 
/**
 * The house that it is in.
 */
venue: string | null, map_link: string | null, capacity: number | null, wheelchair_seats: number | null, 
/**
 * The ways to other halls.
 */
walking: Array<Walk>, };

/**
 * A line of the list of changes.
 */
export type LoggedChange = { 
/**
 * The release that brought it.
 */
version: number, 
/**
 * When it was released, RFC 3339.
 */
at: string, 
/**
 * Id of the screening.
 */
screening: number, kind: ChangeKind, title: string, 
/**
 * Null for a new screening.
 */
was: Slot | null, 
/**
 * Null for a cancelled screening.
 */
now: Slot | null, };

/**
 * The whole released programme of an edition.
 */
export type Programme = { 
/**
 * Number of the release; 0 before the first one.
 */
version: number, 
/**
 * When it was released, RFC 3339 with the offset of the time zone; null before the first release.
 */
released_at: string | null, 
/**
 * The festival's time zone: "Asia/Kolkata".
 */
time_zone: string, 
/**
 * The days with screenings. A day ends at 05:00 in the morning.
 */
days: Array<string>, halls: Array<Hall>, 
/**
 * The films with a screening.
 */
films: Array<ProgrammeFilm>, 
/**
 * In the order of their beginning.
 */
screenings: Array<Screening>, };

/**
 * What changed since a release.
 */
export type ProgrammeChanges = { 
/**
 * Number of the latest release; 0 before the first one.
 */
version: number, 
/**
 * The latest release first.
 */
changes: Array<LoggedChange>, };

/**
 * A film with a screening.
 */
export type ProgrammeFilm = { id: number, title: string, 
/**
 * The title in its own language and script.
 */
original_title: string | null, directors: Array<string>, countries: Array<string>, languages: Array<string>, year: number | null, 
/**
 * Running time.
 */
minutes: number | null, section: Section, 
/**
 * The beginning of the synopsis.
 */
synopsis: string | null, 
/**
 * Address of the poster.
 */
poster: string | null, 
/**
 * Alternative text of the poster.
 */
poster_alt: string | null, };

/**
 * Where today stands in the festival, by the server's clock.
 */
export type ProgrammeToday = { 
/**
 * The festival day that it is; null on all other days.
 */
day: string | null, 
/**
 * The latest beginning or end of a screening that has passed, RFC 3339: since then the same ones run. Null before
 * the first one.
 */
since: string | null, };

/**
 * A screening, or another event of the programme.
 */
export type Screening = { id: number, 
/**
 * The festival day: a screening at 00:30 belongs to the evening before.
 */
day: string, 
/**
 * RFC 3339 with the offset of the festival's time zone.
 */
starts_at: string, 
/**
 * When it is over, with the talk.
 */
ends_at: string, 
/**
 * Minutes without the talk.
 */
minutes: number, talk_minutes: number, 
/**
 * Id of the hall.
 */
hall: number, kind: "film" | "package" | "talk" | "ceremony", 
/**
 * Its own title, or those of its films.
 */
title: string, 
/**
 * Ids of its films, in their order.
 */
films: number[], 
/**
 * Names of the guests.
 */
guests: Array<string>, 
/**
 * Whether guests are announced, also without names.
 */
with_guests: boolean, language: string | null, subtitles: string | null, audience: "all" | "delegates", cancelled: boolean, 
/**
 * Its latest change since the first release.
 */
change: Change | null, 
/**
 * The release in which it is new or last changed.
 */
version: number, };

/**
 * The section of a film.
 */
export type Section = { id: number, name: string, };

/**
 * Where and when a screening is, or was.
 */
export type Slot = { 
/**
 * Id of the hall.
 */
hall: number, 
/**
 * RFC 3339 with the offset of the festival's time zone.
 */
starts_at: string, };

/**
 * The way to another hall.
 */
export type Walk = { 
/**
 * Id of the other hall.
 */
hall: number, 
/**
 * Minutes on foot.
 */
minutes: number, };
