// The name of a text search configuration as SQL.

import { literal } from '../../sql/index.ts';
import type { Sql } from './bind.ts';

/** Digits alone would be read as an object's number, and an unknown number is PostgreSQL's own fault, not the client's. */
export function configurationSql(language: string): Sql {
  return literal(/^[0-9]+$/.test(language) ? `"${language}"` : language);
}
