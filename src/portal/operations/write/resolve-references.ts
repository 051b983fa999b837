// References of drafts → ids (or, for keywords, names), looked up as the caller: what the caller cannot see does not exist. One
// statement per table, whatever the number of elements.

import { err, ok, type Result } from '../../../kernel/result.ts';
import type { BatchResult, Session, Statement } from '../../../pg/driver.ts';
import { join, raw, sql } from '../../../sql/index.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import type { Field } from '../../fields/field.ts';
import type { Lookup } from '../../fields/lookup.ts';
import type { Draft, Given, Reference } from './draft.ts';

export type Resolved = {
  /** Text for the database: an id, an array of ids or names, or null. */
  textOf(field: Field, given: Given): Result<string | null, string>;
};

type Found = {
  readonly ids: ReadonlySet<number>;
  readonly byName: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<number, string>;
};

/** Nothing to look up: no statement. */
export async function resolveReferences(
  drafts: readonly Draft[],
  session: Session,
  statement: (fragment: Sql) => Statement,
): Promise<Result<Resolved, PortalError>> {
  const wanted = collect(drafts);
  const tables = new Map<Lookup, Found>();
  if (wanted.size > 0) {
    const executed: BatchResult = await session.execute(
      [...wanted].map(([lookup, refs]) => statement(lookupSql(lookup, refs))),
    );
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    [...wanted.keys()].forEach((lookup, i) => {
      tables.set(lookup, foundIn(executed.value[i]?.rows[0]?.[0]?.toString() ?? '[]'));
    });
  }
  return ok({ textOf: (field, given) => textOf(field, given, tables) });
}

/** Every reference that does not lead anywhere, by field; one that has its own complaint, and is the only one, in a list. */
export function referenceFailure(draft: Draft, resolved: Resolved): PortalError | undefined {
  const fields: Record<string, readonly string[]> = {};
  let isOwnWords = true;
  for (const [field, given] of draft) {
    const text = resolved.textOf(field, given);
    if (text.ok) continue;
    fields[field.name] = [text.error];
    if (!('to' in field.write) || field.write.to.complaint === undefined) isOwnWords = false;
  }
  const messages = Object.values(fields).flat();
  if (messages.length === 0) return undefined;
  return isOwnWords ? { kind: 'invalid-request', messages } : { kind: 'invalid-fields', fields };
}

function collect(drafts: readonly Draft[]): ReadonlyMap<Lookup, readonly Reference[]> {
  const wanted = new Map<Lookup, Reference[]>();
  for (const draft of drafts) {
    for (const [{ write }, given] of draft) {
      if (given.kind === 'value' || !('to' in write)) continue;
      const references = given.kind === 'references' ? given.to : given.to === null ? [] : [given.to];
      const needed = references.filter((reference) => !(write.kind === 'names' && isName(reference)));
      if (needed.length > 0) wanted.set(write.to, [...(wanted.get(write.to) ?? []), ...needed]);
    }
  }
  return wanted;
}

/** A keyword's name needs no looking up: a new one is made of it. */
function isName(reference: Reference): boolean {
  return reference.by === 'name' && reference.column === 'name';
}

/** `[[id, column, text], …]` of all rows that any reference means. */
function lookupSql({ table, plain, names }: Lookup, references: readonly Reference[]): Sql {
  const ids = references.flatMap((reference) => (reference.by === 'id' ? [reference.id] : []));
  const columns = [...new Set([...names.map(({ column }) => column), plain])];
  const parts = columns.map((column) => {
    const texts = references.flatMap((reference) =>
      reference.by === 'name' && reference.column === column ? [reference.name] : [],
    );
    return sql<BoundValue>`select t.id, ${raw(`'${column}'`)}, ${raw(`t.${column}::text`)} from ${raw(table)} t where t.id = any (${bound(arrayText(ids))}::bigint[]) or ${raw(`t.${column}::text`)} = any (${bound(arrayText(texts))}::text[])`;
  });
  return sql<BoundValue>`select coalesce(json_agg(json_build_array(f.id, f.col, f.txt) order by f.id), '[]') from (${join(parts, ' union all ')}) f(id, col, txt)`;
}

function foundIn(json: string): Found {
  const rows = JSON.parse(json) as readonly (readonly [number, string, string])[];
  const byName = new Map<string, number>();
  const names = new Map<number, string>();
  for (const [id, column, text] of rows) {
    const key = `${column} ${text}`;
    // Of two with the same text the older one is meant.
    if (!byName.has(key)) byName.set(key, id);
    if (column === 'name') names.set(id, text);
  }
  return { ids: new Set(rows.map(([id]) => id)), byName, names };
}

function textOf({ write }: Field, given: Given, tables: ReadonlyMap<Lookup, Found>): Result<string | null, string> {
  if (given.kind === 'value') return ok(given.text);
  if (!('to' in write)) return err('This field cannot be written.');
  const found = tables.get(write.to);
  if (given.kind === 'reference') {
    if (given.to === null) return ok(null);
    const id = idOf(given.to, found);
    return id === undefined ? err(unknown(given.to, write.to)) : ok(String(id));
  }
  const values: (string | number)[] = [];
  for (const reference of given.to) {
    if (write.kind === 'names' && reference.by === 'name' && isName(reference)) {
      values.push(reference.name);
      continue;
    }
    const id = idOf(reference, found);
    const value = write.kind === 'names' && id !== undefined ? found?.names.get(id) : id;
    if (value === undefined) return err(unknown(reference, write.to));
    values.push(value);
  }
  return ok(arrayText(values));
}

function idOf(reference: Reference, found: Found | undefined): number | undefined {
  if (reference.by === 'id') return found?.ids.has(reference.id) === true ? reference.id : undefined;
  return found?.byName.get(`${reference.column} ${reference.name}`);
}

function unknown(reference: Reference, { what, complaint }: Lookup): string {
  if (complaint !== undefined) return complaint;
  const named = reference.by === 'id' ? String(reference.id) : reference.name.slice(0, 100);
  return `Invalid pk "${named}" - ${what} object does not exist.`;
}
