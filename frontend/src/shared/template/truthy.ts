/** What Handlebars' `#if` takes for true: not null, not "", not 0, not false, and not an empty list. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
