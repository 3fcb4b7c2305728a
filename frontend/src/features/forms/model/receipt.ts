/** What people keep of a form that has arrived. It is made from what they sent, and never leaves their device. */
export interface Receipt {
  /** The form's heading. */
  form: string;
  reference: string;
  /** When it was received, with the time zone; empty: the server did not say. */
  received: string;
  late: boolean;
  /** What happens with it, and by when; empty: nothing is said. */
  nextSteps: string;
  /** Whom to write to for a correction; empty: there is no address. */
  corrections: string;
  fields: { label: string; value: string }[];
  /** Each with its size, in words. */
  files: { label: string; name: string; size: string }[];
}

/** Where the last receipt is on the device. */
const PLACE = 'festival-receipt';

/** The last receipt, where the browser has no such place. */
let last: Receipt | null = null;

/** Keeps a receipt until the tab is closed. */
export function keepReceipt(receipt: Receipt): void {
  last = receipt;
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(receipt));
  } catch {
    // Full or closed: the page still has it.
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
