// Rows in a file, each with its address behind its columns → the same rows with what was found, and a point: a bounded number of them at once.

import { open } from 'node:fs/promises';
import { ok, type Result } from '../../../kernel/result.ts';
import type { RunFault } from '../../../layer-ports/process.ts';
import { copyCells } from '../../import/copy-cells.ts';
import { linesOf } from '../lines-of.ts';
import { cellText, textCell } from './copy-text.ts';
import type { Address, Lookup } from './lookup.ts';
import type { Match } from './match.ts';

/** The last cells of a line: place and country. */
const ADDRESS_CELLS = 2;

export type PlaceRows = {
  readonly from: string;
  readonly to: string;
  readonly lookup: Lookup;
  readonly onAnswered: (rows: number) => void;
  readonly signal: AbortSignal;
};

/** How many rows have a place. */
export async function placeRows({
  from,
  to,
  lookup,
  onAnswered,
  signal,
}: PlaceRows): Promise<Result<number, RunFault>> {
  const target = await open(to, 'w', 0o600);
  let rows = 0;
  let placed = 0;
  try {
    for await (const lines of linesOf(from)) {
      signal.throwIfAborted();
      const split = lines.map(splitLine);
      const done = rows;
      const found = await lookup.find(
        split.map(({ address }) => address),
        signal,
        (count) => onAnswered(done + count),
      );
      if (!found.ok) return found;
      const written = split.flatMap(({ columns, address }, i) => {
        const match = found.value[i];
        if (match === undefined) throw new Error('an address has no answer');
        if (match.candidates.length > 0) placed += 1;
        return [
          columns,
          Buffer.from(
            `${columns.length === 0 ? '' : '\t'}${foundCells(address, match, lookup.source).map(textCell).join('\t')}\n`,
          ),
        ];
      });
      await target.write(Buffer.concat(written));
      rows += split.length;
      onAnswered(rows);
    }
    return ok(placed);
  } finally {
    await target.close();
  }
}

/** A value for each of `FOUND_COLUMNS`, and for the point. */
export function foundCells(
  { place, country }: Address,
  { state, candidates }: Match,
  source: string,
): readonly (string | null)[] {
  const [best] = candidates;
  return [
    [place, country].filter((part) => part !== '').join(', '),
    state,
    best === undefined ? null : String(best.score),
    best?.name ?? null,
    best === undefined ? null : source,
    JSON.stringify(candidates),
    best === undefined ? null : pointCell(best.lon, best.lat),
  ];
}

/** EWKB of a point in degrees, as hexadecimal digits. */
function pointCell(lon: number, lat: number): string {
  const bytes = Buffer.alloc(25);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(0x20000001, 1);
  bytes.writeUInt32LE(4326, 5);
  bytes.writeDoubleLE(lon, 9);
  bytes.writeDoubleLE(lat, 17);
  return bytes.toString('hex');
}

function splitLine(line: Buffer): { readonly columns: Buffer; readonly address: Address } {
  const cells = copyCells(line);
  const [place, country] = cells.slice(-ADDRESS_CELLS).map((cell) => cellText(cell)?.trim() ?? '');
  const length = cells.slice(0, -ADDRESS_CELLS).reduce((sum, cell) => sum + cell.length + 1, 0);
  return {
    columns: line.subarray(0, Math.max(0, length - 1)),
    address: { place: place ?? '', country: country ?? '' },
  };
}
