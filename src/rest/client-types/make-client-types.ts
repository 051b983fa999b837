// Schema cache and named types → what a typed client has to know, in an order that depends on names alone.

import type { NamedType } from '../schema-cache/named-types.ts';
import type { Column, Relationship, ResultColumn, Routine, SchemaCache, Table } from '../schema-cache/schema-cache.ts';
import type {
  ClientTypes,
  ColumnType,
  FieldType,
  FunctionType,
  KeyType,
  OverloadType,
  RelationType,
  ResultType,
  SchemaTypes,
} from './client-types.ts';
import { isViewKind, makeValueTypes, type ValueTypes } from './value-types.ts';

/** @param schemas those of the cache that are to be described */
export function makeClientTypes(
  cache: SchemaCache,
  named: readonly NamedType[],
  schemas: readonly string[] = cache.schemas,
): ClientTypes {
  const chosen = new Set(schemas);
  const values = makeValueTypes(cache, named, chosen);
  const described = Array.from(chosen, (name) => makeSchema(name, { cache, named, values, chosen }));
  return {
    schemas: byName(described),
    otherEnums: values
      .otherEnums()
      .map(({ schema, name, labels }) => ({ schema, name, labels }))
      .sort((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name)),
  };
}

type Sources = {
  readonly cache: SchemaCache;
  readonly named: readonly NamedType[];
  readonly values: ValueTypes;
  readonly chosen: ReadonlySet<string>;
};

function makeSchema(schema: string, sources: Sources): SchemaTypes {
  const { cache, values } = sources;
  const tables = cache.tablesOf(schema);
  const here = sources.named.filter((type) => type.schema === schema);
  const relations = (areViews: boolean): readonly RelationType[] =>
    byName(tables.filter(({ kind }) => isViewKind(kind) === areViews).map((table) => makeRelation(table, sources)));
  return {
    name: schema,
    tables: relations(false),
    views: relations(true),
    functions: makeFunctions(schema, tables, sources),
    enums: byName(here.flatMap((type) => (type.kind === 'enum' ? [{ name: type.name, labels: type.labels }] : []))),
    composites: byName(
      here.flatMap((type) => {
        if (type.kind !== 'composite') return [];
        const fields = type.columns.map(([name, of]) => ({ name, type: values.of(of), isNullable: true }));
        return [{ name: type.name, fields: byName(fields) }];
      }),
    ),
  };
}

// ── relations ──

function makeRelation(table: Table, { cache, values }: Sources): RelationType {
  return {
    name: table.name,
    description: table.description,
    columns: byName(Array.from(table.columns.values(), (column) => makeColumn(column, values))),
    computed: byName(
      cache
        .computedColumns(table)
        // A column of that name is what the name means.
        .filter(({ name }) => !table.columns.has(name))
        .map(({ name, baseType }) => ({ name, type: values.of(baseType), isNullable: true })),
    ),
    keys: cache
      .relationshipsOf(table)
      .flatMap(keyOf)
      .sort((a, b) => compare(sortKey(a), sortKey(b))),
    isInsertable: table.insertable,
    isUpdatable: table.updatable,
  };
}

function makeColumn(column: Column, values: ValueTypes): ColumnType {
  const isGenerated = column.generated === true;
  return {
    name: column.name,
    description: column.description,
    type: columnType(column, values),
    isNullable: column.nullable,
    maxLength: column.maxLength,
    isOptional: isGenerated || column.nullable || column.default !== null,
    isGenerated,
  };
}

function columnType({ baseType, representation }: ResultColumn, values: ValueTypes): ColumnType['type'] {
  return representation === null ? values.of(baseType) : { kind: 'json' };
}

/** Clients find the other direction, and what goes through a junction, by the keys themselves. */
function keyOf(relationship: Relationship): readonly KeyType[] {
  const holdsKey =
    relationship.kind === 'many-to-one' || (relationship.kind === 'one-to-one' && relationship.holdsKey === true);
  if (!holdsKey) return [];
  return [
    {
      constraint: relationship.constraint,
      columns: relationship.columns.map(([own]) => own),
      isOneToOne: relationship.kind === 'one-to-one',
      foreign: relationship.foreign.name,
      foreignColumns: relationship.columns.map(([, foreign]) => foreign),
    },
  ];
}

function sortKey({ constraint, foreign, columns, foreignColumns }: KeyType): string {
  return JSON.stringify([constraint, foreign, columns, foreignColumns]);
}

// ── functions ──

function makeFunctions(schema: string, tables: readonly Table[], sources: Sources): readonly FunctionType[] {
  const { cache } = sources;
  const embedded = new Map<string, Map<string, boolean>>();
  for (const table of tables) {
    for (const relationship of cache.relationshipsOf(table)) {
      if (relationship.kind !== 'computed') continue;
      const { routine, toOne } = relationship;
      const from = embedded.get(routine.name) ?? new Map<string, boolean>();
      embedded.set(routine.name, from.set(table.name, toOne));
    }
  }
  const names = new Set([...cache.routinesOf(schema).map(({ name }) => name), ...embedded.keys()]);
  return byName(
    Array.from(names, (name) => ({
      name,
      overloads: cache
        .routines(schema, name)
        .map((routine) => ({ routine, overload: makeOverload(routine, embedded.get(name), sources) }))
        // Known to those who know of them; only embeds are for everybody.
        .filter(({ routine, overload }) => routine.unlisted !== true || (overload.rows?.from ?? '*') !== '*')
        .map(({ overload }) => overload)
        .sort((a, b) => compare(JSON.stringify(a.args), JSON.stringify(b.args))),
    })).filter(({ overloads }) => overloads.length > 0),
  );
}

function makeOverload(
  routine: Routine,
  embedded: ReadonlyMap<string, boolean> | undefined,
  sources: Sources,
): OverloadType {
  const { cache, values } = sources;
  const args = routine.parameters.map(({ name, type, required }) => ({
    name,
    type: values.of(type),
    isNullable: false,
    isOptional: !required,
  }));
  const { set, shape } = routine.returns;
  const result = makeResult(routine, sources);
  const [only, another] = args;
  const row = only?.type.kind === 'relation' && another === undefined ? only.type.at : undefined;
  const toOne = row?.schema === routine.schema ? embedded?.get(row.name) : undefined;
  const to =
    shape.kind === 'composite' &&
    shape.relation.schema === routine.schema &&
    cache.table(shape.relation.schema, shape.relation.name) !== undefined
      ? shape.relation.name
      : undefined;
  return {
    description: routine.description,
    args: byName(args),
    isSet: set,
    result,
    ...(to === undefined
      ? {}
      : { rows: { from: toOne === undefined ? '*' : (row?.name ?? '*'), to, isOneToOne: toOne ?? !set } }),
  };
}

function makeResult({ returns: { shape } }: Routine, { cache, values, chosen }: Sources): ResultType {
  switch (shape.kind) {
    case 'void':
      return { kind: 'void' };
    case 'scalar':
      return { kind: 'value', type: values.of(shape.type) };
    case 'record':
      return shape.columns === undefined ? { kind: 'record' } : fieldsOf(shape.columns, values);
    case 'composite': {
      const { schema, name } = shape.relation;
      const table = shape.columns === undefined ? cache.table(schema, name) : undefined;
      if (table !== undefined && chosen.has(schema)) {
        return { kind: 'value', type: { kind: 'relation', at: { schema, name }, isView: isViewKind(table.kind) } };
      }
      const columns = shape.columns ?? table?.columns;
      return columns === undefined ? { kind: 'record' } : fieldsOf(columns, values);
    }
  }
}

function fieldsOf(columns: ReadonlyMap<string, ResultColumn | Column>, values: ValueTypes): ResultType {
  const fields = Array.from(columns.values(), (column): FieldType => {
    // Nothing says of a result's column whether it can be null; clients of the kind take it for a value.
    const isNullable = 'nullable' in column && column.nullable;
    return { name: column.name, type: columnType(column, values), isNullable };
  });
  return { kind: 'fields', fields: byName(fields) };
}

// ── order ──

function byName<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => compare(a.name, b.name));
}

/** By code units: the order of a locale would differ from machine to machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
