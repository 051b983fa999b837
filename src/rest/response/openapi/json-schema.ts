// A PostgreSQL type → JSON Schema (2020-12) of the JSON the database makes of its values.
// A type whose JSON form is not known here (composites, types of extensions) gets no constraint rather than a wrong one.

import type { Column } from '../../schema-cache/schema-cache.ts';
import { defaultValue } from './default-value.ts';
import type { JsonValue } from './json-text.ts';
import { elementType } from './pg-type.ts';

export type JsonSchema = { readonly [key: string]: JsonValue | undefined };

const STRING: JsonSchema = { type: 'string' };
const ANYTHING: JsonSchema = {};
const GEOMETRY: JsonSchema = { $ref: '#/components/schemas/Survest.Geometry' };

// Formats are those of the OpenAPI registry, and only where PostgreSQL's text is always of that form.
const BUILT_IN: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['boolean', { type: 'boolean' }],
  ['smallint', { type: 'integer', format: 'int16' }],
  ['integer', { type: 'integer', format: 'int32' }],
  ['bigint', { type: 'integer', format: 'int64' }],
  ['numeric', { type: 'number' }],
  ['real', { type: 'number', format: 'float' }],
  ['double precision', { type: 'number', format: 'double' }],
  ['json', ANYTHING],
  ['jsonb', ANYTHING],
  ['uuid', { type: 'string', format: 'uuid' }],
  ['date', { type: 'string', format: 'date' }],
  ['timestamp with time zone', { type: 'string', format: 'date-time' }],
  ['timestamp without time zone', { type: 'string', format: 'date-time-local' }],
  ['time without time zone', { type: 'string', format: 'time-local' }],
  ...(
    'text,character varying,character,"char",name,time with time zone,interval,money,bytea,xml,inet,cidr,macaddr,macaddr8,' +
    'bit,bit varying,tsvector,tsquery,point,line,lseg,box,path,polygon,circle,int4range,int8range,numrange,tsrange,tstzrange,' +
    'daterange,int4multirange,int8multirange,nummultirange,tsmultirange,tstzmultirange,datemultirange,oid,regclass,regtype,' +
    'regproc,regprocedure,regrole,regnamespace,regconfig,jsonpath,pg_lsn,xid8'
  )
    .split(',')
    .map((name): [string, JsonSchema] => [name, STRING]),
]);

// These live in whatever schema their extension was put.
const OF_EXTENSIONS: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['geometry', GEOMETRY],
  ['geography', STRING],
  ['citext', STRING],
  ['ltree', STRING],
  ['hstore', { type: 'object', additionalProperties: { type: ['string', 'null'] } }],
]);

export function typeSchema(type: string): JsonSchema {
  const element = elementType(type);
  // Any element may be null. That there could be arrays in it, too, is true of every array type and said of none.
  if (element !== undefined) return { type: 'array', items: orNull(typeSchema(element)) };
  return BUILT_IN.get(type) ?? OF_EXTENSIONS.get(type.slice(type.lastIndexOf('.') + 1)) ?? ANYTHING;
}

/** A column in a row: as read, or (`writing`) as accepted in a request body. */
export function columnSchema(column: Column, use: 'reading' | 'writing', description: string | undefined): JsonSchema {
  const value = valueSchema(column, use);
  return {
    ...(column.nullable ? orNull(value) : value),
    default: column.default === null ? undefined : defaultValue(column.default, column.baseType),
    readOnly: use === 'reading' && column.generated === true ? true : undefined,
    description,
    'x-pg-type': column.nominalType,
  };
}

function valueSchema(column: Column, use: 'reading' | 'writing'): JsonSchema {
  // A cast function decides what such a value looks like.
  if (column.representation !== null) return ANYTHING;
  const schema = typeSchema(column.baseType);
  if (schema === GEOMETRY && use === 'writing') return { anyOf: [GEOMETRY, STRING] };
  if (schema['type'] === 'array') return schema;
  if (column.enumLabels.length > 0) return { type: 'string', enum: column.enumLabels };
  if (column.maxLength !== null && schema['type'] === 'string') return { ...schema, maxLength: column.maxLength };
  return schema;
}

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: labels, anyOf, $ref } = schema;
  if ($ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  if (Array.isArray(anyOf)) return { anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string') return schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(labels) && { enum: [...labels, null] }) };
}
