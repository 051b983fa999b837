/** An array as PostgreSQL reads it from text. */
export function arrayLiteral(items: readonly (string | number)[]): string {
  const quoted = items.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`);
  return `{${quoted.join()}}`;
}
