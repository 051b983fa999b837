// Positions in the write-ahead log (LSN), as PostgreSQL writes them: two hexadecimal numbers of 32 bits, `16/B374D848`.

const WRITTEN = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** Undefined: it is none. */
export function parseLsn(text: string): bigint | undefined {
  const found = WRITTEN.exec(text);
  if (found === null) return undefined;
  return (BigInt(`0x${found[1]}`) << 32n) | BigInt(`0x${found[2]}`);
}
