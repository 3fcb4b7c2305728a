// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * An award in the API.
 */
export type Award = { id: number, name: string, 
/**
 * The prize in rupees.
 */
amount: number, 
/**
 * The prize as text: "₹1,00,000".
 */
amount_text: string, description: string | null, };

/**
 * A guest in the API.
 */
export type Guest = { id: number, name: string, 
/**
 * What the guest is known for, or does at the festival.
 */
role: string | null, 
/**
 * Address of the portrait.
 */
portrait: string | null, 
/**
 * Alternative text of the portrait.
 */
portrait_alt: string | null, };

/**
 * A year of the festival's history in the API.
 */
export type HistoryYear = { id: number, year: number, 
/**
 * Ordinal of the edition: "7th"; null if the festival was not held.
 */
edition: string | null, 
/**
 * "12 to 18 December".
 */
dates: string | null, venue: string | null, 
/**
 * The festival director.
 */
director: string | null, chair: string | null, 
/**
 * Address of the edition in the archive; null if it is not there.
 */
archive: string | null, };

/**
 * A namesake in the API.
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
portrait: string | null, 
/**
 * Alternative text of the portrait.
 */
portrait_alt: string | null, };

/**
 * Something that runs now or begins within two weeks.
 */
export type NextItem = { title: string, place: string | null, 
/**
 * Time of the beginning, RFC 3339 with the offset of the festival's time zone.
 */
starts_at: string, 
/**
 * Time as text: "Now, until 5:00 PM", "Today, 6:30 PM", "Tomorrow, 6:30 PM", "Friday 24 October, 6:30 PM".
 */
when_text: string, 
/**
 * The page with more about it; null if there is none.
 */
href: string | null, };

/**
 * An organiser in the API.
 */
export type Organiser = { id: number, name: string, 
/**
 * Its role in the festival.
 */
role: string | null, 
/**
 * Address of the logo.
 */
logo: string | null, 
/**
 * Alternative text of the logo.
 */
logo_alt: string | null, 
/**
 * Address of the website.
 */
href: string | null, };

/**
 * A film package in the API.
 */
export type Package = { id: number, title: string, description: string | null, 
/**
 * Its films, one line of text each.
 */
films: Array<string>, 
/**
 * "11 films, 88 minutes".
 */
extent_text: string | null, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, };

/**
 * A partner in the API.
 */
export type Partner = { id: number, name: string, 
/**
 * Kind of support: "Principal partner", "Hospitality".
 */
kind: string | null, 
/**
 * Address of the logo.
 */
logo: string | null, 
/**
 * Alternative text of the logo.
 */
logo_alt: string | null, 
/**
 * Address of the website.
 */
href: string | null, };

/**
 * A picture in the API: a poster, a part of the screening schedule, the events of a day.
 */
export type Picture = { id: number, title: string | null, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, };

/**
 * A session in the API.
 */
export type Session = { id: number, 
/**
 * Time of the beginning, RFC 3339 with the offset of the festival's time zone.
 */
starts_at: string, 
/**
 * Hour of the beginning as text: "4:00 PM".
 */
starts_at_text: string, 
/**
 * Time of the end.
 */
ends_at: string | null, ends_at_text: string | null, 
/**
 * The kind: "lecture".
 */
kind: string, 
/**
 * Label of the kind: "Lecture".
 */
kind_text: string, title: string, 
/**
 * The people who lecture, talk or teach.
 */
person: string | null, place: string | null, description: string | null, };

/**
 * A day of a sister festival.
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
 * The team members with one role.
 */
export type TeamGroup = { 
/**
 * Heading of the group: "Festival Directors".
 */
group: string, members: Array<TeamMember>, };

/**
 * A team member in the API.
 */
export type TeamMember = { id: number, name: string, 
/**
 * Other functions of the member.
 */
note: string | null, 
/**
 * Address of the portrait.
 */
portrait: string | null, 
/**
 * Alternative text of the portrait.
 */
portrait_alt: string | null, };

/**
 * An event in the API.
 */
export type UpcomingEvent = { id: number, 
/**
 * Title of the event.
 */
event: string, 
/**
 * Time of the beginning, RFC 3339 with the offset of the festival's time zone.
 */
event_datetime: string, location: string, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, 
/**
 * Time of the beginning as text: "Oct 24, 2025, 6:00 PM".
 */
event_datetime_text: string, };

/**
 * A venue in the API.
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
 * Alternative text of the picture.
 */
image_alt: string | null, 
/**
 * Address of a map.
 */
map_url: string | null, };

/**
 * A winner in the API.
 */
export type Winner = { id: number, film: string, person: string, 
/**
 * The jury's statement.
 */
citation: string | null, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, };

/**
 * The winners of one award.
 */
export type WinnerGroup = { award: string, winners: Array<Winner>, };
