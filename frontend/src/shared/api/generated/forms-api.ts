// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

/**
 * The answer to a message that was received.
 */
export type ContactReply = { message: string, success: string, };

/**
 * What holds for the forms now.
 */
export type FormRules = { 
/**
 * Texts with more words than asked for are refused.
 */
hard_word_limits: boolean, 
/**
 * Forms without the tick below the notice on personal data are refused.
 */
require_consent: boolean, forms: Array<FormTimes>, };

/**
 * When a form closes.
 */
export type FormTimes = { key: string, 
/**
 * The last moment, RFC 3339; null: it does not close.
 */
closes_at: string | null, };

/**
 * The answer to a form that was received.
 */
export type Receipt = { id: number, 
/**
 * What sender and organisers call it: "ML-2025-0042".
 */
reference: string, message: string, };
