// A file of lines, as COPY wrote them → a bounded number of lines at once, without what ends them.

import { open } from 'node:fs/promises';

const ROWS_AT_ONCE = 500;
/** And no more than that beyond the last row. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const READ_BYTES = 64 * 1024;

export async function* linesOf(path: string): AsyncGenerator<readonly Buffer[]> {
  const file = await open(path, 'r');
  try {
    let lines: Buffer[] = [];
    let bytes = 0;
    // Of a line that is longer than what is read at once; joined when its end has come.
    let begun: Buffer[] = [];
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
      if (bytesRead === 0) break;
      let start = 0;
      const read = buffer.subarray(0, bytesRead);
      for (let end = read.indexOf(NEWLINE); end >= 0; end = read.indexOf(NEWLINE, start)) {
        const line = Buffer.concat([...begun, read.subarray(start, end)]);
        begun = [];
        start = end + 1;
        lines.push(line);
        bytes += line.length;
        if (lines.length < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
        yield lines;
        lines = [];
        bytes = 0;
      }
      if (start < read.length) begun.push(read.subarray(start));
    }
    if (lines.length > 0) yield lines;
  } finally {
    await file.close();
  }
}
