// Cells of COPY text: as they stand in a line → their text, and back. Pure.

/** Undefined: NULL. */
export function cellText(cell: Buffer): string | undefined {
  const written = cell.toString('utf8');
  if (written === '\\N') return undefined;
  return written.includes('\\')
    ? written.replace(/\\([\s\S])/gu, (_, escaped: string) => ESCAPES[escaped] ?? escaped)
    : written;
}

/** As PostgreSQL writes it. */
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

export function textCell(text: string | null): string {
  if (text === null) return '\\N';
  return text.replaceAll('\0', '').replace(/[\\\n\r\t]/g, (one) => WRITTEN[one] ?? one);
}

const WRITTEN: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
