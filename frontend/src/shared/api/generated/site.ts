// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

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
 * What the festival is called.
 */
export type Product = { name: string, slug: string, full_name: string, native_name: string, city: string, region: string, country: string, tagline: string, };

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
 * A link with its text.
 */
export type SiteLink = { label: string, href: string, };

/**
 * The menus.
 */
export type SiteMenu = { header: Array<SiteMenuItem>, actions: Array<SiteLink>, footer: Array<SiteLink>, };

/**
 * A link or a group of links.
 */
export type SiteMenuItem = { label: string, href: string | null, items: Array<SiteLink>, };
