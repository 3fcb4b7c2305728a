// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program

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
 * Bank transfer.
 */
export type SiteBank = { account_name: string, account_number: string, bank: string, branch: string, ifsc: string, };

/**
 * Fees in rupees; texts for people.
 */
export type SiteFees = { memberships: Array<SiteMembership>, film_submission_inr: number, film_submission_usd: number, film_submission_text: string, science_public: number, science_public_text: string, };

/**
 * A membership category.
 */
export type SiteMembership = { key: string, label: string, amount: number, amount_text: string, };

/**
 * Where fees are paid to; null while nothing is set.
 */
export type SitePayment = { bank: SiteBank | null, upi: SiteUpi | null, };

/**
 * UPI.
 */
export type SiteUpi = { id: string, payee: string, };
