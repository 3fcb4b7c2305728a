// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * The answer to a message that was received.
 */
export type ContactReply = { message: string, success: string, };

/**
 * What the sender should know of a file that was received.
 */
export type FileRemark = { field: string, message: string, };

/**
 * What holds for the forms now.
 */
export type FormRules = { 
/**
 * Texts with more words than asked for are refused.
 */
hard_word_limits: boolean, 
/**
 * Forms without consent to the notice on personal data are refused.
 */
require_consent: boolean, 
/**
 * How the fee in dollars is paid; empty: nothing is said about it.
 */
dollar_payment: string, 
/**
 * The e-mail address for corrections; empty: there is none.
 */
corrections: string, forms: Array<FormTimes>, 
/**
 * What people agree to, for each kind of form.
 */
notices: Array<Notice>, };

/**
 * When a form closes, and what follows it.
 */
export type FormTimes = { key: string, 
/**
 * The last moment, RFC 3339; null: it does not close.
 */
closes_at: string | null, 
/**
 * The end of the time in which it is still taken and marked as late, RFC 3339; null: it is always taken.
 */
accepted_until: string | null, 
/**
 * What comes after this moment is marked as late, RFC 3339; null: nothing is.
 */
late_after: string | null, 
/**
 * The same for people, with the time zone; empty: nothing is.
 */
late_after_text: string, 
/**
 * Where it stands by the server's clock.
 */
standing: Standing, 
/**
 * What happens with what was sent, and by when; empty: nothing is said.
 */
next_steps: string, };

/**
 * The notice of one or more forms, as it is shown.
 */
export type Notice = { 
/**
 * The keys of the forms that it belongs to.
 */
forms: Array<string>, 
/**
 * Sent back with the form; changes with every word.
 */
version: string, 
/**
 * Who asks.
 */
lead: string, items: Array<NoticeItem>, };

/**
 * A paragraph of a notice.
 */
export type NoticeItem = { title: string, text: string, 
/**
 * The e-mail address to write to, where the paragraph is about that; else empty.
 */
email: string, };

/**
 * The answer to a form that was received.
 */
export type Receipt = { id: number, 
/**
 * What sender and organisers call it: "ML-2025-0042".
 */
reference: string, message: string, 
/**
 * When it was received, RFC 3339 with the festival's offset.
 */
received_at: string, 
/**
 * The same for people, with the time zone.
 */
received_text: string, 
/**
 * It came after the deadline.
 */
is_late: boolean, 
/**
 * What the sender should know of single files that were received; mostly absent.
 */
remarks?: Array<FileRemark>, };

/**
 * The answer to a file that was uploaded before its form.
 */
export type StagedReply = { 
/**
 * What the form names it by; nobody else knows it.
 */
ticket: string, 
/**
 * The field that it was sent for.
 */
field: string, 
/**
 * Until when the ticket is valid, RFC 3339.
 */
expires_at: string, };

/**
 * Where a form stands towards its deadline.
 */
export type Standing = "open" | "late" | "closed";
