// How many rows an upsert updated; the others of its rows were inserted.

import { type Sql, sql } from './bind.ts';

export const updatedRowsSql: Sql = sql`coalesce(nullif(current_setting('survest.updated', true), ''), '0')::bigint`;
