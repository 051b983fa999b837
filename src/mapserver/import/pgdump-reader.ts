// A dump (GDAL's PGDump format) as it comes from a pipe → layers and their rows. Rows stay the bytes they are: lines of COPY
// text, handed on in whole lines. Memory is one chunk of the pipe and one unfinished line.

import { type DumpStatement, parseDumpStatement, statementEnd } from './pgdump-header.ts';

type DumpColumn = { readonly name: string; readonly type: string };

export type DumpLayer = {
  readonly name: string;
  readonly geometry: { readonly srid: number; readonly type: string; readonly dimension: number } | undefined;
  readonly columns: readonly DumpColumn[];
  /** The columns of the lines, in their order; GEOMETRY_COLUMN among them, perhaps KEY_COLUMN. */
  readonly copied: readonly string[];
};

export type DumpSink = {
  /** The rows that follow are of this layer. */
  layer(layer: DumpLayer): Promise<void>;
  /** Whole lines. */
  rows(lines: Buffer): Promise<void>;
};

/** What GDAL is told to call the geometry and the key of the source: names that no column of a file has. */
export const GEOMETRY_COLUMN = 'survest geometry';
export const KEY_COLUMN = 'survest key';

export class DumpError extends Error {}

const NEWLINE = 0x0a;
/** `\.` alone on a line ends the rows. */
const END = Buffer.from('\n\\.\n');
const MAX_STATEMENT = 4 * 1024 * 1024;
const MAX_ROW = 256 * 1024 * 1024;

type Draft = { name: string; geometry: DumpLayer['geometry']; columns: DumpColumn[] };

export type DumpReader = {
  push(chunk: Buffer): Promise<void>;
  /** Throws when the dump broke off. */
  end(): void;
};

export function makeDumpReader(sink: DumpSink): DumpReader {
  let rest: Buffer = Buffer.alloc(0);
  let inRows = false;
  let backslashes = true;
  let draft: Draft = { name: '', geometry: undefined, columns: [] };
  // So much of `rest` has been looked through for line breaks inside values.
  let mended = 0;

  function take(statement: DumpStatement): DumpLayer | undefined {
    switch (statement.kind) {
      case 'table':
        draft = { name: statement.name, geometry: undefined, columns: [] };
        return undefined;
      case 'geometry':
        draft.geometry = { srid: statement.srid, type: statement.type, dimension: statement.dimension };
        return undefined;
      case 'column':
        draft.columns.push({ name: statement.name, type: statement.type });
        return undefined;
      case 'copy':
        return { ...draft, copied: statement.columns };
      case 'other':
        return undefined;
    }
  }

  async function readStatements(): Promise<void> {
    // A character per byte: where a statement ends is a matter of quotes and semicolons.
    const text = rest.toString('latin1');
    let at = 0;
    for (;;) {
      const end = statementEnd(text, at, backslashes);
      if (end < 0) break;
      const statement = rest.toString('utf8', at, end - 1);
      const mode = /^\s*SET standard_conforming_strings\s*=\s*(ON|OFF)/.exec(statement);
      if (mode !== null) backslashes = mode[1] === 'OFF';
      const layer = take(parseDumpStatement(statement));
      if (layer !== undefined) {
        // The rows begin on the next line, once that is here.
        if (rest.length <= end) break;
        rest = rest.subarray(end + 1);
        mended = 0;
        inRows = true;
        return sink.layer(layer);
      }
      at = end;
    }
    rest = rest.subarray(at);
    if (rest.length > MAX_STATEMENT) throw new DumpError('a statement of the dump does not end');
  }

  async function readRows(): Promise<void> {
    mendLineBreaks(rest, mended);
    mended = rest.length;
    // A layer whose first line is already the end has no rows.
    const isEmpty = rest[0] === 0x5c && rest[1] === 0x2e && rest[2] === NEWLINE;
    const end = isEmpty ? -1 : rest.indexOf(END);
    if (isEmpty || end >= 0) {
      const lines = isEmpty ? rest.subarray(0, 0) : rest.subarray(0, end + 1);
      rest = rest.subarray(isEmpty ? 3 : end + END.length);
      mended = 0;
      inRows = false;
      if (lines.length > 0) await sink.rows(lines);
      return;
    }
    // All but the last line, which may be the beginning of the end.
    const last = rest.lastIndexOf(NEWLINE);
    const cut = last < 0 ? 0 : rest.lastIndexOf(NEWLINE, last - 1) + 1;
    if (cut <= 0) {
      if (rest.length > MAX_ROW) throw new DumpError('a feature is larger than can be stored');
      return;
    }
    const lines = rest.subarray(0, cut);
    rest = rest.subarray(cut);
    mended = rest.length;
    await sink.rows(lines);
  }

  return {
    async push(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (;;) {
        const before = rest.length;
        const wasInRows = inRows;
        if (inRows) await readRows();
        else await readStatements();
        // Something was read to its end: what follows may be complete, too.
        if (inRows === wasInRows || rest.length === before) return;
      }
    },
    end() {
      if (inRows) throw new DumpError('the rows of a layer break off');
    },
  };
}

const BACKSLASH = 0x5c;
const LETTER_N = 0x6e;

/**
 * GDAL writes a line break inside a value as a backslash and the line break itself. COPY takes that, but everybody who counts or cuts
 * rows by their lines would be wrong: it becomes `\\n`, which is as long. In place.
 */
function mendLineBreaks(bytes: Buffer, from: number): void {
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    let before = at;
    while (before > 0 && bytes[before - 1] === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) bytes[at] = LETTER_N;
  }
}
