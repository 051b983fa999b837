// Reads the rules of a layer's columns as the caller, with the choices that foreign keys to small tables leave.

import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import { exactDigits, parseExact } from '../../kernel/exact-numbers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { DbError } from '../../pg/driver.ts';
import { type CatalogueRules, type Choice, type ColumnRules, columnRules } from '../columns/column-rules.ts';
import type { MapContext } from '../map-context.ts';
import { choicesStatement, columnRulesStatement } from '../query/column-rules-sql.ts';
import { timeLimit } from '../query/layer-sql.ts';

/** More than these nobody looks through in a list. */
const MAX_CHOICES = 200;
/** Columns with a foreign key whose choices are read; a table with more of them has these alone. */
const MAX_LISTS = 20;
const LIST_MS = 2000;

export async function readCatalogueRules(
  { db }: Pick<MapContext, 'db'>,
  caller: Caller,
  info: RequestInfo,
  layer: VectorLayer,
): Promise<Result<CatalogueRules, DbError>> {
  const executed = await db.read(caller, info, [columnRulesStatement(layer)]);
  if (!executed.ok) return executed;
  const cell = executed.value[0]?.rows[0]?.[0]?.toString();
  return ok(cell === undefined ? { columns: [], checks: [] } : (JSON.parse(cell) as CatalogueRules));
}

export async function readColumnRules(
  context: Pick<MapContext, 'db'>,
  caller: Caller,
  info: RequestInfo,
  layer: VectorLayer,
): Promise<Result<ColumnRules, DbError>> {
  const catalogue = await readCatalogueRules(context, caller, info, layer);
  if (!catalogue.ok) return err(catalogue.error);
  const rules = new Map(columnRules(catalogue.value));
  const lists = [...rules].flatMap(([name, { references, choices }]) =>
    references === undefined || choices !== undefined ? [] : [{ name, references }],
  );
  for (const { name, references } of lists.slice(0, MAX_LISTS)) {
    const executed = await context.db.read(caller, info, [
      timeLimit(LIST_MS),
      choicesStatement(references, MAX_CHOICES),
    ]);
    // A table that cannot be read, or not in time, offers no list: the value is typed, and the database looks at it.
    const rows = executed.ok ? (executed.value[1]?.rows ?? []) : [];
    if (rows.length === 0 || rows.length > MAX_CHOICES) continue;
    const choices = rows.map(([cell]): Choice => {
      const [value, label] = parseExact(cell?.toString() ?? 'null') as [string | number, string | null];
      return { value: exactDigits(value) ?? value, ...(label === null ? {} : { label }) };
    });
    rules.set(name, { ...rules.get(name), choices });
  }
  return ok(rules);
}
