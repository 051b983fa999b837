// Functions → their paths in the OpenAPI 3.1 document. Overloads are one path: the body is any of theirs, the query has
// the parameters of all.

import type { Parameter, ResultColumn, Returns, Routine, Table } from '../../schema-cache/schema-cache.ts';
import type { ApiDescription } from './api-description.ts';
import { componentName } from './component-name.ts';
import { filterKey, isReservedParameter } from './filter-key.ts';
import type { FunctionCalls } from './function-calls.ts';
import { bodyMediaType, functionCalls, mergedParameters } from './function-calls.ts';
import { orNull, typeSchema } from './json-schema.ts';
import type { JsonText, Member } from './json-text.ts';
import { json, jsonList, jsonObject } from './json-text.ts';
import { AMBIGUOUS, componentRef, DONE, FAILURES, ROW_HEADERS } from './openapi31-shared.ts';
import type { Profile } from './openapi31-tables.ts';
import {
  hasGeometry,
  operationHead,
  parameterRef,
  pathSegment,
  READ_PARAMETERS,
  rowFilterName,
} from './openapi31-tables.ts';
import { elementType } from './pg-type.ts';

export function functionPaths(api: ApiDescription, profile: Profile): readonly Member[] {
  const tables = new Map(api.tables.map((table) => [table.name, table]));
  const rowsOf = ({ shape }: Returns): Table | undefined =>
    shape.kind === 'composite' && shape.relation.schema === api.schema ? tables.get(shape.relation.name) : undefined;
  return functionCalls(api.routines).flatMap((calls) => [
    functionPath(calls, api, rowsOf, profile),
    ...(calls.byGet.length === 0 ? [] : [functionQueryPath(calls, api, rowsOf, profile)]),
  ]);
}

type RowsOf = (returns: Returns) => Table | undefined;

function functionPath(calls: FunctionCalls, api: ApiDescription, rowsOf: RowsOf, profile: Profile): Member {
  const key = componentName(calls.name);
  const tag = `(rpc) ${calls.name}`;
  const operation = (
    verb: string,
    routines: readonly Routine[],
    parameters: readonly JsonText[],
    body?: JsonText,
  ): JsonText =>
    jsonObject([
      ...operationHead(`${verb}_${key}`, tag, calls.comment),
      ['parameters', jsonList(parameters)],
      body && ['requestBody', body],
      ['responses', jsonObject([...results(routines, api, rowsOf), AMBIGUOUS, ...FAILURES])],
    ]);

  const all = [...calls.named, ...calls.withBody];
  const byGet = mergedParameters(calls.byGet).filter(({ name }) => !isReservedParameter(name));
  return [
    `/rpc/${pathSegment(calls.name)}`,
    jsonObject([
      calls.byGet.length === 0
        ? undefined
        : [
            'get',
            operation('query', calls.byGet, [
              ...byGet.map(queryParameter),
              ...resultParameters(calls.byGet, rowsOf, new Set(byGet.map(({ name }) => name))),
              ...(returnsRows(calls.byGet) ? [parameterRef('range'), parameterRef('rangeUnit')] : []),
              parameterRef('preferCall'),
              ...profile.read,
            ]),
          ],
      [
        'post',
        operation(
          'call',
          all,
          [...resultParameters(all, rowsOf, new Set()), parameterRef('preferCall'), ...profile.write],
          requestBody(calls),
        ),
      ],
    ]),
  ];
}

function functionQueryPath(calls: FunctionCalls, api: ApiDescription, rowsOf: RowsOf, profile: Profile): Member {
  return [
    `/rpc/${pathSegment(calls.name)}/query`,
    jsonObject([
      [
        'post',
        jsonObject([
          ...operationHead(`query_by_body_${componentName(calls.name)}`, `(rpc) ${calls.name}`, calls.comment),
          ['parameters', jsonList([parameterRef('preferCall'), ...profile.read])],
          ['requestBody', json(componentRef('requestBodies', 'Survest.Query'))],
          ['responses', jsonObject([...results(calls.byGet, api, rowsOf), AMBIGUOUS, ...FAILURES])],
        ]),
      ],
    ]),
  ];
}

function returnsRows(routines: readonly Routine[]): boolean {
  return routines.some(
    ({ returns }) => returns.set || returns.shape.kind === 'composite' || returns.shape.kind === 'record',
  );
}

/** What can be asked of the rows a function returns; a filter named like an argument is left to the argument. */
function resultParameters(
  routines: readonly Routine[],
  rowsOf: RowsOf,
  taken: ReadonlySet<string>,
): readonly JsonText[] {
  if (!returnsRows(routines)) return [];
  const filters: JsonText[] = [];
  const seen = new Set(taken);
  for (const { returns } of routines) {
    const table = rowsOf(returns);
    if (table === undefined) continue;
    for (const column of table.columns.values()) {
      const name = filterKey(column.name);
      if (seen.has(name)) continue;
      seen.add(name);
      filters.push(parameterRef(rowFilterName(table, column)));
    }
  }
  const isPaged = routines.some(({ returns }) => returns.set && (rowsOf(returns)?.primaryKey.length ?? 0) > 0);
  return [...filters, ...READ_PARAMETERS, ...(isPaged && !seen.has('after') ? [parameterRef('after')] : [])];
}

function queryParameter({ name, type, required, variadic }: Parameter): JsonText {
  const about = { name, in: 'query', required };
  const element = elementType(type);
  if (variadic && element !== undefined) {
    return json({ ...about, style: 'form', explode: true, schema: { type: 'array', items: typeSchema(element) } });
  }
  const schema = typeSchema(type);
  const isPlain = typeof schema['type'] === 'string' && schema['type'] !== 'array' && schema['type'] !== 'object';
  if (isPlain) return json({ ...about, schema });
  return json({
    ...about,
    description: element === undefined ? `A value of \`${type}\`, as text.` : 'An array in braces: `{a,b}`.',
    schema: { type: 'string', 'x-pg-type': type },
  });
}

function requestBody({ named, withBody }: FunctionCalls): JsonText {
  const objects = named.map(argumentsSchema);
  const content = new Map<string, JsonText[]>();
  if (objects.length > 0) {
    content.set('application/json', [...objects]);
    content.set('application/x-www-form-urlencoded', [...objects]);
  }
  for (const { parameters } of withBody) {
    const type = parameters[0]?.type ?? '';
    const mediaType = bodyMediaType(type);
    const schemas = content.get(mediaType) ?? [];
    schemas.push(json({ ...typeSchema(type), 'x-pg-type': type }));
    content.set(mediaType, schemas);
  }
  // An empty body is a call without arguments.
  const mayBeEmpty = named.some(({ parameters }) => parameters.every(({ required }) => !required));
  return jsonObject([
    ['required', json(!mayBeEmpty)],
    ['content', contentObject(content)],
  ]);
}

function contentObject(content: ReadonlyMap<string, readonly JsonText[]>): JsonText {
  return jsonObject([...content].map(([mediaType, schemas]) => [mediaType, jsonObject([['schema', anyOf(schemas)]])]));
}

function anyOf(schemas: readonly JsonText[]): JsonText {
  const [only] = schemas;
  return only !== undefined && schemas.length === 1 ? only : jsonObject([['anyOf', jsonList(schemas)]]);
}

function argumentsSchema({ parameters }: Routine): JsonText {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return jsonObject([
    ['type', json('object')],
    required.length === 0 ? undefined : ['required', json(required)],
    [
      'properties',
      jsonObject(parameters.map(({ name, type }) => [name, json({ ...typeSchema(type), 'x-pg-type': type })] as const)),
    ],
    // An argument too many means another function (SVRST202).
    ['additionalProperties', json(false)],
  ]);
}

function results(routines: readonly Routine[], api: ApiDescription, rowsOf: RowsOf): readonly Member[] {
  const content = new Map<string, JsonText[]>();
  for (const routine of routines) {
    for (const [mediaType, schema] of resultContent(routine, api, rowsOf)) {
      const schemas = content.get(mediaType);
      if (schemas === undefined) content.set(mediaType, [schema]);
      else if (!schemas.includes(schema)) schemas.push(schema);
    }
  }
  const members: Member[] = [];
  if (content.size > 0) {
    const answer = jsonObject([
      ['description', json('The result of the function.')],
      ['headers', json(ROW_HEADERS)],
      ['content', contentObject(content)],
    ]);
    members.push(['200', answer]);
    if (routines.some(({ returns }) => returns.set)) members.push(['206', answer]);
  }
  if (routines.some(({ returns }) => returns.shape.kind === 'void')) members.push(DONE);
  return members;
}

function resultContent(routine: Routine, api: ApiDescription, rowsOf: RowsOf): readonly Member[] {
  const { shape, set } = routine.returns;
  const declared = api.cache.routineMediaType(routine);
  // The function makes the whole body, of a type that it names; `*/*` leaves even that to each call.
  if (declared !== undefined) return [[declared, json(declared.endsWith('json') ? {} : { type: 'string' })]];
  switch (shape.kind) {
    case 'void':
      return [];
    case 'scalar': {
      const value = set ? typeSchema(shape.type) : orNull(typeSchema(shape.type));
      return [['application/json', manyIf(set, json({ ...value, 'x-pg-type': shape.type }))]];
    }
    case 'composite':
    case 'record': {
      const table = rowsOf(routine.returns);
      const row =
        table === undefined ? resultRowSchema(shape.columns) : json(componentRef('schemas', componentName(table.name)));
      const content: Member[] = [
        ['application/json', manyIf(set, row)],
        ['application/vnd.pgrst.object+json', row],
        ['text/csv', json({ type: 'string' })],
      ];
      if (table !== undefined && hasGeometry(table)) content.push(['application/geo+json', json({ type: 'object' })]);
      // Bytes have no schema in OpenAPI 3.1.
      if (set)
        content.push(
          ['application/x-ndjson', json({ type: 'string' })],
          ['application/vnd.apache.arrow.stream', json({})],
          ['application/vnd.apache.parquet', json({})],
        );
      return content;
    }
  }
}

function manyIf(set: boolean, item: JsonText): JsonText {
  return set
    ? jsonObject([
        ['type', json('array')],
        ['items', item],
      ])
    : item;
}

/** A row that is no relation's: any of its values can be null. */
function resultRowSchema(columns: ReadonlyMap<string, ResultColumn> | undefined): JsonText {
  if (columns === undefined) return json({ type: 'object' });
  const properties = [...columns.values()].map(({ name, baseType, nominalType, representation }): Member => {
    const value = representation === null ? orNull(typeSchema(baseType)) : {};
    return [name, json({ ...value, 'x-pg-type': nominalType })];
  });
  return jsonObject([
    ['type', json('object')],
    ['properties', jsonObject(properties)],
  ]);
}
