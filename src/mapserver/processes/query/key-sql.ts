// Keys of two tables, such as postcodes → texts that are the same where they mean the same. Pure.

import type { LayerColumn } from '../../../layer-ports/layer.ts';
import { sql } from '../../../sql/index.ts';
import { columnClass } from '../../columns/column-class.ts';
import type { Sql } from '../../query/value.ts';

/** Null: there is none. How a key is written, for columns that are held against each other. */
export function keyTexts(columns: readonly LayerColumn[]): (key: Sql) => Sql {
  const isNumber = columns.some(({ type }) => ['integer', 'number'].includes(columnClass(type)));
  return (key) => {
    const words = sql`nullif(lower(btrim(${key}::text)), '')`;
    // 01234 is 1234 where somebody took it for a number.
    return isNumber ? sql`ltrim(${words}, '0')` : words;
  };
}
