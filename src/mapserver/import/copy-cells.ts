// A line of COPY text → its cells, still escaped. GDAL writes a tab inside a value as a backslash and the tab itself: such a tab ends
// no cell. Pure.

const TAB = 0x09;
const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;

export function copyCells(line: Buffer): readonly Buffer[] {
  const cells: Buffer[] = [];
  let start = 0;
  let at = 0;
  for (; at < line.length && line[at] !== NEWLINE; at += 1) {
    if (line[at] === BACKSLASH) at += 1;
    else if (line[at] === TAB) {
      cells.push(line.subarray(start, at));
      start = at + 1;
    }
  }
  cells.push(line.subarray(start, Math.min(at, line.length)));
  return cells;
}
