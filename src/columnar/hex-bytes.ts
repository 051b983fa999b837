// Digits in hex, as PostgreSQL writes bytes and PostGIS geometries → the bytes, without a string in between.

const DIGITS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? 0 : digit;
});

/** Writes the digits from `from` to `to` as bytes into `target`, from `at` on. */
export function hexInto(target: Uint8Array, at: number, bytes: Uint8Array, from: number, to: number): void {
  for (let i = from, end = at; i + 1 < to; i += 2, end++)
    target[end] = ((DIGITS[bytes[i] as number] as number) << 4) | (DIGITS[bytes[i + 1] as number] as number);
}
