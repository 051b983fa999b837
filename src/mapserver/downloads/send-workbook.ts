// Rows of a query → a workbook, zipped as they come. Of features it has where they are: a cell is too short for most shapes, and a sheet is asked for places.

import type { Readable } from 'node:stream';
import { columnClass } from '../columns/column-class.ts';
import type { RowStream } from '../features/row-stream.ts';
import { type FeatureQuery, headingOf } from '../query/feature-query.ts';
import { placedTextSelect, rowTextSelect, withKey } from '../query/row-selects.ts';
import { SHEET_PART, SHEET_TAIL, type SheetColumn, sheetHead, sheetRow, workbookParts } from './workbook.ts';
import { zipStream } from './zip-stream.ts';

const DEGREES: SheetColumn = { kind: 'number', isDouble: true };

/** The sheet. */
export function workbookRows(query: FeatureQuery): RowStream {
  const columns = withKey(query);
  const { hasGeometry } = query;
  const kinds = columns.map(
    ({ type }): SheetColumn => ({
      kind: columnClass(type),
      isDouble: type === 'real' || type === 'double precision',
    }),
  );
  const names = columns.map(headingOf);
  return {
    query,
    select: hasGeometry ? placedTextSelect : rowTextSelect,
    head: sheetHead(
      hasGeometry ? [...names, ...['longitude', 'latitude'].map((name) => freeName(name, names))] : names,
    ),
    row: (cells, index) =>
      Buffer.from(
        sheetRow(
          hasGeometry ? [...kinds, DEGREES, DEGREES] : kinds,
          cells.map((cell) => cell?.toString() ?? null),
          index + 2,
        ),
      ),
    tail: () => SHEET_TAIL,
  };
}

function freeName(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? freeName(`_${name}`, taken) : name;
}

/** The file around it. */
export function zipWorkbook(title: string, sheet: Readable): Readable {
  return zipStream(SHEET_PART, sheet, workbookParts(title));
}
