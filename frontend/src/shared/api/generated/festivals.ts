// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * An award as the API says it.
 */
export type Award = { id: number, name: string, 
/**
 * The prize in rupees.
 */
amount: number, 
/**
 * The prize for people: "₹1,00,000".
 */
amount_text: string, description: string | null, };

/**
 * A guest as the API says it.
 */
export type Guest = { id: number, name: string, 
/**
 * What the guest is known for or does here.
 */
role: string | null, 
/**
 * Address of the portrait.
 */
portrait: string | null, };

/**
 * A year as the API says it.
 */
export type HistoryYear = { id: number, year: number, 
/**
 * "7th"; null where the festival was not held.
 */
edition: string | null, 
/**
 * "12 to 18 December".
 */
dates: string | null, venue: string | null, 
/**
 * The festival director.
 */
director: string | null, chair: string | null, };

/**
 * A namesake as the API says it.
 */
export type Namesake = { id: number, name: string, 
/**
 * The anchor on the page about the festival's name.
 */
slug: string, 
/**
 * The award that carries the name.
 */
award: string | null, 
/**
 * "1931–2004".
 */
life: string | null, 
/**
 * Sanitised HTML.
 */
biography: string | null, 
/**
 * Address of the portrait.
 */
portrait: string | null, };

/**
 * Something that runs now or begins within two weeks.
 */
export type NextItem = { title: string, place: string | null, 
/**
 * When it begins, RFC 3339 with the festival zone's offset.
 */
starts_at: string, 
/**
 * When it is, for people: "Now, until 5:00 PM", "Today, 6:30 PM", "Tomorrow, 6:30 PM", "Friday 24 October, 6:30 PM".
 */
when_text: string, 
/**
 * The page that tells more; null where there is none.
 */
href: string | null, };

/**
 * An organiser as the API says it.
 */
export type Organiser = { id: number, name: string, 
/**
 * Its part in the festival.
 */
role: string | null, 
/**
 * Address of the mark.
 */
logo: string | null, 
/**
 * Address of the website.
 */
href: string | null, };

/**
 * A package as the API says it.
 */
export type Package = { id: number, title: string, description: string | null, 
/**
 * Its films, each on one line.
 */
films: Array<string>, 
/**
 * "11 films, 88 minutes".
 */
extent_text: string | null, 
/**
 * Address of the picture.
 */
image: string | null, };

/**
 * A partner as the API says it.
 */
export type Partner = { id: number, name: string, 
/**
 * What it gives: "Principal partner", "Hospitality".
 */
kind: string | null, 
/**
 * Address of the mark.
 */
logo: string | null, 
/**
 * Address of the website.
 */
href: string | null, };

/**
 * A picture as the API says it: a poster, a tile of the screening schedule, an event of a day.
 */
export type Picture = { id: number, title: string | null, 
/**
 * Address of the picture.
 */
image: string | null, };

/**
 * A session as the API says it.
 */
export type Session = { id: number, 
/**
 * When it begins, RFC 3339 with the festival zone's offset.
 */
starts_at: string, 
/**
 * "4:00 PM".
 */
starts_at_text: string, 
/**
 * When it ends.
 */
ends_at: string | null, ends_at_text: string | null, 
/**
 * What it is: "lecture".
 */
kind: string, 
/**
 * What it is, for people: "Lecture".
 */
kind_text: string, title: string, 
/**
 * Who lectures, talks, teaches.
 */
person: string | null, place: string | null, description: string | null, };

/**
 * One day of a sister festival.
 */
export type SessionDay = { 
/**
 * "2025-08-08".
 */
day: string, 
/**
 * "Friday 8 August 2025".
 */
day_text: string, sessions: Array<Session>, };

/**
 * The members who share a role.
 */
export type TeamGroup = { 
/**
 * The group's heading: "Festival Directors".
 */
group: string, members: Array<TeamMember>, };

/**
 * A member of the team as the API says it.
 */
export type TeamMember = { id: number, name: string, 
/**
 * Who this is in other respects.
 */
note: string | null, 
/**
 * Address of the portrait.
 */
portrait: string | null, };

/**
 * An event as the API says it.
 */
export type UpcomingEvent = { id: number, 
/**
 * What it is called.
 */
event: string, 
/**
 * When it begins, RFC 3339 with the festival zone's offset.
 */
event_datetime: string, location: string, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * When it begins, for people: "Oct 24, 2025, 6:00 PM".
 */
event_datetime_text: string, };

/**
 * A venue as the API says it.
 */
export type Venue = { id: number, name: string, 
/**
 * Town or quarter.
 */
place: string | null, description: string | null, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Address of a map.
 */
map_url: string | null, };

/**
 * A winner as the API says it.
 */
export type Winner = { id: number, film: string, person: string, 
/**
 * The jury's words.
 */
citation: string | null, 
/**
 * Address of the picture.
 */
image: string | null, };

/**
 * The winners of one award.
 */
export type WinnerGroup = { award: string, winners: Array<Winner>, };
