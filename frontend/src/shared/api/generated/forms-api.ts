// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * How senders agree to the notice on personal data.
 */
export type ConsentBy = "sentence" | "tick";

/**
 * The response to a message that was received.
 */
export type ContactReply = { message: string, success: string, };

/**
 * What the sender should know about a file that was received.
 */
export type FileRemark = { field: string, message: string, };

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
