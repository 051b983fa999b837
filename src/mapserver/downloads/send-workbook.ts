// Rows of a query → a workbook, zipped as they come.

import type { Readable } from 'node:stream';
import yazl from 'yazl';
import { columnClass } from '../columns/column-class.ts';
import type { RowStream } from '../features/row-stream.ts';
import type { FeatureQuery } from '../query/feature-query.ts';
import { rowTextSelect, withKey } from '../query/row-selects.ts';
import { SHEET_PART, SHEET_TAIL, sheetHead, sheetRow, workbookParts } from './workbook.ts';

/** The sheet. */
export function workbookRows(query: FeatureQuery): RowStream {
  const columns = withKey(query);
  const kinds = columns.map(({ type }) => ({
    kind: columnClass(type),
    isDouble: type === 'real' || type === 'double precision',
  }));
  return {
    query,
    select: rowTextSelect,
    head: sheetHead(columns.map(({ name }) => name)),
    row: (cells, index) =>
      Buffer.from(
        sheetRow(
          kinds,
          cells.map((cell) => cell?.toString() ?? null),
          index + 2,
        ),
      ),
    tail: () => SHEET_TAIL,
  };
}

/** The file around it. A sheet that breaks off breaks the file off. */
export function zipWorkbook(title: string, sheet: Readable): Readable {
  const zip = new yazl.ZipFile();
  const out = zip.outputStream as Readable;
  for (const [name, text] of workbookParts(title)) zip.addBuffer(Buffer.from(text), name);
  zip.addReadStream(sheet, SHEET_PART);
  zip.end();
  sheet.once('error', (error) => out.destroy(error));
  out.once('close', () => sheet.destroy());
  return out;
}
