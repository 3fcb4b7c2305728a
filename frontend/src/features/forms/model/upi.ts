/** A payment that a UPI app is asked to make. */
interface UpiPayment {
  id: string;
  payee: string;
  /** Rupees. */
  amount: number;
  note: string;
}

/** The longest note that every app accepts. */
const NOTE = 50;

/** The address that UPI apps open, and that the QR code contains. */
export function upiLink({ id, payee, amount, note }: UpiPayment): string {
  const parts = { pa: id, pn: payee, am: String(amount), cu: 'INR', tn: [...note].slice(0, NOTE).join('') };
  const query = Object.entries(parts)
    .filter(([, value]) => value !== '')
    // Some apps expect the @ of the id unescaped.
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%40', '@')}`);
  return `upi://pay?${query.join('&')}`;
}
