// Relations → their part of the OpenAPI 3.1 document: a schema of a row as read and one as written, a filter for each
// column, and for each relation the operations that the database can do on it.

import type { Stage } from '../../../kernel/in-slices.ts';
import type { Column, Table } from '../../schema-cache/schema-cache.ts';
import type { ApiDescription } from './api-description.ts';
import type { ForeignColumn } from './column-notes.ts';
import { columnNotes, foreignColumns } from './column-notes.ts';
import { commentLines } from './comment-lines.ts';
import { componentName } from './component-name.ts';
import { filterKey } from './filter-key.ts';
import { columnSchema, typeSchema } from './json-schema.ts';
import type { JsonText, JsonValue, Member } from './json-text.ts';
import { json, jsonList, jsonObject, jsonRef } from './json-text.ts';
import { AMBIGUOUS, componentRef, DONE, FAILURES, PAGE_HEADERS, ROW_HEADERS } from './openapi31-shared.ts';

export type TableParts = {
  readonly paths: Member[];
  readonly schemas: Member[];
  readonly parameters: Member[];
  readonly responses: Member[];
};

/** `profile`: parameters that name the schema, by what they apply to; empty when there is only one to name. */
export type Profile = { readonly read: readonly JsonText[]; readonly write: readonly JsonText[] };

/** One step a relation. */
export function* tableParts(api: ApiDescription, profile: Profile): Stage<TableParts> {
  const parts: TableParts = { paths: [], schemas: [], parameters: [], responses: [] };
  const described = new Set(api.tables.map(({ name }) => name));
  for (const table of api.tables) {
    const foreign = foreignColumns(
      api.cache.relationshipsOf(table),
      (schema, name) => schema === api.schema && described.has(name),
    );
    const key = componentName(table.name);
    parts.schemas.push([key, rowSchema(table, foreign)]);
    if (table.insertable || table.updatable) parts.schemas.push([`${key}.write`, writeSchema(table, foreign)]);
    for (const column of table.columns.values())
      parts.parameters.push([rowFilterName(table, column), rowFilter(column)]);
    parts.responses.push([key, json({ description: 'Rows.', headers: PAGE_HEADERS, content: readContent(table) })]);
    parts.paths.push(
      [`/${pathSegment(table.name)}`, tablePath(table, profile, api.cache.relationshipsOf(table).length > 0)],
      [`/${pathSegment(table.name)}/query`, queryPath(table, profile)],
    );
    yield;
  }
  return parts;
}

export function pathSegment(name: string): string {
  return encodeURIComponent(name);
}

export function rowFilterName(table: Table, column: Column): string {
  return `rowFilter.${componentName(table.name)}.${componentName(column.name)}`;
}

export function parameterRef(name: string): JsonText {
  return jsonRef(componentRef('parameters', name).$ref);
}

/** Summary and description of an operation, from the comment. */
export function operationHead(operationId: string, tag: string, comment: string | null): readonly Member[] {
  const { summary, description } = commentLines(comment);
  const head: Member[] = [
    ['operationId', json(operationId)],
    ['tags', json([tag])],
  ];
  if (summary !== undefined) head.push(['summary', json(summary)]);
  if (description !== undefined) head.push(['description', json(description)]);
  return head;
}

function rowSchema(table: Table, foreign: ReadonlyMap<string, ForeignColumn>): JsonText {
  const columns = [...table.columns.values()];
  return objectSchema(
    table,
    columns.filter(({ nullable }) => !nullable).map(({ name }) => name),
    columns.map((column) => [
      column.name,
      json(columnSchema(column, 'reading', columnNotes(table, column, foreign.get(column.name)))),
    ]),
  );
}

/** All members optional, for updates; what an insert cannot do without is said there. */
function writeSchema(table: Table, foreign: ReadonlyMap<string, ForeignColumn>): JsonText {
  const written = [...table.columns.values()].filter(({ generated }) => generated !== true);
  return objectSchema(
    table,
    [],
    written.map((column) => [
      column.name,
      json(columnSchema(column, 'writing', columnNotes(table, column, foreign.get(column.name)))),
    ]),
    // An unknown key is refused (SVRST204).
    ['additionalProperties', json(false)],
  );
}

function objectSchema(
  table: Table,
  required: readonly string[],
  properties: readonly Member[],
  more?: Member,
): JsonText {
  return jsonObject([
    ['title', json(table.name)],
    table.description === null ? undefined : ['description', json(table.description)],
    ['type', json('object')],
    required.length === 0 ? undefined : ['required', json(required)],
    ['properties', jsonObject(properties)],
    more,
  ]);
}

function rowFilter({ name, description }: Column): JsonText {
  return json({
    name: filterKey(name),
    in: 'query',
    description: description ?? undefined,
    schema: componentRef('schemas', 'Survest.Filter'),
  });
}

function rowContent(table: Table): { readonly [mediaType: string]: JsonValue } {
  const row = componentRef('schemas', componentName(table.name));
  return {
    'application/json': { schema: { type: 'array', items: row } },
    'application/vnd.pgrst.object+json': { schema: row },
    'application/x-ndjson': { schema: { type: 'string' } },
    'text/csv': { schema: { type: 'string' } },
    ...(hasGeometry(table) && {
      'application/geo+json': { schema: { type: 'object' } },
      'application/geo+json-seq': { schema: { type: 'string' } },
    }),
  };
}

/** Events: rows, then their changes, of tables whose changes are recorded. */
function readContent(table: Table): { readonly [mediaType: string]: JsonValue } {
  // Bytes have no schema in OpenAPI 3.1.
  const columnar = { 'application/vnd.apache.arrow.stream': {}, 'application/vnd.apache.parquet': {} };
  return { ...rowContent(table), ...columnar, 'text/event-stream': { schema: { type: 'string' } } };
}

export function hasGeometry(table: Table): boolean {
  const geometry = typeSchema('geometry');
  for (const { baseType } of table.columns.values()) if (typeSchema(baseType) === geometry) return true;
  return false;
}

export const READ_PARAMETERS: readonly JsonText[] = ['select', 'order', 'and', 'or', 'limit', 'offset'].map(
  parameterRef,
);
const RANGE_PARAMETERS: readonly JsonText[] = ['range', 'rangeUnit', 'preferRead'].map(parameterRef);
const INSERT_PARAMETERS: readonly JsonText[] = ['select', 'columns', 'on_conflict', 'preferInsert'].map(parameterRef);
const UPDATE_PARAMETERS: readonly JsonText[] = [
  'and',
  'or',
  'select',
  'columns',
  'on_conflict',
  'order',
  'preferUpdate',
].map(parameterRef);
const PUT_PARAMETERS: readonly JsonText[] = ['select', 'preferPut'].map(parameterRef);
const DELETE_PARAMETERS: readonly JsonText[] = ['and', 'or', 'select', 'order', 'preferDelete'].map(parameterRef);

/** Words that leave a column of the same name its filter; pages by a cursor need a key. */
function wordParameters({ primaryKey, columns }: Table): readonly JsonText[] {
  const words = primaryKey.length === 0 ? ['distinct', 'having'] : ['distinct', 'having', 'after'];
  return words.filter((word) => !columns.has(word)).map(parameterRef);
}

/** `isRelated`: rows of other tables can be written inside its rows. */
function tablePath(table: Table, profile: Profile, isRelated: boolean): JsonText {
  const key = componentName(table.name);
  const columns = [...table.columns.values()];
  const filters = columns.map((column) => parameterRef(rowFilterName(table, column)));
  const rows = json(componentRef('responses', key));
  const write = componentRef('schemas', `${key}.write`);
  const oneRow = json({ required: true, content: { 'application/json': { schema: write } } });

  const operation = (
    verb: string,
    parameters: readonly JsonText[],
    body: JsonText | undefined,
    responses: readonly Member[],
  ): JsonText =>
    jsonObject([
      ...operationHead(`${verb}_${key}`, table.name, table.description),
      ['parameters', jsonList(parameters)],
      body && ['requestBody', body],
      ['responses', jsonObject([...responses, ...FAILURES])],
    ]);

  return jsonObject([
    [
      'get',
      operation(
        'read',
        [...filters, ...READ_PARAMETERS, ...wordParameters(table), ...RANGE_PARAMETERS, ...profile.read],
        undefined,
        [['200', rows], ['206', rows], AMBIGUOUS],
      ),
    ],
    table.insertable
      ? [
          'post',
          operation('insert', [...INSERT_PARAMETERS, ...profile.write], insertBody(columns, write, isRelated), [
            ['200', rows],
            ['201', insertedRows(table)],
          ]),
        ]
      : undefined,
    table.insertable && table.updatable && table.primaryKey.length > 0
      ? [
          'put',
          operation('upsert', [...table.primaryKey.map(keyParameter), ...PUT_PARAMETERS, ...profile.write], oneRow, [
            ['200', rows],
            ['201', rows],
            DONE,
          ]),
        ]
      : undefined,
    table.updatable
      ? [
          'patch',
          operation('update', [...filters, ...UPDATE_PARAMETERS, ...profile.write], updateBody(columns, write), [
            ['200', rows],
            DONE,
          ]),
        ]
      : undefined,
    table.deletable
      ? [
          'delete',
          operation('delete', [...filters, ...DELETE_PARAMETERS, ...profile.write], undefined, [['200', rows], DONE]),
        ]
      : undefined,
  ]);
}

/** OpenAPI 3.1 has no word for the method QUERY; the address that takes the same by POST stands for both. */
function queryPath(table: Table, profile: Profile): JsonText {
  const key = componentName(table.name);
  const rows = json(componentRef('responses', key));
  return jsonObject([
    [
      'post',
      jsonObject([
        ...operationHead(`read_by_body_${key}`, table.name, table.description),
        ['parameters', jsonList([...RANGE_PARAMETERS, ...profile.read])],
        ['requestBody', json(componentRef('requestBodies', 'Survest.Query'))],
        ['responses', jsonObject([['200', rows], ['206', rows], AMBIGUOUS, ...FAILURES])],
      ]),
    ],
  ]);
}

/** A row that holds rows: at least one member that is no column, and nothing but rows in such members. */
function nestedRow(columns: readonly Column[]): JsonValue {
  const names = columns.map(({ name }) => name);
  return {
    type: 'object',
    description: 'With rows of related tables inside, under the names by which `select` embeds them.',
    properties: Object.fromEntries(names.map((name) => [name, true])),
    additionalProperties: { type: ['object', 'array', 'null'] },
    not: { propertyNames: { enum: names } },
  };
}

function insertBody(columns: readonly Column[], write: JsonValue, isRelated: boolean): JsonText {
  const required = columns
    .filter((column) => !column.nullable && column.default === null && column.generated !== true)
    .map(({ name }) => name);
  const row: JsonValue = required.length === 0 ? write : { allOf: [write, { required }] };
  // A key may be filled in, so that nothing is required of a row that holds others.
  const rows: readonly JsonValue[] = isRelated ? [row, nestedRow(columns)] : [row];
  return json({
    required: true,
    content: {
      'application/json': { schema: { anyOf: [...rows, { type: 'array', items: isRelated ? { anyOf: rows } : row }] } },
      'text/csv': { schema: { type: 'string' } },
      'application/x-www-form-urlencoded': { schema: write },
    },
  });
}

/** One object for all rows that match, or a list of rows that say which they are; or how to change them. */
function updateBody(columns: readonly Column[], write: JsonValue): JsonText {
  const hasJson = columns.some(({ baseType }) => baseType === 'json' || baseType === 'jsonb');
  return json({
    required: true,
    content: {
      'application/json': { schema: { anyOf: [write, { type: 'array', items: write }] } },
      'application/merge-patch+json': {
        schema: {
          description: 'By RFC 7396 for json columns; `{"$inc": 1}` adds to a number.',
          anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
        },
      },
      ...(hasJson && { 'application/json-patch+json': { schema: componentRef('schemas', 'Survest.JsonPatch') } }),
    },
  });
}

function insertedRows(table: Table): JsonText {
  return json({
    description: 'Inserted; the rows themselves with `Prefer: return=representation`.',
    headers: { ...(ROW_HEADERS as object), Location: componentRef('headers', 'Location') },
    content: rowContent(table),
  });
}

function keyParameter(column: string): JsonText {
  return json({
    name: filterKey(column),
    in: 'query',
    required: true,
    description: 'Part of the primary key: `eq.<value>`, the same value as in the body.',
    schema: { type: 'string', pattern: '^eq\\.' },
  });
}
