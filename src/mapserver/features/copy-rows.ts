// What COPY … (format binary) sends → rows, as it comes in. In this form nothing is escaped: a cell is passed on as it is.

/** The cells of a row; null is SQL NULL. They lie in the chunk: whoever wants to keep one copies it. */
export type OnRow = (cells: readonly (Buffer | null)[]) => void;

const HEADER = 19; // signature of 11 bytes, flags, length of a header extension that nobody uses

export type CopyReader = { push(chunk: Buffer): void };

export function makeCopyReader(onRow: OnRow): CopyReader {
  let rest: Buffer = Buffer.alloc(0);
  let hasHeader = false;
  return {
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      if (!hasHeader) {
        if (bytes.length < HEADER) {
          rest = bytes;
          return;
        }
        at = HEADER + bytes.readInt32BE(HEADER - 4);
        hasHeader = true;
      }
      for (;;) {
        const end = rowEnd(bytes, at);
        if (end === undefined) break;
        // The end of the copy is a row of -1 cells.
        if (bytes.readInt16BE(at) >= 0) onRow(cellsOf(bytes, at));
        at = end;
      }
      rest = at === 0 ? bytes : bytes.subarray(at);
    },
  };
}

/** Undefined: it is not all there yet. */
function rowEnd(bytes: Buffer, start: number): number | undefined {
  if (bytes.length < start + 2) return undefined;
  let at = start + 2;
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    if (bytes.length < at + 4) return undefined;
    at += 4 + Math.max(0, bytes.readInt32BE(at));
    if (bytes.length < at) return undefined;
  }
  return at;
}

function cellsOf(bytes: Buffer, start: number): (Buffer | null)[] {
  const cells: (Buffer | null)[] = [];
  let at = start + 2;
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    cells.push(length < 0 ? null : bytes.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return cells;
}
