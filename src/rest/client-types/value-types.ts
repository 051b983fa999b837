// Names of PostgreSQL types, as format_type prints them → what their values are in the JSON of the service.

import type { NamedType } from '../schema-cache/named-types.ts';
import type { Identifier, SchemaCache } from '../schema-cache/schema-cache.ts';
import type { ValueType } from './client-types.ts';

export type ValueTypes = {
  readonly of: (printed: string) => ValueType;
  /** Enums outside of the described schemas that were asked for. */
  readonly otherEnums: () => readonly (Identifier & { readonly labels: readonly string[] })[];
};

const SIMPLE: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ['smallint', { kind: 'number', isInteger: true }],
  ['integer', { kind: 'number', isInteger: true }],
  ['bigint', { kind: 'number', isInteger: true }],
  ['numeric', { kind: 'number', isInteger: false }],
  ['real', { kind: 'number', isInteger: false }],
  ['double precision', { kind: 'number', isInteger: false }],
  ['boolean', { kind: 'boolean' }],
  ['json', { kind: 'json' }],
  ['jsonb', { kind: 'json' }],
  ['record', { kind: 'json' }],
]);

/** Types of extensions that PostgreSQL writes by their cast to json. */
const CAST_TO_JSON = /\.(?:geometry|hstore)$/;

const POLYMORPHIC = /^any/;

/** A domain over more domains than these can be anything. */
const MAX_DOMAINS = 100;

const JSON_VALUE: ValueType = { kind: 'json' };

export function makeValueTypes(
  cache: SchemaCache,
  named: readonly NamedType[],
  schemas: ReadonlySet<string>,
): ValueTypes {
  const byName = new Map(named.map((type) => [type.printed, type]));
  const known = new Map<string, ValueType>();
  const others = new Map<string, Extract<NamedType, { kind: 'enum' }>>();

  function resolve(printed: string, domains: number): ValueType {
    if (printed.endsWith('[]')) return { kind: 'array', of: resolve(printed.slice(0, -2), domains) };
    const simple = SIMPLE.get(printed);
    if (simple !== undefined) return simple;
    // Its own casts decide how such a domain is written.
    if (cache.representations.has(printed)) return JSON_VALUE;
    const type = byName.get(printed);
    if (type === undefined) {
      return CAST_TO_JSON.test(printed) || POLYMORPHIC.test(printed) ? JSON_VALUE : { kind: 'string' };
    }
    const { schema, name } = type;
    const at = { schema, name };
    switch (type.kind) {
      case 'domain':
        return domains === MAX_DOMAINS ? JSON_VALUE : resolve(type.base, domains + 1);
      case 'enum': {
        const isListed = schemas.has(schema);
        if (!isListed) others.set(printed, type);
        return { kind: 'enum', at, isListed };
      }
      case 'composite':
        return schemas.has(schema) ? { kind: 'composite', at } : JSON_VALUE;
      case 'relation': {
        const table = schemas.has(schema) ? cache.table(schema, name) : undefined;
        return table === undefined ? JSON_VALUE : { kind: 'relation', at, isView: isViewKind(table.kind) };
      }
    }
  }

  return {
    of(printed) {
      const found = known.get(printed) ?? resolve(printed, 0);
      known.set(printed, found);
      return found;
    },
    otherEnums: () => [...others.values()],
  };
}

export function isViewKind(kind: string): boolean {
  return kind === 'view' || kind === 'materialized-view';
}
