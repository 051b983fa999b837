// `columns=a,b` and `on_conflict=a,b`: a list of names. In: the cursor. Out: the names, each once.

import type { Cursor } from './cursor.ts';
import { fieldName } from './field-name.ts';

const COMMA = 0x2c;

export function columnList(cursor: Cursor): readonly string[] | undefined {
  const first = fieldName(cursor);
  if (first === undefined) return undefined;
  const names = new Set([first]);
  while (cursor.padded(COMMA)) {
    const next = fieldName(cursor);
    if (next === undefined) return undefined;
    names.add(next);
    if (!cursor.within('columnNames', names.size)) return undefined;
    cursor.fresh();
  }
  return [...names];
}
