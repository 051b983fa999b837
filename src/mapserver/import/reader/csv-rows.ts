// Text with separated values → rows of cells, however the text is cut. Cells may be quoted, and hold separators, quotes (doubled)
// and line ends then. Quotes in the middle of a cell are just characters.

export type CsvRow = {
  readonly cells: readonly string[];
  /** Where it begins; the first line is 1. */
  readonly line: number;
};

export class CsvError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const MAX_CELL = 64 * 1024 * 1024;

export async function* csvRows(chunks: AsyncIterable<string>, separator: string): AsyncGenerator<CsvRow> {
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  // Behind the closing quote, or the first half of a doubled one.
  let closing = false;
  let line = 1;
  let begun = 1;
  let afterReturn = false;
  let isFirst = true;
  for await (const chunk of chunks) {
    let start = 0;
    const text = isFirst && chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk;
    isFirst &&= chunk === '';
    for (let i = 0; i < text.length; i += 1) {
      const char = text[i];
      if (quoted) {
        if (closing) {
          closing = false;
          if (char === '"') {
            cell += '"';
            start = i + 1;
            continue;
          }
          quoted = false;
          start = i;
          // and on as outside of quotes
        } else {
          if (char === '"') {
            cell += text.slice(start, i);
            closing = true;
          } else if (char === '\n') line += 1;
          continue;
        }
      }
      if (char === separator) {
        cells.push(cell + text.slice(start, i));
        cell = '';
        start = i + 1;
      } else if (char === '\n' || char === '\r') {
        if (char === '\n' && afterReturn) {
          start = i + 1;
        } else {
          cells.push(cell + text.slice(start, i));
          if (cells.length > 1 || cells[0] !== '') yield { cells, line: begun };
          cells = [];
          cell = '';
          start = i + 1;
        }
        if (char === '\n') line += 1;
        begun = line + (char === '\r' ? 1 : 0);
      } else if (char === '"' && cell === '' && text.slice(start, i).trim() === '') {
        quoted = true;
        start = i + 1;
      }
      afterReturn = char === '\r';
    }
    if (!closing) cell += text.slice(start);
    if (cell.length > MAX_CELL) throw new CsvError('a cell is too long: is a quote missing?', begun);
  }
  if (quoted && !closing) throw new CsvError('a quote that is opened here is never closed.', begun);
  cells.push(cell);
  if (cells.length > 1 || cells[0] !== '') yield { cells, line: begun };
}

const SEPARATORS: readonly string[] = [',', ';', '\t', '|'];

/** The separator that divides a line into the most cells: the first line, or where that has none, as a title, the first one that has. */
export function guessSeparator(head: string): string {
  let best = ',';
  let most = 0;
  for (const separator of SEPARATORS) {
    let count = 0;
    let quoted = false;
    let hasAny = false;
    for (const char of head) {
      if (char === '"') quoted = !quoted;
      else if (!quoted && (char === '\n' || char === '\r')) {
        if (hasAny) break;
      } else if (!quoted && SEPARATORS.includes(char)) {
        hasAny = true;
        if (char === separator) count += 1;
      }
    }
    if (count > most) {
      best = separator;
      most = count;
    }
  }
  return best;
}
