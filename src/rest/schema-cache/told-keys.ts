// Keys that PostgreSQL cannot know, told in comments: a view over a UNION, a materialized view or a foreign table has none of its own.
// `@survest primary-key id` and `@survest foreign-key writer_id references writers(id)` in, rows as the catalogue has them for constraints out.

import type { KeyRow, RelationRow } from './catalogue-rows.ts';
import { readComment } from './directives.ts';
import type { Omission } from './omission.ts';

/** Constraints have 32 bits: these come behind all of them, and are known by it. */
const FIRST_OID = 2 ** 32;

const PRIMARY = 'primary-key';
const FOREIGN = 'foreign-key';
const REFERENCES = ' references ';

export const KEY_WORDS: ReadonlySet<string> = new Set([PRIMARY, FOREIGN]);

export type ToldKeys = { readonly keys: readonly KeyRow[]; readonly omissions: readonly Omission[] };

export function isTold({ oid }: Pick<KeyRow, 'oid'>): boolean {
  return oid >= FIRST_OID;
}

export function readToldKeys(relations: readonly RelationRow[]): ToldKeys {
  const keys: KeyRow[] = [];
  const omissions: Omission[] = [];
  let byName: ReadonlyMap<string, RelationRow> | undefined;
  for (const row of relations) {
    for (const { word, rest } of readComment(row.description).directives) {
      if (!KEY_WORDS.has(word)) continue;
      byName ??= new Map(relations.map((relation) => [nameOf(relation), relation]));
      const read = word === PRIMARY ? primaryKey(row, rest) : foreignKey(row, rest, byName);
      if (typeof read === 'string')
        omissions.push({ what: `@survest ${word} ${rest} in the comment on ${row.schema}.${row.name}`, why: read });
      else keys.push({ ...read, oid: FIRST_OID + keys.length });
    }
  }
  return { keys, omissions };
}

type Told = Omit<KeyRow, 'oid'>;

/** A text says what is wrong with it. */
function primaryKey(row: RelationRow, rest: string): Told | string {
  const columns = attnums(row, rest);
  if (hasOwnKeys(row)) return 'a table has its keys by constraints';
  if (columns === undefined) return 'it has no such columns';
  const name = `${row.name}_pkey`;
  return { kind: 'p', name, relation: row.oid, columns, foreignRelation: 0, foreignColumns: null };
}

function foreignKey(row: RelationRow, rest: string, byName: ReadonlyMap<string, RelationRow>): Told | string {
  if (hasOwnKeys(row)) return 'a table has its keys by constraints';
  const [own = '', target = ''] = rest.split(REFERENCES);
  const open = target.indexOf('(');
  if (open < 0 || !target.endsWith(')')) return 'it is not written as: columns references table(columns)';
  const foreign = byName.get(nameOf({ schema: row.schema, name: target.slice(0, open).trim() }));
  if (foreign === undefined) return 'its schema has no such relation';
  const columns = attnums(row, own);
  const foreignColumns = attnums(foreign, target.slice(open + 1, -1));
  if (columns === undefined || columns.length !== foreignColumns?.length) return 'they have no such columns, in pairs';
  const name = `${row.name}_${own.split(',').map(trimmed).join('_')}_fkey`;
  return { kind: 'f', name, relation: row.oid, columns, foreignRelation: foreign.oid, foreignColumns };
}

function hasOwnKeys({ kind }: RelationRow): boolean {
  return kind === 'r' || kind === 'p';
}

/** Undefined: one of the names is no column of it. */
function attnums({ columnNames }: RelationRow, names: string): readonly number[] | undefined {
  const places = names.split(',').map((name) => (columnNames?.indexOf(trimmed(name)) ?? -1) + 1);
  return places.every((place) => place > 0) ? places : undefined;
}

function trimmed(name: string): string {
  return name.trim();
}

function nameOf({ schema, name }: Pick<RelationRow, 'schema' | 'name'>): string {
  return `${schema}\0${name}`;
}
