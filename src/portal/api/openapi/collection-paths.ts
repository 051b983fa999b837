// A collection → the paths of its document.

import type { Language } from '../../description/language.ts';
import {
  ANSWER_TEXTS,
  failures,
  inLanguage,
  jsonContent,
  type Operation,
  type Paths,
} from '../../description/operation.ts';
import { pageSchema, reference, type Schema } from '../../description/schema.ts';
import { isClosedToVisitors } from '../../errors/closed-to-visitors.ts';
import type { Field } from '../../fields/field.ts';
import type { Collection } from '../../operations/collection.ts';
import { fieldParameters, listParameters } from '../../operations/list-parameters.ts';
import { example, inputSchema, nameOf, type RecordTypes, recordName, schemaName } from './json-schema.ts';
import { sideloadedSchema } from './sideloaded.ts';
import { TEXTS } from './texts.ts';

export type DescribedCollection = Collection & { readonly hasBulk: boolean; readonly hasPatchAll: boolean };

export type Describing = {
  readonly recordTypes: RecordTypes;
  readonly inputs: Map<string, Schema>;
  readonly language: Language;
};

const ID_PARAMETER = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } } as const;

export function collectionPaths(collection: DescribedCollection, describing: Describing): Paths {
  const { path, list, item, recordType, writer } = collection;
  const { recordTypes, inputs, language } = describing;
  const tag = path.split('/').at(-1) ?? list;
  const record = reference(nameOf(recordType, recordTypes, recordName(item, collection.isBare)));
  const named = (name: string, schema: Schema): Schema =>
    collection.isBare === true
      ? schema
      : { type: 'object', properties: { [name]: schema }, required: [name], additionalProperties: false };
  const one = named(item, record);
  const many = named(list, { type: 'array', items: record });
  const operation = (id: string, text: keyof typeof TEXTS, rest: Operation): Operation => ({
    operationId: `${path.replace(/^\/(?:api\/v2|mapviewer\/rest)\//, collection.isBare === true ? 'viewer_' : '').replaceAll('/', '_')}_${id}`,
    summary: TEXTS[text][language],
    tags: [tag],
    ...rest,
  });
  /** What a write answers: the record or records, with `meta` beside them. */
  const written = (name: string, schema: Schema, meta: Schema, required: readonly string[]): Schema => ({
    type: 'object',
    properties: { [name]: schema, meta },
    required,
    additionalProperties: false,
  });
  const page = pageSchema(list, record);
  const pageName = listName(item);
  if (collection.isBare !== true) inputs.set(pageName, page);
  const beside = collection.isBare === true ? undefined : sideloadedSchema(collection, recordTypes);
  if (beside !== undefined) inputs.set(`Sideloaded${schemaName(item)}`, beside.record);
  /** The answer as it is, or with ids in place of related records and those beside them; `kind` names that one. */
  const orSideloaded = (
    schema: Schema,
    name: string,
    kind: 'Item' | 'List',
    of: (record: Schema) => Schema,
  ): Schema => {
    if (beside === undefined) return kind === 'List' ? reference(pageName) : schema;
    const { properties = {}, ...rest } = schema as { readonly properties?: object };
    const records = of(reference(`Sideloaded${schemaName(item)}`));
    const sideloaded = `Sideloaded${schemaName(item)}${kind}`;
    inputs.set(sideloaded, { ...rest, properties: { ...properties, ...beside.sides, [name]: records } });
    return { anyOf: [kind === 'List' ? reference(pageName) : schema, reference(sideloaded)] };
  };
  const answer = (schema: Schema): Operation => ({
    description: ANSWER_TEXTS.done[language],
    content: jsonContent(schema),
  });

  const paths: Paths = {
    [`${path}/`]: {
      get: operation('list', 'list', {
        description: collection.about,
        parameters: inLanguage(listParameters(collection), language),
        responses: {
          200: answer(
            collection.isBare === true ? many : orSideloaded(page, list, 'List', (items) => ({ type: 'array', items })),
          ),
          ...failures(language, '400', ...visitorFailure(collection, 'list'), '404'),
        },
      }),
    },
    [`${path}/{id}/`]: {
      parameters: [ID_PARAMETER],
      get: operation('read', 'read', {
        parameters: inLanguage(fieldParameters(collection), language),
        responses: {
          200: answer(orSideloaded(one, item, 'Item', (record) => record)),
          ...failures(language, '400', ...visitorFailure(collection, 'item'), '404'),
        },
      }),
    },
  };
  const deeper = relatedPaths(collection, describing, operation);
  if (writer === undefined) return { ...paths, ...deeper };

  const input = schemaNameFor(collection, 'Input');
  const change = schemaNameFor(collection, 'Change');
  inputs.set(input, writer.recordTypeFor === undefined ? inputSchema(recordType, 'create') : typedInput(recordType));
  inputs.set(change, inputSchema(recordType, 'change'));
  const sample = createExample(collection);
  const changed = changeExample(collection);
  const counted: Schema = { $ref: '#/components/schemas/Updated/properties/meta' };
  const records: Schema = { type: 'array', items: record };
  const updated = (name: string, schema: Schema): Schema =>
    collection.isBare === true ? one : written(name, schema, counted, ['meta']);
  const created: Schema =
    collection.isBare === true
      ? one
      : {
          oneOf: [
            written(item, record, reference('Ignored'), [item]),
            written(list, records, reference('Ignored'), [list]),
          ],
        };
  const preference =
    collection.isBare === true
      ? []
      : [{ name: 'Prefer', in: 'header', description: TEXTS.prefer[language], schema: { type: 'string' } }];
  const refusals = failures(language, '400', '401', '403');
  const collectionPath = paths[`${path}/`] ?? {};
  const itemPath = paths[`${path}/{id}/`] ?? {};

  collectionPath['post'] = operation('create', 'create', {
    requestBody: {
      required: true,
      content: {
        ...jsonContent(
          collection.isBare === true
            ? reference(input)
            : {
                oneOf: [
                  reference(input),
                  named(item, reference(input)),
                  named(list, { type: 'array', items: reference(input) }),
                  { type: 'array', items: reference(input) },
                ],
              },
          collection.isBare === true
            ? { one: sample('one') }
            : {
                one: sample('one'),
                named: { [item]: sample('named') },
                list: { [list]: [sample('list 1'), sample('list 2')] },
                array: [sample('array 1')],
              },
        ),
        ...(path.endsWith('/documents')
          ? {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  properties: { doc_file: { type: 'string', format: 'binary' }, title: { type: 'string' } },
                },
              },
            }
          : {}),
      },
    },
    responses: { 201: answer(created), ...refusals },
  });
  itemPath['put'] = operation('replace', 'replace', {
    parameters: preference,
    requestBody: { required: true, content: jsonContent(reference(input), { whole: sample('whole') }) },
    responses: { 200: answer(updated(item, record)), ...refusals, ...failures(language, '404') },
  });
  itemPath['patch'] = operation('change', 'change', {
    parameters: preference,
    requestBody: { required: true, content: jsonContent(reference(change), { part: changed }) },
    responses: { 200: answer(updated(item, record)), ...refusals, ...failures(language, '404') },
  });
  itemPath['delete'] = operation('delete', 'delete', {
    responses: { 204: { description: ANSWER_TEXTS.done[language] }, ...failures(language, '400', '401', '403', '404') },
  });
  if (collection.isBare !== true && (collection.hasBulk || collection.hasPatchAll)) {
    const byId = schemaNameFor(collection, 'ChangeById');
    inputs.set(byId, inputSchema(recordType, 'change-by-id'));
    const withId = reference(byId);
    collectionPath['patch'] = operation('change_many', 'changeMany', {
      parameters: collection.hasPatchAll ? [...preference, ...patchAllParameters(collection, language)] : preference,
      requestBody: {
        required: true,
        content: jsonContent(
          {
            anyOf: [
              ...(collection.hasBulk
                ? [{ type: 'array', items: withId }, named(list, { type: 'array', items: withId })]
                : []),
              ...(collection.hasPatchAll ? [reference(change), named(item, reference(change))] : []),
            ],
          },
          collection.hasBulk ? { array: [{ id: 1, ...changed }] } : undefined,
        ),
      },
      responses: { 200: answer(updated(list, records)), ...refusals },
    });
    const ids: Schema = {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    };
    if (!collection.hasBulk) return { ...paths, ...deeper };
    collectionPath['delete'] = operation('delete_many', 'deleteMany', {
      requestBody: {
        required: true,
        content: jsonContent({ oneOf: [ids, named(list, ids)] }, { array: [{ id: 999_999_999 }] }),
      },
      responses: { 204: { description: ANSWER_TEXTS.done[language] }, ...refusals },
    });
  }
  return { ...paths, ...deeper };
}

function schemaNameFor({ item, isBare }: Collection, ending: string): string {
  return `${recordName(item, isBare)}${ending}`;
}

/** Where the type says which fields there are. */
function typedInput(recordType: Collection['recordType']): Schema {
  const { properties = {}, required = [] } = inputSchema(recordType, 'create') as {
    properties?: object;
    required?: readonly string[];
  };
  const types = recordType.byName.get('resource_type')?.type;
  return {
    type: 'object',
    properties: {
      resource_type: { type: 'string', enum: types?.kind === 'choice' ? types.choices : [], default: 'document' },
      ...properties,
    },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: true,
  };
}

/** A page of a collection's records. */
export function listName(item: string): string {
  return `${schemaName(item)}List`;
}

function patchAllParameters(collection: Collection, language: Language): readonly unknown[] {
  const schema = { type: 'string', enum: ['true', '1', 'query'] };
  const narrowing = new Set(['search', 'search_fields', 'filter{}', 'extent']);
  return [
    { name: 'patch-all', in: 'query', description: TEXTS.patchAll[language], schema },
    ...inLanguage(
      listParameters(collection).filter(({ name }) => narrowing.has(name)),
      language,
    ),
  ];
}

/** What somebody gets who has not signed in where that is needed to read. */
function visitorFailure({ path, visitors }: Collection, of: 'list' | 'item'): readonly ('401' | '403')[] {
  if (visitors !== 'refused' && !(visitors === 'see-no-items' && of === 'item')) return [];
  return [isClosedToVisitors(path) ? '403' : '401'];
}

function relatedPaths(
  collection: Collection,
  { recordTypes, language }: Describing,
  operation: (id: string, text: keyof typeof TEXTS, rest: Operation) => Operation,
): Paths {
  const { path, recordType, valuePaths } = collection;
  if (collection.isBare === true) return {};
  const described = (name: string, schema: Schema): [string, Record<string, unknown>] => [
    `${path}/{id}/${name}/`,
    {
      parameters: [ID_PARAMETER],
      get: operation(`read_${name}`, 'related', {
        responses: {
          200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
          ...failures(language, '400', ...visitorFailure(collection, 'item'), '404'),
        },
      }),
    },
  ];
  const relations = recordType.fields.flatMap((field) => {
    if (field.type.kind !== 'many') return [];
    const related = field.type.relation.recordType();
    return [
      described(field.name, {
        type: 'object',
        properties: { [related.plural]: { type: 'array', items: reference(nameOf(related, recordTypes)) } },
        required: [related.plural],
        additionalProperties: false,
      }),
    ];
  });
  const values = Object.entries(valuePaths).map(([name, member]) =>
    described(name, {
      type: 'object',
      properties: { [member]: { type: 'object', nullable: true, additionalProperties: true } },
      required: [member],
      additionalProperties: false,
    }),
  );
  return Object.fromEntries([...relations, ...values]);
}

/** What a new record needs, and a title to tell examples apart. */
function createExample(collection: Collection): (which: string) => Record<string, unknown> {
  const required = collection.recordType.fields.filter((field) => field.required);
  return (which) => ({
    ...(collection.writer?.recordTypeFor === undefined ? {} : { resource_type: 'document' }),
    ...(collection.writer?.lacks === undefined ? {} : { doc_url: 'https://example.org/paper.pdf' }),
    ...Object.fromEntries(
      required.map((field) => [
        field.name,
        sampleOf(field, `${collection.isBare === true ? 'viewer ' : ''}${collection.item} ${which}`),
      ]),
    ),
    ...(collection.isBare === true && collection.recordType.byName.has('data')
      ? { data: { version: 2, map: { zoom: 3, layers: [] } }, attributes: [] }
      : {}),
  });
}

function sampleOf(field: Field, text: string): unknown {
  if (field.type.kind !== 'text') return example(field.type);
  const { regex } = field.type.pattern ?? { regex: /^/ };
  const word = text.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return regex.test(text) ? text : word;
}

function changeExample({ recordType }: Collection): Record<string, unknown> {
  const field = ['abstract', 'description', 'first_name', 'name', 'email']
    .map((name) => recordType.byName.get(name))
    .find((found) => found !== undefined && found.write.kind !== 'read-only');
  return field === undefined
    ? {}
    : { [field.name]: field.name === 'email' ? 'somebody@example.org' : `Example of ${recordType.name}` };
}
