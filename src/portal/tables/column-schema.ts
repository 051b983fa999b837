// A column as it is sent, for new tables and further columns.

import { record, type Schema } from '../description/schema.ts';
import { COLUMN_KIND_NAMES } from './column-kinds.ts';
import { MAX_LABEL } from './new-table.ts';

export const COLUMN: Schema = record(
  {
    name: {
      type: 'string',
      maxLength: MAX_LABEL,
      description: 'What people call it; its name in the table is made of it.',
    },
    type: { type: 'string', enum: COLUMN_KIND_NAMES },
    required: { type: 'boolean', default: false },
  },
  ['name', 'type'],
);
