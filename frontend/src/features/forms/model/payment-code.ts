/**
 * The payment code of an entry: what its sender writes into the note of the payment, so that the bank statement leads to
 * the entry. The server reads it by the same rules (`modules/forms/src/payment_code.rs`).
 */

/** Digits and capital letters without look-alikes. There are 31, a prime number. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/**
 * The code that belongs to a seed, a random UUID: five characters and a check character, chosen so that the sum of all
 * characters, each times its position, is a multiple of 31. This detects one wrong character and two swapped ones.
 */
export function paymentCode(seed: string): string {
  let number = Number.parseInt(seed.replaceAll('-', '').slice(0, 12), 16);
  const places: number[] = [];
  for (let position = 1; position < 6; position += 1) {
    places.push(number % 31);
    number = Math.floor(number / 31);
  }
  const sum = places.reduce((sum, place, index) => sum + (index + 1) * place, 0);
  // Six times the last character completes the sum; 26 is the inverse of 6: 6 * 26 = 5 * 31 + 1.
  places.push(((31 - (sum % 31)) * 26) % 31);
  return places.map((place) => alphabet[place]).join('');
}
