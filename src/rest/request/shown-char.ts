// Characters as the parse messages of the service show them, in the manner of Haskell's `show`: clients and their tests
// compare these messages, so quotes and escapes are part of the interface.

const CONTROL_NAMES: readonly string[] = [
  ...['NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'a', 'b', 't', 'n', 'v', 'f', 'r', 'SO', 'SI'],
  ...['DLE', 'DC1', 'DC2', 'DC3', 'DC4', 'NAK', 'SYN', 'ETB', 'CAN', 'EM', 'SUB', 'ESC', 'FS', 'GS', 'RS', 'US'],
];

/** `"x"`: a character that a rule did not take. */
export function shownInDoubleQuotes(char: string): string {
  return char === '"' ? '"\\""' : `"${escaped(char)}"`;
}

/** `'x'`: a character that a look-ahead refused. */
export function shownInSingleQuotes(char: string): string {
  return char === "'" ? "'\\''" : `'${escaped(char)}'`;
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return `\\${CONTROL_NAMES[code]}`;
  if (char === '\\') return '\\\\';
  if (code === 0x7f) return '\\DEL';
  return code < 0x7f ? char : `\\${code}`;
}
