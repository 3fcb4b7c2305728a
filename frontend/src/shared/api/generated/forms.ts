// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
export type FormKey = 'delegate' | 'asian' | 'indian' | 'malayalam' | 'contact';

/**
 * The kind of a field, which decides its input and its validation.
 */
export type FieldKind = "text" | "lines" | "email" | "phone" | "link" | "integer" | "year" | "choice" | "membership" | "file";

/**
 * The fee that is paid with a form; its amount is a setting.
 */
export type FormFee = "none" | "membership" | "film" | "film_or_dollars";

/**
 * One of the choices of a field.
 */
export type FormChoice = { 
/**
 * Unique among the choices of the field; two of them may share a value.
 */
key: string, 
/**
 * The value that is sent.
 */
value: string, 
/**
 * The label that people read.
 */
label: string, };

/**
 * A field of a form, for the browser.
 */
export type FormField = { name: string, label: string, kind: FieldKind, required: boolean, placeholder: string, hint: string, 
/**
 * The value that is sent if the field is left empty.
 */
default: string, 
/**
 * Characters above which a text is unusual; 0: no limit.
 */
max_characters: number, 
/**
 * Maximum number of words; 0: no limit.
 */
words: number, 
/**
 * Whole numbers: the least of the usual range.
 */
min: number | null, 
/**
 * Whole numbers: the largest of the usual range. A year is usual up to next year.
 */
max: number | null, 
/**
 * The choices of a `choice`; those of a `membership` are the memberships in `/site/`.
 */
choices: Array<FormChoice>, 
/**
 * Files: the types that the file dialogue offers.
 */
accept: string, max_bytes: number, };

/**
 * A section of a form under a heading.
 */
export type FormSection = { 
/**
 * The heading; empty for a form of one section.
 */
title: string, 
/**
 * Sentences below it.
 */
text: Array<string>, 
/**
 * Names of its fields, in the order of the page.
 */
fields: Array<string>, };

/**
 * A form, for the browser.
 */
export type FormDescription = { key: FormKey, path: string, api_path: string, 
/**
 * Path to upload its files to, one by one; empty if it takes none.
 */
files_path: string, 
/**
 * With the placeholders `{product}` and `{year}`.
 */
title: string, lead: string, fee: FormFee, sections: Array<FormSection>, 
/**
 * The fields in the order in which they are validated.
 */
fields: Array<FormField>, };

/** The texts and times that every form shares. */
export const texts = {
  "submit": "Submit Form",
  "submitting": "Submitting...",
  "submitted": "Submitted",
  "success": "Form submitted successfully!",
  "failure": "Error submitting form!",
  "contact_success": "Message sent successfully!",
  "contact_failure": "Failed to send message. Please try again.",
  "consent_sentence": "By sending this form you agree to {this notice on your personal data}.",
  "consent_box": "I have read this notice and agree to it.",
  "closed": "This form is closed. Submissions are no longer accepted.",
  "toast_ms": 3000,
  "redirect_ms": 1500
};

/** Names of the fields that are sent in addition to those of the form. */
export const extraFields = {
  "award": "award_category",
  "declared_feature": "declared_feature_label",
  "consent": "consent",
  "notice": "consent_notice",
  "trap": "website",
  "elapsed": "elapsed_seconds",
  "code": "payment_code",
  "utr": "payment_utr",
  "fee_code": "fee_code"
};

