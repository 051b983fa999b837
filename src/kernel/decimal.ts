// Decimal numerals → numbers: the one grammar for coordinates, filters and sizes that clients write as text. `Number` alone
// would also take blanks, `0x10` and `Infinity`. Linear in the text, and only short texts are looked at.

/** Enough for every double written out in full digits before and after its point; longer text is no number anybody means. */
const LONGEST = 400;

// After the digits comes a point or not; never a second run of the same digits, which would be tried at every length.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,5})?$/i;

export function isDecimal(text: string): boolean {
  return text.length <= LONGEST && DECIMAL.test(text);
}

/** Undefined: no numeral, or one beyond what a double can hold. Blanks are not trimmed. */
export function parseDecimal(text: string): number | undefined {
  if (!isDecimal(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
