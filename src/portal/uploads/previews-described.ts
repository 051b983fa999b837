// The preview of a table as the document of the API has it.

import { CELL_TYPES, DATE_ORDERS } from '../../layer-ports/table-choices.ts';
import type { Described } from '../description/operation.ts';
import { arrayOf, FLAG, INTEGER, orNull, record, type Schema, TEXT } from '../description/schema.ts';

const COLUMN: Schema = record({
  name: { ...TEXT, description: 'In the file.' },
  type: { type: 'string', enum: CELL_TYPES },
  empty: { ...INTEGER, description: 'Cells with nothing in them.' },
  lost: record({
    count: { ...INTEGER, description: 'Cells that cannot be read as the type that was chosen.' },
    lines: { ...arrayOf(INTEGER), description: 'Of the first of them.' },
  }),
  dates: {
    ...arrayOf({ type: 'string', enum: DATE_ORDERS }),
    description: 'It looks like dates in one of these orders.',
  },
  skip: FLAG,
  as: { ...orNull(TEXT), description: 'The name that was chosen.' },
});

export const PREVIEW: Described = {
  id: 'uploads_preview',
  tag: 'uploads',
  summary: {
    en: 'Look at a table before it is imported: what it would be read as, and what would be lost; nothing is kept',
    de: 'Eine Tabelle vor dem Import ansehen: als was sie gelesen würde und was verloren ginge; nichts bleibt',
  },
  answers: {
    200: record({
      success: FLAG,
      preview: record({
        format: TEXT,
        charset: TEXT,
        delimiter: TEXT,
        sheet: { ...orNull(TEXT), description: 'Of a workbook with several: the one that is shown.' },
        sheets: arrayOf(TEXT),
        decimal: { type: 'string', enum: ['.', ','] },
        dates: { type: 'string', enum: DATE_ORDERS },
        header: { ...INTEGER, description: 'The row with the names; 0: none has them.' },
        rows: INTEGER,
        isPart: { ...FLAG, description: 'The table is longer than what was looked at.' },
        places: { type: 'string', enum: ['columns', 'geometries', 'none', 'unknown'] },
        placed: arrayOf(TEXT),
        misplaced: record({
          count: { ...INTEGER, description: 'Rows whose coordinates cannot be read: the import would stop there.' },
          lines: { ...arrayOf(INTEGER), description: 'Of the first of them.' },
        }),
        columns: arrayOf(COLUMN),
        first: arrayOf(arrayOf(TEXT)),
      }),
    }),
  },
  refusals: [400, 401, 403],
};
