// Catalogue rows of relations, their defaults, comments, types and keys → tables.

import type { Stage } from '../../kernel/in-slices.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { CommentRow, DefaultRow, RelationRow, TypeRow } from './catalogue-rows.ts';
import { readComment } from './directives.ts';
import type { Keys } from './keys.ts';
import { type ReadLimits, readLimits } from './limits.ts';
import { getOrMake } from './name-map.ts';
import type { Omission } from './omission.ts';
import type { Representations } from './representations.ts';
import type { Column, Table, Undescribed } from './schema-cache.ts';
import { KEY_WORDS } from './told-keys.ts';
import type { Types } from './types.ts';
import type { ViewKeys } from './view-keys.ts';

export type TableSources = {
  readonly relations: readonly RelationRow[];
  readonly defaults: readonly DefaultRow[];
  readonly comments: readonly CommentRow[];
  readonly types: Types;
  readonly representations: Representations;
  readonly keys: Keys;
  readonly viewKeys: ViewKeys;
};

const KINDS = {
  r: 'table',
  p: 'partitioned-table',
  v: 'view',
  m: 'materialized-view',
  f: 'foreign-table',
} as const;

const CAN_UPDATE = 4;
const CAN_INSERT = 8;
const CAN_DELETE = 16;

/** What few columns have, by attnum. */
type Sparse<T> = ReadonlyMap<number, T>;

export type MadeTables = {
  /** In pairs with the rows; undefined: the relation cannot be described. */
  readonly tables: readonly (Table | undefined)[];
  readonly undescribed: readonly Undescribed[];
};

export function* makeTables(sources: TableSources): Stage<MadeTables> {
  const defaults = yield* bySparseColumn(sources.defaults, (row) => row.expression);
  const comments = yield* bySparseColumn(sources.comments, (row) => row.text);
  const share = makeShareColumn(sources.representations);
  const tables: (Table | undefined)[] = [];
  const undescribed: Undescribed[] = [];
  for (const row of sources.relations) {
    const columns = makeColumns(row, sources, share, defaults.get(row.oid), comments.get(row.oid));
    if (columns.ok) tables.push(makeTable(row, sources, columns.value));
    else {
      tables.push(undefined);
      undescribed.push({ schema: row.schema, name: row.name, why: columns.error });
    }
    yield;
  }
  return { tables, undescribed };
}

function makeTable(row: RelationRow, sources: TableSources, columns: ReadonlyMap<string, Column>): Table {
  const comment = readComment(row.description);
  const limits = comment.directives.length === 0 ? [] : limitsOf(row).rules;
  return {
    schema: row.schema,
    name: row.name,
    kind: KINDS[row.kind],
    description: comment.text,
    insertable: (row.writable & CAN_INSERT) !== 0,
    updatable: (row.writable & CAN_UPDATE) !== 0,
    deletable: (row.writable & CAN_DELETE) !== 0,
    primaryKey: primaryKeyNames(primaryKeyOf(row, sources), row.columnNames ?? []),
    columns,
    ...(limits.length === 0 ? undefined : { limits }),
  };
}

function limitsOf({ schema, name, description }: RelationRow): ReadLimits {
  return readLimits(readComment(description), `${schema}.${name}`, KEY_WORDS);
}

/** What the comments on relations say and nobody understands. */
export function directiveOmissions(relations: readonly RelationRow[]): readonly Omission[] {
  return relations.flatMap((row) => (row.description === null ? [] : limitsOf(row).omissions));
}

export function isView(kind: RelationRow['kind']): boolean {
  return kind === 'v' || kind === 'm';
}

function primaryKeyOf({ oid, kind }: RelationRow, { keys, viewKeys }: TableSources): readonly number[] | undefined {
  return (isView(kind) ? viewKeys.primary : keys.primary).get(oid);
}

export function primaryKeyNames(
  attnums: readonly number[] | undefined,
  columnNames: readonly (string | null)[],
): string[] {
  return attnums?.map((attnum) => columnNames[attnum - 1] ?? '') ?? [];
}

function makeColumns(
  row: RelationRow,
  sources: TableSources,
  share: ShareColumn,
  defaults: Sparse<string | null> | undefined,
  comments: Sparse<string> | undefined,
): Result<ReadonlyMap<string, Column>, string> {
  const columns = new Map<string, Column>();
  for (const [i, name] of row.columnNames?.entries() ?? []) {
    if (name === null) continue;
    const attnum = i + 1;
    const type = sources.types.get(row.columnTypes?.[i] ?? 0, row.modifiers?.[attnum] ?? -1);
    if (type === undefined) return err(`the catalogue does not have the type of its column "${name}"`);
    const plain = share(type, name, row.notNull?.includes(attnum) ?? false);
    const ownDefault = defaults?.get(attnum);
    const description = comments?.get(attnum);
    if (row.generated?.includes(attnum) === true) {
      columns.set(name, { ...plain, description: description ?? null, default: null, generated: true });
    } else if (ownDefault === undefined && description === undefined) {
      columns.set(name, plain);
    } else {
      columns.set(name, { ...plain, description: description ?? null, default: ownDefault ?? plain.default });
    }
  }
  return ok(columns);
}

/** The column of this name and type that has nothing of its own. */
type ShareColumn = (type: TypeRow, name: string, isNotNull: boolean) => Column;

/** Most columns are like one of another table (`id bigint not null`): they are one object, which halves the memory. */
function makeShareColumn(representations: Representations): ShareColumn {
  const nullable = new Map<TypeRow, Map<string, Column>>();
  const notNull = new Map<TypeRow, Map<string, Column>>();
  return (type, name, isNotNull) => {
    const known = getOrMake(isNotNull ? notNull : nullable, type, () => new Map<string, Column>());
    return getOrMake(known, name, () => ({
      name,
      description: null,
      nullable: !(isNotNull || type.notNull),
      baseType: type.baseName,
      nominalType: type.nominalName,
      maxLength: type.maxLength,
      default: type.default,
      enumLabels: type.enumLabels ?? [],
      representation: representations.nameOf(type.oid),
    }));
  };
}

function* bySparseColumn<R extends { readonly relation: number; readonly column: number }, T>(
  rows: readonly R[],
  valueIn: (row: R) => T,
): Stage<ReadonlyMap<number, Sparse<T>>> {
  const map = new Map<number, Map<number, T>>();
  for (const row of rows) {
    getOrMake(map, row.relation, () => new Map<number, T>()).set(row.column, valueIn(row));
    yield;
  }
  return map;
}
