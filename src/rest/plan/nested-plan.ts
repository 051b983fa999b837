// Rows with rows inside them → what is written where: each level finds its relationship as reading does, and takes its keys from the level
// that it hangs on.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { NestedKeys } from '../request/payload.ts';
import type { Relationship, Table } from '../schema-cache/schema-cache.ts';
import { findRelationship } from './find-relationship.ts';
import type { NestedLink, NestedNode, WriteColumn } from './plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlanError } from './plan-error.ts';

type ColumnsOf = (table: Table, names: readonly string[]) => Result<readonly WriteColumn[], PlanError>;

type Level = {
  readonly table: Table;
  readonly keys: NestedKeys;
  readonly name: string;
  readonly isList: boolean;
  readonly link: NestedLink | undefined;
};

export class NestedPlanner {
  readonly #request: ApiRequest;
  readonly #context: PlanContext;
  readonly #columnsOf: ColumnsOf;
  readonly #merges: boolean;
  readonly #prunes: boolean;
  #count = 0;

  constructor(request: ApiRequest, context: PlanContext, columnsOf: ColumnsOf) {
    this.#request = request;
    this.#context = context;
    this.#columnsOf = columnsOf;
    this.#merges = request.preferences.resolution === 'merge-duplicates';
    this.#prunes = this.#merges && request.preferences.missingRows === 'delete';
  }

  /** `returned`: columns of the root that the answer needs. */
  root(table: Table, keys: NestedKeys, returned: readonly string[]): Result<NestedNode, PlanError> {
    if (this.#request.preferences.resolution === 'ignore-duplicates')
      return impossible(
        table.name,
        'with resolution=ignore-duplicates it would not be known which rows they belong to',
      );
    return this.#node(
      { table, keys, name: '', isList: true, link: undefined },
      returned,
      this.#request.query.onConflict,
    );
  }

  #node(
    { table, keys, name, isList, link }: Level,
    returned: readonly string[],
    onConflict?: readonly string[],
  ): Result<NestedNode, PlanError> {
    const index = this.#count++;
    // What is a column is a column, whatever else has its name.
    const nested = keys.children.filter((child) => !table.columns.has(child.name));
    const own = [
      ...keys.keys,
      ...keys.children.filter((child) => table.columns.has(child.name)).map((child) => child.name),
    ];
    const columns = this.#columnsOf(table, own);
    if (!columns.ok) return columns;
    const children: NestedNode[] = [];
    for (const child of nested) {
      const made = this.#child(table, child);
      if (!made.ok) return made;
      children.push(made.value);
    }
    const filled = [
      ...(link?.kind === 'below' ? link.pairs.map(([, column]) => column) : []),
      ...children.flatMap((child) => (child.link?.kind === 'above' ? child.link.pairs.map(([column]) => column) : [])),
    ];
    const known = new Set([...own, ...filled]);
    const on = onConflict ?? table.primaryKey;
    const conflict = this.#merges && on.length > 0 && on.every((column) => known.has(column)) ? on : undefined;
    const { missing } = this.#request.preferences;
    const isKeyDefault = (key: string): boolean =>
      table.primaryKey.includes(key) && table.columns.get(key)?.default != null;
    const differing = missing === undefined ? keys.partial.filter((key) => !isKeyDefault(key)) : [];
    if (differing.length > 0) return err({ kind: 'nested-keys-differ', name, keys: differing });
    const prunes = this.#prunes && isList && (link?.kind === 'below' || link?.kind === 'through');
    if (prunes && link.kind === 'below' && table.primaryKey.length === 0)
      return impossible(name, 'without a primary key it is not known which of its rows are missing');
    const needed = new Set([
      ...returned,
      ...(conflict ?? []),
      ...(prunes && link.kind === 'below' ? table.primaryKey : []),
      ...(link === undefined ? [] : ownEnd(link)),
      ...children.flatMap(({ link: below }) => (below === undefined ? [] : parentEnd(below))),
    ]);
    return ok({
      index,
      name,
      table,
      columns: columns.value,
      defaulted: missing === 'default' ? keys.partial : keys.partial.filter(isKeyDefault),
      filled,
      link,
      isList,
      conflict,
      prunes,
      needed: [...needed],
      children,
    });
  }

  #child(
    parent: Table,
    { name, target, hint, isList, inside }: NestedKeys['children'][number],
  ): Result<NestedNode, PlanError> {
    const { cache } = this.#context;
    const { schema } = this.#request;
    const found = findRelationship(cache, schema, { name: parent.name, table: parent }, { target, hint });
    if (!found.ok) return found;
    const { foreign } = found.value;
    const table = cache.table(foreign.schema, foreign.name);
    const link = linkOf(found.value, cache.table.bind(cache));
    if (table === undefined || link === undefined) return impossible(name, 'it is computed by a function');
    const toOne = found.value.kind === 'many-to-one' || found.value.kind === 'one-to-one';
    if (toOne === isList) return impossible(name, toOne ? 'it is one row, not a list' : 'it is a list of rows');
    return this.#node({ table, keys: inside, name, isList, link }, []);
  }
}

function impossible(name: string, why: string): Result<never, PlanError> {
  return err({ kind: 'nested-impossible', name, why });
}

function linkOf(
  relationship: Relationship,
  tableOf: (schema: string, name: string) => Table | undefined,
): NestedLink | undefined {
  switch (relationship.kind) {
    case 'computed':
      return undefined;
    case 'many-to-one':
      return { kind: 'above', pairs: relationship.columns };
    case 'one-to-many':
      return { kind: 'below', pairs: relationship.columns };
    case 'one-to-one':
      return { kind: relationship.holdsKey === true ? 'above' : 'below', pairs: relationship.columns };
    case 'many-to-many': {
      const junction = tableOf(relationship.junction.schema, relationship.junction.name) ?? relationship.junction;
      return { kind: 'through', junction, pairs: relationship.columns, foreignPairs: relationship.foreignColumns };
    }
  }
}

/** Columns of the row itself that its parent, or the junction, refers to. */
function ownEnd(link: NestedLink): readonly string[] {
  if (link.kind === 'through') return link.foreignPairs.map(([own]) => own);
  return link.kind === 'above' ? link.pairs.map(([, own]) => own) : [];
}

/** Columns of the parent that the row, or the junction, refers to. */
function parentEnd(link: NestedLink): readonly string[] {
  return link.kind === 'above' ? [] : link.pairs.map(([parent]) => parent);
}
