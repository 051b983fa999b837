// An API description → the Swagger 2.0 document of the service root, as clients of such services know it.
// Only what that format can say: the 3.1 document (`openapi31.ts`) is the complete one.

import { atOnce, type Stage } from '../../../kernel/in-slices.ts';
import type { Column, Parameter, Routine, Table } from '../../schema-cache/schema-cache.ts';
import type { ApiDescription } from './api-description.ts';
import { apiTitle } from './api-description.ts';
import type { ForeignColumn } from './column-notes.ts';
import { columnNotes, foreignColumns } from './column-notes.ts';
import { commentLines } from './comment-lines.ts';
import { defaultValue } from './default-value.ts';
import { filterKey, isReservedParameter } from './filter-key.ts';
import type { FunctionCalls } from './function-calls.ts';
import { bodyMediaType, functionCalls, mergedParameters } from './function-calls.ts';
import { pointerTo } from './json-pointer.ts';
import type { JsonText, JsonValue, Member } from './json-text.ts';
import { json, jsonList, jsonObject, jsonRef } from './json-text.ts';
import { hasGeometry } from './openapi31-tables.ts';
import { elementType, jsonType, unqualifiedType } from './pg-type.ts';

const SINGULAR = ['application/vnd.pgrst.object+json;nulls=stripped', 'application/vnd.pgrst.object+json'];
const MEDIA_TYPES = ['application/json', ...SINGULAR, 'text/csv'];
/** Of reads; a format of its own for rows with geometries. */
const READ_MEDIA_TYPES = [
  ...MEDIA_TYPES,
  'application/x-ndjson',
  'application/vnd.apache.arrow.stream',
  'application/vnd.apache.parquet',
  'text/event-stream',
];
const GEOMETRY_MEDIA_TYPES = ['application/geo+json', 'application/geo+json-seq'];
const CALL_MEDIA_TYPES = ['application/json', ...SINGULAR];

export function makeSwagger2(api: ApiDescription): JsonText {
  return atOnce(swagger2Steps(api));
}

/** One step a relation. */
export function* swagger2Steps(api: ApiDescription): Stage<JsonText> {
  const { summary: title, description } = apiTitle(api.comment);
  const parts = yield* tableParts(api);
  return jsonObject([
    ['swagger', json('2.0')],
    ['info', json({ title, description, version: api.version })],
    ['host', json(api.address.host)],
    ['basePath', json(api.address.basePath)],
    ['schemes', json([api.address.scheme])],
    ['consumes', json(MEDIA_TYPES)],
    ['produces', json(MEDIA_TYPES)],
    [
      'paths',
      jsonObject([
        ['/', ROOT_PATH],
        api.batch && [urlPath('/', api.batch.path), batchPath(api.batch.size)],
        ...parts.paths,
        ...functionCalls(api.routines).map((calls) => functionPath(calls, api)),
      ]),
    ],
    ['parameters', jsonObject([...SHARED_PARAMETERS, ...parts.parameters])],
    ['definitions', jsonObject(parts.definitions)],
    ...(api.securityActive ? SECURITY : []),
    api.docs && ['externalDocs', json(api.docs)],
  ]);
}

const ROOT_PATH = json({
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
});

const SECURITY: readonly Member[] = [
  [
    'securityDefinitions',
    json({
      JWT: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'Add the token prepending "Bearer " (without quotes) to it',
      },
    }),
  ],
  ['security', json([{ JWT: [] }])],
];

const PREFER = { name: 'Prefer', description: 'Preference', required: false, in: 'header', type: 'string' };
const RETURNS = ['return=representation', 'return=minimal', 'return=headers-only'];
const COUNTS = ['count=exact', 'count=planned', 'count=estimated'];
const MISSING = ['missing=default', 'missing=null'];
/** Our own, beside those that other services of this kind know. */
const EXPLAINS = ['explain=access'];
const CONSISTENT = ['consistency=session', 'consistency=strong'];
const RESOLUTIONS = ['resolution=ignore-duplicates', 'resolution=merge-duplicates'];
const PAGING = { description: 'Limiting and Pagination', required: false, type: 'string' };

// The names are what generated clients refer to; the values are those the service acts on.
const SHARED_PARAMETERS: readonly Member[] = [
  ['preferParams', json(PREFER)],
  ['preferReturn', json({ ...PREFER, enum: [...RETURNS, ...MISSING, 'missing=error', ...EXPLAINS] })],
  ['preferCount', json({ ...PREFER, enum: [...COUNTS, ...EXPLAINS, ...CONSISTENT] })],
  [
    'preferPost',
    json({ ...PREFER, enum: [...RETURNS, ...RESOLUTIONS, ...MISSING, 'missing=delete', 'missing=keep', ...EXPLAINS] }),
  ],
  ['select', json({ name: 'select', description: 'Filtering Columns', required: false, in: 'query', type: 'string' })],
  [
    'on_conflict',
    json({ name: 'on_conflict', description: 'On Conflict', required: false, in: 'query', type: 'string' }),
  ],
  ['order', json({ name: 'order', description: 'Ordering', required: false, in: 'query', type: 'string' })],
  ['range', json({ name: 'Range', in: 'header', ...PAGING })],
  ['rangeUnit', json({ name: 'Range-Unit', in: 'header', default: 'items', ...PAGING })],
  ['offset', json({ name: 'offset', in: 'query', ...PAGING })],
  ['limit', json({ name: 'limit', in: 'query', ...PAGING })],
  ['columns', word('columns', 'Keys of the body to use, separated by commas; the others are ignored')],
  ['distinct', emptyWord('distinct', 'Rows that are alike once; with columns, the first row of each')],
  ['having', word('having', 'Conditions on groups: `(amount.sum().gt.100,count().gte.2)`')],
  [
    'after',
    emptyWord(
      'after',
      'Keyset pages: empty for the first one, then the cursor that `Next-Cursor` of the one before names',
    ),
  ],
];

function word(name: string, description: string): JsonText {
  return json({ name, description, required: false, in: 'query', type: 'string' });
}

function emptyWord(name: string, description: string): JsonText {
  return json({ name, description, required: false, in: 'query', type: 'string', allowEmptyValue: true });
}

function parameterRef(name: string): JsonText {
  return jsonRef(pointerTo('parameters', name));
}

const READ_PARAMETERS: readonly JsonText[] = [
  'select',
  'order',
  'range',
  'rangeUnit',
  'offset',
  'limit',
  'preferCount',
].map(parameterRef);
const SELECT = parameterRef('select');
const PREFER_POST = parameterRef('preferPost');
const UPDATE_PARAMETERS: readonly JsonText[] = ['columns', 'on_conflict', 'preferReturn'].map(parameterRef);
const PREFER_RETURN = parameterRef('preferReturn');
const PREFER_PARAMS = parameterRef('preferParams');

const CREATED = json({ 201: { description: 'Created' } });
const NO_CONTENT = json({ 204: { description: 'No Content' } });
const OK = json({ 200: { description: 'OK' } });

type TableParts = { readonly paths: Member[]; readonly parameters: Member[]; readonly definitions: Member[] };

function* tableParts(api: ApiDescription): Stage<TableParts> {
  const parts: TableParts = { paths: [], parameters: [], definitions: [] };
  const described = new Set(api.tables.map(({ name }) => name));
  for (const table of api.tables) {
    const foreign = foreignColumns(
      api.cache.relationshipsOf(table),
      (schema, name) => schema === api.schema && described.has(name),
    );
    const filters: JsonText[] = [];
    parts.parameters.push([`body.${table.name}`, bodyParameter(table)]);
    for (const column of table.columns.values()) {
      const name = `rowFilter.${table.name}.${column.name}`;
      parts.parameters.push([name, rowFilter(column)]);
      filters.push(parameterRef(name));
    }
    parts.definitions.push([table.name, definition(table, foreign)]);
    // Tools take every path but the root, functions and batches for a relation: reading by body stands in the 3.1 document alone.
    parts.paths.push([urlPath('/', table.name), tablePath(table, filters)]);
    yield;
  }
  return parts;
}

function bodyParameter({ name, description }: Table): JsonText {
  const schema = { $ref: pointerTo('definitions', name) };
  return json({ name, description: description ?? undefined, required: false, in: 'body', schema });
}

function rowFilter({ name, description, baseType }: Column): JsonText {
  return json({
    name: filterKey(name),
    description: description ?? undefined,
    required: false,
    format: baseType,
    in: 'query',
    type: 'string',
  });
}

function definition(table: Table, foreign: ReadonlyMap<string, ForeignColumn>): JsonText {
  const required: string[] = [];
  const properties: Member[] = [];
  for (const column of table.columns.values()) {
    if (!column.nullable) required.push(column.name);
    properties.push([column.name, property(column, columnNotes(table, column, foreign.get(column.name)))]);
  }
  return jsonObject([
    table.description === null ? undefined : ['description', json(table.description)],
    required.length === 0 ? undefined : ['required', json(required)],
    ['properties', jsonObject(properties)],
    ['type', json('object')],
  ]);
}

function property(column: Column, description: string | undefined): JsonText {
  const ofType = typeSchema(column.baseType);
  return json({
    ...ofType,
    maxLength: ofType['type'] === 'string' ? (column.maxLength ?? undefined) : undefined,
    default: column.default === null ? undefined : defaultValue(column.default, column.baseType),
    enum: column.enumLabels.length === 0 || ofType['type'] === 'array' ? undefined : column.enumLabels,
    description,
  });
}

function typeSchema(type: string): { readonly [key: string]: JsonValue | undefined } {
  const element = elementType(type);
  if (element === undefined) return { format: type, type: jsonType(type) };
  return { format: type, type: 'array', items: { type: jsonType(element) } };
}

function tablePath(table: Table, filters: readonly JsonText[]): JsonText {
  const about = operationHead(table.name, table.description);
  const body = parameterRef(`body.${table.name}`);
  const rows = { description: 'OK', schema: { type: 'array', items: { $ref: pointerTo('definitions', table.name) } } };
  const operation = (parameters: readonly JsonText[], responses: JsonText): JsonText =>
    jsonObject([...about, ['parameters', jsonList(parameters)], ['responses', responses]]);
  const read: Member = [
    'get',
    jsonObject([
      ...about,
      ['produces', json([...READ_MEDIA_TYPES, ...(hasGeometry(table) ? GEOMETRY_MEDIA_TYPES : [])])],
      ['parameters', jsonList([...filters, ...READ_PARAMETERS, ...wordParameters(table)])],
      ['responses', json({ 200: rows, 206: { description: 'Partial Content' } })],
    ]),
  ];
  if (!table.insertable && !table.updatable && !table.deletable) return jsonObject([read]);
  return jsonObject([
    read,
    ['post', operation([body, SELECT, PREFER_POST], CREATED)],
    ['delete', operation([...filters, PREFER_RETURN], NO_CONTENT)],
    [
      'patch',
      jsonObject([
        ...about,
        ['consumes', json(hasJson(table) ? [...PATCH_MEDIA_TYPES, 'application/json-patch+json'] : PATCH_MEDIA_TYPES)],
        ['parameters', jsonList([...filters, body, ...UPDATE_PARAMETERS])],
        ['responses', NO_CONTENT],
      ]),
    ],
  ]);
}

const PATCH_MEDIA_TYPES = ['application/json', 'application/merge-patch+json', 'text/csv'];

function hasJson({ columns }: Table): boolean {
  for (const { baseType } of columns.values()) if (baseType === 'json' || baseType === 'jsonb') return true;
  return false;
}

/** Words that leave a column of the same name its filter; pages by a cursor need a key. */
function wordParameters({ primaryKey, columns }: Table): readonly JsonText[] {
  const words = primaryKey.length === 0 ? ['distinct', 'having'] : ['distinct', 'having', 'after'];
  return words.filter((each) => !columns.has(each)).map(parameterRef);
}

function operationHead(tag: string, comment: string | null): readonly Member[] {
  const { summary, description } = commentLines(comment);
  const head: Member[] = [['tags', json([tag])]];
  if (summary !== undefined) head.push(['summary', json(summary)]);
  if (description !== undefined) head.push(['description', json(description)]);
  return head;
}

function functionPath(calls: FunctionCalls, { searchPath, schema, tables }: ApiDescription): Member {
  const byGet = mergedParameters(calls.byGet);
  const about: readonly Member[] = [
    ...operationHead(`(rpc) ${calls.name}`, calls.comment),
    ['produces', json(CALL_MEDIA_TYPES)],
  ];
  return [
    urlPath('/rpc/', calls.name),
    jsonObject([
      calls.byGet.length === 0
        ? undefined
        : [
            'get',
            jsonObject([
              ...about,
              [
                'parameters',
                jsonList([
                  ...queryParameters(byGet, searchPath),
                  ...rowParameters(calls.byGet, (name) => tables.find((table) => table.name === name), schema)
                    .filter((each) => !byGet.some(({ name }) => name === each))
                    .map(parameterRef),
                ]),
              ],
              ['responses', OK],
            ]),
          ],
      ['post', jsonObject([...about, ...postParts(calls, searchPath), ['responses', OK]])],
    ]),
  ];
}

/** What can be asked of the rows that a function returns. */
function rowParameters(
  routines: readonly Routine[],
  tableOf: (name: string) => Table | undefined,
  schema: string,
): readonly string[] {
  const rows = routines.filter(({ returns: { shape } }) => shape.kind === 'composite' || shape.kind === 'record');
  if (rows.length === 0) return [];
  const isPaged = rows.some(
    ({ returns: { set, shape } }) =>
      set &&
      shape.kind === 'composite' &&
      shape.relation.schema === schema &&
      (tableOf(shape.relation.name)?.primaryKey.length ?? 0) > 0,
  );
  return ['select', 'order', 'limit', 'offset', ...(isPaged ? ['after'] : [])];
}

const BATCH =
  'Several requests in one transaction: what each answered, in their order; all or nothing unless `Prefer: batch=each`';
// Not among the definitions, each of which tools take for a relation.
const BATCH_REQUEST = {
  type: 'object',
  required: ['path'],
  properties: {
    id: { type: 'string' },
    method: { type: 'string', enum: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'], default: 'GET' },
    path: { type: 'string', description: 'Path and query; `$1.id` is what the first request answered' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    body: { description: 'JSON; `{"$ref": "1.id"}` is what the first request answered' },
  },
};
const BATCH_ANSWER = {
  type: 'object',
  required: ['status', 'headers'],
  properties: { id: { type: 'string' }, status: { type: 'integer' }, headers: { type: 'object' }, body: {} },
};

function batchPath(maxRequests: number): JsonText {
  const schema = { type: 'array', items: BATCH_REQUEST, minItems: 1, maxItems: maxRequests };
  return json({
    post: {
      tags: ['Batch'],
      summary: 'Several requests in one transaction',
      consumes: ['application/json'],
      produces: ['application/json'],
      parameters: [
        { name: 'requests', in: 'body', required: true, schema },
        { ...PREFER, enum: ['batch=all', 'batch=each', 'tx=rollback'] },
      ],
      responses: { 200: { description: BATCH, schema: { type: 'array', items: BATCH_ANSWER } } },
    },
  });
}

function postParts({ named, withBody, comment }: FunctionCalls, searchPath: readonly string[]): readonly Member[] {
  const type = withBody[0]?.parameters[0]?.type;
  if (named.length === 0 && type !== undefined) {
    // The body is the argument: nothing of it has a name.
    const schema = typeSchema(type);
    const consumes = [...new Set(withBody.map(({ parameters }) => bodyMediaType(parameters[0]?.type ?? '')))];
    const args = json({ name: 'args', in: 'body', required: true, schema });
    return [
      ['consumes', json(consumes)],
      ['parameters', jsonList([args, PREFER_PARAMS])],
    ];
  }
  const parameters = mergedParameters(named);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const schema = jsonObject([
    comment === null ? undefined : ['description', json(comment)],
    required.length === 0 ? undefined : ['required', json(required)],
    [
      'properties',
      jsonObject(
        parameters.map(({ name, type }) => [name, json(typeSchema(unqualifiedType(type, searchPath)))] as const),
      ),
    ],
    ['type', json('object')],
  ]);
  const args = jsonObject([
    ['name', json('args')],
    ['in', json('body')],
    ['required', json(required.length > 0)],
    ['schema', schema],
  ]);
  return [['parameters', jsonList([args, PREFER_PARAMS])]];
}

function queryParameters(parameters: readonly Parameter[], searchPath: readonly string[]): readonly JsonText[] {
  return parameters
    .filter(({ name }) => !isReservedParameter(name))
    .map((parameter) => queryParameter(parameter, unqualifiedType(parameter.type, searchPath)));
}

function queryParameter({ name, required, variadic }: Parameter, type: string): JsonText {
  const about = { name, required, in: 'query' };
  const element = elementType(type);
  if (variadic && element !== undefined) {
    const items = { format: element, type: jsonType(element) ?? 'string' };
    return json({ ...about, type: 'array', items, collectionFormat: 'multi' });
  }
  // An array is written `{1,2}` in a query, and JSON is text there as well.
  const plain = element === undefined ? jsonType(type) : undefined;
  return json({ ...about, format: type, type: plain ?? 'string' });
}

// The name stays readable as other services of this kind write it; only what would end the path or start a template is encoded.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are legal in names and not in a path
const PATH_SYNTAX = /[\u0000-\u001f"#%/<>?\\^`{|}\u007f]/g;

function urlPath(prefix: string, name: string): string {
  return prefix + name.replace(PATH_SYNTAX, encodeURIComponent);
}
