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
 * A blog in the API.
 */
export type Blog = { id: number, title: string, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, 
/**
 * Sanitised HTML.
 */
content: string, 
/**
 * Time of publication, RFC 3339 with the offset of the festival's time zone.
 */
created_at: string, 
/**
 * Day of publication as text: "24 October 2025".
 */
created_at_text: string, 
/**
 * The beginning of the text, without formatting.
 */
excerpt: string, };

/**
 * A category in the API.
 */
export type Category = { 
/**
 * Id; `/films/{id}` is its page.
 */
id: number, name: string, category_desc: string | null, 
/**
 * Name in addresses.
 */
slug: string, 
/**
 * Published films in it.
 */
film_count: number, };

/**
 * A proof of work for a client that exceeded a limit: find the number whose hash with the salt is `hash`. The request is sent
 * again with the header `Proof-Of-Work: <salt>:<number>:<signature>`, once.
 */
export type Challenge = { 
/**
 * The text before the number, separated by a colon.
 */
salt: string, 
/**
 * SHA-256 of salt, colon and the decimal number, in hexadecimal.
 */
hash: string, 
/**
 * Upper bound of the number, exclusive; the lower bound is 0.
 */
max_number: number, 
/**
 * To be sent back unchanged.
 */
signature: string, };

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
 * How senders agree to the notice on personal data.
 */
export type ConsentBy = "sentence" | "tick";

/**
 * The response to a message that was received.
 */
export type ContactReply = { message: string, success: string, };

/**
 * The API's description, an OpenAPI document.
 */
export type Description = unknown;

/**
 * The JSON body of all 4xx and 5xx responses of the API.
 */
export type ErrorBody = { 
/**
 * What happened and what to do, for people.
 */
error: string, 
/**
 * A stable code, for programs.
 */
code: string, 
/**
 * The invalid fields; empty for errors that do not concern fields.
 */
fields?: Array<FieldError>, 
/**
 * A proof of work that may be solved instead of waiting, if there is one.
 */
challenge?: Challenge, 
/**
 * The request's id, also in the header `X-Request-Id` and in the log.
 */
request_id: string, };

/**
 * An error of a single field, with a message for the person who filled it in.
 */
export type FieldError = { 
/**
 * The field's name in the form (`director_email`).
 */
field: string, 
/**
 * What is wrong and what to do.
 */
message: string, };

/**
 * What the sender should know about a file that was received.
 */
export type FileRemark = { field: string, message: string, };

/**
 * A film in the API.
 */
export type Film = { id: number, name: string, 
/**
 * Address of the poster.
 */
poster: string | null, 
/**
 * Alternative text of the poster.
 */
poster_alt: string | null, 
/**
 * The same as `director_name`.
 */
director: string | null, director_name: string | null, writer_name: string | null, producer_name: string | null, cast_details: string | null, crew_details: string | null, synopsis: string | null, year: number | null, country: string | null, 
/**
 * Address of the first still.
 */
still_one: string | null, 
/**
 * Alternative text of the first still.
 */
still_one_alt: string | null, 
/**
 * Address of the second still.
 */
still_two: string | null, 
/**
 * Alternative text of the second still.
 */
still_two_alt: string | null, category_name: string, category_desc: string | null, category_id: number, 
/**
 * The title in its own language and script.
 */
original_title: string | null, language: string | null, 
/**
 * Languages of the subtitles, separated by commas.
 */
subtitle_language: string | null, duration_minutes: number | null, 
/**
 * "1 h 32 min".
 */
duration_text: string | null, };

/**
 * A category's films by first letter.
 */
export type FilmIndex = { 
/**
 * The category.
 */
id: number, name: string, category_desc: string | null, 
/**
 * Films in the category.
 */
count: number, letters: Array<IndexLetter>, };

/**
 * A part of a category's films.
 */
export type FilmPart = { 
/**
 * Number of the part, from 1.
 */
number: number, 
/**
 * Number of the previous part.
 */
previous: number | null, 
/**
 * Number of the next part.
 */
next: number | null, 
/**
 * Films in all parts.
 */
count: number, films: Array<Film>, };

/**
 * The rules that the forms follow now.
 */
export type FormRules = { 
/**
 * Texts with more words than allowed are refused.
 */
hard_word_limits: boolean, 
/**
 * How senders agree to the notice on personal data.
 */
consent: ConsentBy, 
/**
 * How the fee in dollars is paid; empty if it is not set.
 */
dollar_payment: string, 
/**
 * Whether a code may reduce a fee.
 */
takes_fee_codes: boolean, 
/**
 * The e-mail address for corrections; empty if there is none.
 */
corrections: string, forms: Array<FormTimes>, 
/**
 * The consent notices, one for each kind of submission.
 */
notices: Array<Notice>, };

/**
 * The deadlines of a form, and what happens after it is sent.
 */
export type FormTimes = { key: string, 
/**
 * When it closes, RFC 3339; null if it does not close.
 */
closes_at: string | null, 
/**
 * The end of the grace period, in which it is accepted and marked as late, RFC 3339; null if it does not close.
 */
accepted_until: string | null, 
/**
 * Submissions after this time are marked as late, RFC 3339; null if none are.
 */
late_after: string | null, 
/**
 * The same for people to read, with the time zone; empty if none are.
 */
late_after_text: string, 
/**
 * Whether it is accepted, by the server's clock.
 */
standing: Standing, 
/**
 * What happens after it is sent, and by when; empty if that is not set.
 */
next_steps: string, };

/**
 * What the forms add to the site's facts.
 */
export type FormsFacts = { 
/**
 * Fees.
 */
fees: SiteFees, 
/**
 * Where fees are paid to.
 */
payment: SitePayment, };

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
 * The films under one letter.
 */
export type IndexLetter = { 
/**
 * "A", "0-9" for numbers and signs, or a letter of another script.
 */
letter: string, films: Array<IndexedFilm>, };

/**
 * A film in the index.
 */
export type IndexedFilm = { id: number, name: string, director_name: string | null, country: string | null, year: number | null, };

/**
 * A list: whole, or a page of it.
 */
export type Listed<T> = Array<T> | { 
/**
 * Elements on all pages.
 */
count: number, 
/**
 * Address of the next page.
 */
next: string | null, 
/**
 * Address of the previous page.
 */
previous: string | null, 
/**
 * The elements of this page.
 */
results: Array<T>, };

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
 * An issue of the magazine in the API.
 */
export type Magazine = { id: number, name: string, 
/**
 * Volume.
 */
Vol: string | null, issue: string | null, 
/**
 * Address of the cover.
 */
image: string | null, 
/**
 * Alternative text of the cover.
 */
image_alt: string | null, 
/**
 * Address of the PDF.
 */
magazine: string | null, };

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
 * The consent notice of one or more forms.
 */
export type Notice = { 
/**
 * Keys of the forms that show it.
 */
forms: Array<string>, 
/**
 * Identifies its text; the form sends it back.
 */
version: string, 
/**
 * Who asks for consent.
 */
lead: string, items: Array<NoticeItem>, };

/**
 * A paragraph of a notice.
 */
export type NoticeItem = { title: string, text: string, 
/**
 * The e-mail address that the paragraph ends with; empty for most.
 */
email: string, };

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
 * A picture of a page as the API says it.
 */
export type PagePicture = { id: number, title: string, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, };

/**
 * The text of a page as the API says it.
 */
export type PageText = { slug: string, title: string, 
/**
 * The title in Malayalam, not necessarily a translation.
 */
malayalam: string | null, 
/**
 * A sentence or two before the text.
 */
lead: string | null, 
/**
 * Sanitised HTML.
 */
body: string | null, 
/**
 * Address of the picture.
 */
image: string | null, 
/**
 * Alternative text of the picture.
 */
image_alt: string | null, 
/**
 * Address of the picture for narrow screens.
 */
image_small: string | null, 
/**
 * Address of the film.
 */
video: string | null, 
/**
 * Address of the still that stands before the film plays.
 */
video_poster: string | null, 
/**
 * The film in words, for those who do not see or hear it.
 */
video_text: string | null, 
/**
 * More pictures, for the page's slider.
 */
pictures: Array<PagePicture>, };

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
 * What the festival is called.
 */
export type Product = { name: string, slug: string, full_name: string, native_name: string, city: string, region: string, country: string, tagline: string, };

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
 * The response to a form that was received.
 */
export type Receipt = { id: number, 
/**
 * The reference that sender and organisers quote: "ML-2025-0042".
 */
reference: string, message: string, 
/**
 * When it was received, RFC 3339 with the festival's offset.
 */
received_at: string, 
/**
 * The same for people to read, with the time zone.
 */
received_text: string, 
/**
 * Whether it was received after the deadline.
 */
is_late: boolean, 
/**
 * Remarks about single files; usually absent.
 */
remarks?: Array<FileRemark>, };

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
films: Array<number>, 
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
 * A film of a selection list.
 */
export type SelectedFilm = { id: number, name: string, director: string | null, 
/**
 * Address of the poster.
 */
poster: string | null, };

/**
 * A selection list.
 */
export type Selection = { 
/**
 * The category.
 */
id: number, name: string, 
/**
 * All its films.
 */
count: number, 
/**
 * The first 40 of them.
 */
films: Array<SelectedFilm>, 
/**
 * A still of the first of them that has one.
 */
still: SelectionStill | null, };

/**
 * A still that stands for a selection.
 */
export type SelectionStill = { 
/**
 * Its film.
 */
film: number, 
/**
 * Its address.
 */
picture: string, 
/**
 * Its alternative text.
 */
alt: string | null, };

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
 * The site's facts: what every page needs to know.
 */
export type Site = { 
/**
 * What the festival is called.
 */
product: Product, 
/**
 * The current edition; null before the first is seeded.
 */
edition: SiteEdition | null, 
/**
 * Modules by name: on or off.
 */
modules: { [key in string]: boolean }, 
/**
 * Menus; entries of switched-off modules are left out.
 */
menu: SiteMenu, 
/**
 * How to reach the organisers.
 */
contact: SiteContact, 
/**
 * Links to the festival elsewhere.
 */
social: Array<SiteLink>, 
/**
 * Documents by the path of the page that shows them.
 */
documents: { [key in string]: Array<SiteDocument> }, 
/**
 * The analytics page; null where nothing is set.
 */
analytics: SiteAnalytics, 
/**
 * Address of the logo to download.
 */
logo: string | null, 
/**
 * The file name for downloads of the logo: "festival-logo.png".
 */
logo_name: string | null, };

/**
 * The analytics page.
 */
export type SiteAnalytics = { frame: string | null, link: string | null, };

/**
 * Bank transfer.
 */
export type SiteBank = { account_name: string, account_number: string, bank: string, branch: string, ifsc: string, };

/**
 * How to reach the organisers.
 */
export type SiteContact = { email: string | null, phone: string | null, 
/**
 * The number to call, "tel:+914840000000".
 */
phone_href: string | null, address: string | null, };

/**
 * A document to link to.
 */
export type SiteDocument = { 
/**
 * The name that links use.
 */
key: string, label: string, 
/**
 * Where it is.
 */
href: string, 
/**
 * "340 kB"; null for a document elsewhere.
 */
size_text: string | null, };

/**
 * The current edition.
 */
export type SiteEdition = { year: number, ordinal: number, ordinal_text: string, name: string, starts_on: string, ends_on: string, dates_text: string, 
/**
 * Whether it runs or begins within 60 days.
 */
is_near: boolean, submission_deadline: string | null, submission_deadline_text: string | null, 
/**
 * The deadline as the page of the submissions writes it: "September 1, 2025".
 */
submission_deadline_american_text: string | null, 
/**
 * The end of the countdown in the visitor's local time, without offset. Null once it has passed everywhere.
 */
countdown_at: string | null, 
/**
 * What the countdown is called: "Countdown to the festival". Null without a countdown.
 */
countdown_text: string | null, 
/**
 * The countdown's end, for people: "3 September 2025, 10:00 PM". Null without a countdown.
 */
countdown_at_text: string | null, };

/**
 * Fees in rupees; texts for people.
 */
export type SiteFees = { memberships: Array<SiteMembership>, film_submission_inr: number, film_submission_usd: number, film_submission_text: string, science_public: number, science_public_text: string, };

/**
 * A link with its text.
 */
export type SiteLink = { label: string, href: string, };

/**
 * A membership category.
 */
export type SiteMembership = { key: string, label: string, amount: number, amount_text: string, };

/**
 * The menus.
 */
export type SiteMenu = { header: Array<SiteMenuItem>, actions: Array<SiteLink>, footer: Array<SiteLink>, };

/**
 * A link or a group of links.
 */
export type SiteMenuItem = { label: string, href: string | null, items: Array<SiteLink>, };

/**
 * Where fees are paid to; null while nothing is set.
 */
export type SitePayment = { bank: SiteBank | null, upi: SiteUpi | null, };

/**
 * UPI.
 */
export type SiteUpi = { id: string, payee: string, };

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
 * The response to a file that was uploaded before its form.
 */
export type StagedReply = { 
/**
 * The secret by which the form names the file.
 */
ticket: string, 
/**
 * The field that the file was sent for.
 */
field: string, 
/**
 * Until when the ticket is valid, RFC 3339.
 */
expires_at: string, };

/**
 * Whether a form is accepted, by its deadlines.
 */
export type Standing = "open" | "late" | "closed";

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

