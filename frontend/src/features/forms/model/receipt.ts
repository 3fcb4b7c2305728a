/** The receipt of a received form. It is made from the entries on the device, and never leaves it. */
export interface Receipt {
  /** The form's heading. */
  form: string;
  reference: string;
  /** When it was received, with the time zone; empty if the server did not say. */
  received: string;
  late: boolean;
  /** Next steps and dates; empty if none are given. */
  nextSteps: string;
  /** Address for corrections; empty if there is none. */
  corrections: string;
  fields: { label: string; value: string }[];
  /** Each with its size as text. */
  files: { label: string; name: string; size: string }[];
}

/** Storage key of the last receipt. */
const PLACE = 'festival-receipt';

/** The last receipt in browsers without storage. */
let last: Receipt | null = null;

/** Stores a receipt until the tab is closed. */
export function keepReceipt(receipt: Receipt): void {
  last = receipt;
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(receipt));
  } catch {
    // Storage is full or blocked: the page still has it.
  }
}

/** The last receipt of this tab, if it has one. */
export function readReceipt(): Receipt | null {
  if (last) return last;
  try {
    const saved = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null');
    last = typeof saved?.reference === 'string' ? (saved as Receipt) : null;
  } catch {
    last = null;
  }
  return last;
}
