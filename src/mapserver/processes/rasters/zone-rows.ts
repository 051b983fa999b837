// Rows in a file, each with its area behind its columns → the same rows with what the pixels of the area tell.

import { open } from 'node:fs/promises';
import { parseWkb } from '../../../geo/wkb.ts';
import { copyCells } from '../../import/copy-cells.ts';
import { linesOf } from '../lines-of.ts';
import type { PixelStatistics } from './pixel-statistics.ts';
import type { ZoneReader } from './zone-reader.ts';

export type ZoneRows = {
  readonly from: string;
  readonly to: string;
  readonly zones: ZoneReader;
  readonly isCounted: boolean;
  readonly onRow: (rows: number) => void;
  readonly signal: AbortSignal;
};

const TAB = Buffer.from('\t');
const NEWLINE = Buffer.from('\n');
/** The area in the coordinate system of the raster, and the geometry. */
const ZONE_CELLS = 2;

export async function zoneRows({ from, to, zones, isCounted, onRow, signal }: ZoneRows): Promise<void> {
  const target = await open(to, 'w', 0o600);
  let rows = 0;
  try {
    for await (const lines of linesOf(from)) {
      const written: Buffer[] = [];
      for (const line of lines) {
        signal.throwIfAborted();
        const cells = copyCells(line);
        const told = await readZone(zones, cells.at(-2)?.toString('latin1'), signal);
        const columns = cells.slice(0, -ZONE_CELLS).flatMap((cell) => [cell, TAB]);
        const found = Buffer.from(
          statisticCells(told, isCounted)
            .map((cell) => `${cell ?? '\\N'}\t`)
            .join(''),
        );
        written.push(...columns, found, cells.at(-1) ?? Buffer.alloc(0), NEWLINE);
        rows += 1;
        onRow(rows);
      }
      await target.write(Buffer.concat(written));
    }
  } finally {
    await target.close();
  }
}

/** `hex`: well-known binary, or what stands for none. */
export async function readZone(
  zones: ZoneReader,
  hex: string | null | undefined,
  signal: AbortSignal,
): Promise<PixelStatistics | undefined> {
  if (hex === null || hex === undefined || hex === '\\N') return undefined;
  return zones.read(parseWkb(Buffer.from(hex, 'hex')), signal);
}

/** A value for each of `zoneColumns`. */
export function statisticCells(told: PixelStatistics | undefined, isCounted: boolean): readonly (string | null)[] {
  const numbers = [told?.sum, told?.mean, told?.min, told?.max, told?.stddev, ...(isCounted ? [told?.majority] : [])];
  return [String(told?.count ?? 0), ...numbers.map((number) => (number === undefined ? null : String(number)))];
}
