// Rows of texts → CSV as RFC 4180 has it. A text that a spreadsheet would take for a formula has an apostrophe before it, as downloads have. Pure.

export function csvText(columns: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d[\d.]*(?:e[+-]?\d+)?$/i;

function cellText(cell: string | null): string {
  if (cell === null) return '';
  const safe = FORMULA.test(cell) && !(cell.length < 50 && NUMBER.test(cell)) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) || safe === '' ? `"${safe.replaceAll('"', '""')}"` : safe;
}
