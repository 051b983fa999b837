// The addresses of layers and tables that are made from a form, in the OpenAPI document.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { COLUMN_KIND_NAMES } from '../../tables/column-kinds.ts';
import { MAX_LABEL, MAX_NEW_COLUMNS, SHAPE_NAMES } from '../../tables/new-table.ts';
import { TEXTS } from './texts.ts';

const COLUMN: Schema = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      maxLength: MAX_LABEL,
      description: 'What people call it; its name in the table is made of it.',
    },
    type: { type: 'string', enum: COLUMN_KIND_NAMES },
    required: { type: 'boolean', default: false },
  },
  required: ['name', 'type'],
  additionalProperties: false,
};

const NEW_LAYER: Schema = {
  type: 'object',
  properties: {
    title: { type: 'string', maxLength: 255 },
    name: { type: 'string', maxLength: 100, description: 'Made of the title where it is not given.' },
    abstract: { type: 'string', maxLength: 2000 },
    geometry: { type: 'string', enum: [...SHAPE_NAMES, 'none'], description: '`none`: a table without places.' },
    crs: { type: 'string', example: 'EPSG:4326', default: 'EPSG:4326' },
    columns: { type: 'array', maxItems: MAX_NEW_COLUMNS, items: COLUMN },
    permissions: reference('SentPermissions'),
  },
  required: ['title', 'geometry'],
  additionalProperties: false,
};

const TEXT: Schema = { type: 'string' };
const NAMES: Schema = { type: 'array', items: TEXT };

const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const COLUMNS: Schema = object({
  columns: {
    type: 'array',
    items: object({
      name: TEXT,
      label: { type: 'string', description: 'What people call it.' },
      type: TEXT,
      required: { type: 'boolean' },
      fixed: { type: 'boolean', description: 'The key or the shape, which stay as they are.' },
    }),
  },
  dropped: {
    type: 'array',
    description: 'Columns that can be put back.',
    items: object({
      id: { type: 'integer' },
      name: TEXT,
      label: TEXT,
      type: TEXT,
      at: { type: 'string', format: 'date-time' },
      by: { type: 'string', nullable: true },
    }),
  },
});

const USES: Schema = object({
  styles: NAMES,
  maps: { type: 'array', items: object({ pk: TEXT, title: TEXT }) },
  hidden_maps: { type: 'integer', minimum: 0, description: 'Maps that the caller does not see.' },
  template: { type: 'boolean', description: 'The template that features are shown with.' },
  views: NAMES,
  constraints: NAMES,
});

/** What managers do with the columns of a layer. */
function columnPaths(collection: string, language: Language): Paths {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const column = { name: 'column', in: 'path', required: true, schema: { type: 'string', maxLength: 255 } };
  const dropped = { name: 'dropped', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const done = (status: number, schema: Schema): object => ({
    [status]: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
    ...failures(language, '400', '401', '403', '404'),
  });
  const named = object({ name: { type: 'string', description: 'In the table.' } });
  const operation = (name: string, text: keyof typeof TEXTS, responses: object, body?: object): object => ({
    operationId: `${collection}_columns_${name}`,
    tags: [collection],
    summary: TEXTS[text][language],
    ...(body === undefined ? {} : { requestBody: { required: true, content: body } }),
    responses,
  });
  const path = `/api/v2/${collection}/{id}/columns/`;
  const text: Schema = { type: 'string', nullable: true };
  const attribute: Schema = { type: 'integer', nullable: true };
  const time = object({ has_time: { type: 'boolean' } });
  return {
    [`/api/v2/${collection}/{id}/recalc-bbox/`]: {
      parameters: [id],
      put: {
        operationId: `${collection}_recalculate_extent`,
        tags: [collection],
        summary: TEXTS.recalculateExtent[language],
        responses: done(200, object({ success: { type: 'boolean' } })),
      },
    },
    [`/api/v2/${collection}/{id}/timeseries/`]: {
      parameters: [id],
      get: {
        operationId: `${collection}_time_series`,
        tags: [collection],
        summary: TEXTS.timeSeries[language],
        responses: done(
          200,
          object({
            has_time: { type: 'boolean' },
            attribute,
            end_attribute: attribute,
            presentation: { type: 'string', enum: ['LIST'] },
            precision_value: attribute,
            precision_step: text,
          }),
        ),
      },
      put: {
        operationId: `${collection}_set_time_series`,
        tags: [collection],
        summary: TEXTS.setTimeSeries[language],
        requestBody: {
          required: true,
          content: jsonContent(
            { ...time, properties: { ...(time['properties'] as object), attribute }, additionalProperties: true },
            { on: { has_time: true } },
          ),
        },
        responses: done(200, object({ message: { type: 'string' } })),
      },
    },
    [path]: {
      parameters: [id],
      get: operation('list', 'columns', done(200, COLUMNS)),
      post: operation(
        'add',
        'addColumn',
        done(201, named),
        jsonContent(COLUMN, { height: { name: 'Height (m)', type: 'double precision' } }),
      ),
    },
    [`${path}{column}/`]: {
      parameters: [id, column],
      patch: operation(
        'rename',
        'renameColumn',
        done(200, named),
        jsonContent({ ...object({ name: { type: 'string', maxLength: MAX_LABEL } }) }, { height: { name: 'Height' } }),
      ),
      delete: operation('drop', 'dropColumn', done(200, named)),
    },
    [`${path}{column}/uses/`]: { parameters: [id, column], get: operation('uses', 'columnUses', done(200, USES)) },
    [`${path}dropped/{dropped}/restore/`]: {
      parameters: [id, dropped],
      post: operation('restore', 'restoreColumn', done(200, named)),
    },
  };
}

const PAIRS: Schema = {
  type: 'array',
  items: object({
    from: { type: 'string', description: 'Column of the table.' },
    to: { type: 'string', description: 'Column of the layer.' },
  }),
};

const COUNT: Schema = { type: 'integer', minimum: 0 };

const JOINED: Schema = object({
  id: { type: 'integer', nullable: true, description: 'Null: nothing was joined, it was only looked at.' },
  rows: { ...COUNT, description: 'Of the layer.' },
  matched: { ...COUNT, description: 'Rows of the layer that have one in the table.' },
  ambiguous: {
    ...COUNT,
    description: 'Keys of the layer that several rows of the table have; these cannot be joined.',
  },
  unmatched: { ...NAMES, description: 'Some keys of the layer that the table does not have.' },
  unused: { ...NAMES, description: 'Some keys of the table that the layer does not have.' },
  columns: PAIRS,
});

const JOINS: Schema = object({
  joins: {
    type: 'array',
    items: object({
      id: { type: 'integer' },
      table: { type: 'string', nullable: true, description: 'Null: the caller does not see it.' },
      title: { type: 'string', nullable: true },
      layer_key: TEXT,
      table_key: TEXT,
      columns: PAIRS,
      rows: COUNT,
      matched: COUNT,
      changed: { type: 'boolean', description: 'The table has been changed since.' },
      at: { type: 'string', format: 'date-time' },
      by: { type: 'string', nullable: true },
    }),
  },
});

/** Tables that are joined to a layer. */
function joinPaths(collection: string, language: Language): Paths {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const join = { name: 'join', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const wish = (needsColumns: boolean): object => ({
    required: true,
    content: jsonContent(
      {
        type: 'object',
        properties: {
          table: { type: 'integer', minimum: 1 },
          layer_key: { type: 'string', maxLength: 255 },
          table_key: { type: 'string', maxLength: 255 },
          columns: { type: 'array', maxItems: MAX_NEW_COLUMNS, items: TEXT, description: 'Columns of the table.' },
        },
        required: ['table', 'layer_key', 'table_key', ...(needsColumns ? ['columns'] : [])],
        additionalProperties: false,
      },
      { population: { table: 12, layer_key: 'code', table_key: 'iso', columns: ['population'] } },
    ),
  });
  const operation = (name: string, text: keyof typeof TEXTS, responses: object, requestBody?: object): object => ({
    operationId: `${collection}_joins_${name}`,
    tags: [collection],
    summary: TEXTS[text][language],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...responses, ...failures(language, '400', '401', '403', '404') },
  });
  const done = (status: number, schema: Schema): object => ({
    [status]: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
  });
  const path = `/api/v2/${collection}/{id}/joins/`;
  return {
    [path]: {
      parameters: [id],
      get: operation('list', 'joins', done(200, JOINS)),
      post: operation('add', 'addJoin', done(201, JOINED), wish(true)),
    },
    [`${path}preview/`]: {
      parameters: [id],
      post: operation('preview', 'previewJoin', done(200, JOINED), wish(false)),
    },
    [`${path}{join}/`]: {
      parameters: [id, join],
      delete: operation('forget', 'forgetJoin', { 204: { description: ANSWER_TEXTS.done[language] } }),
    },
    [`${path}{join}/refresh/`]: {
      parameters: [id, join],
      post: operation('refresh', 'refreshJoin', done(200, JOINED)),
    },
  };
}

const KEPT: Schema = object({
  kept: {
    type: 'array',
    items: object({
      id: { type: 'integer' },
      kind: { type: 'string', enum: ['replace', 'append'], description: 'What the file did to the rows.' },
      rows: { ...COUNT, description: 'That come back, or that go.' },
      at: { type: 'string', format: 'date-time' },
      by: { type: 'string', nullable: true },
    }),
  },
});

/** Data from before a file changed them. */
function keptPaths(collection: string, language: Language): Paths {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const kept = { name: 'kept', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const done = (schema: Schema): object => ({
    200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
    ...failures(language, '400', '401', '403', '404'),
  });
  return {
    [`/api/v2/${collection}/{id}/kept/`]: {
      parameters: [id],
      get: {
        operationId: `${collection}_kept`,
        tags: [collection],
        summary: TEXTS.keptData[language],
        responses: done(KEPT),
      },
    },
    [`/api/v2/${collection}/{id}/kept/{kept}/restore/`]: {
      parameters: [id, kept],
      post: {
        operationId: `${collection}_kept_restore`,
        tags: [collection],
        summary: TEXTS.restoreData[language],
        responses: done(object({ rows: object({ before: COUNT, after: COUNT }) })),
      },
    },
  };
}

const VALUES: Schema = { type: 'object', nullable: true, additionalProperties: true };

const EDITS: Schema = object({
  edits: {
    type: 'array',
    items: object({
      id: { type: 'integer' },
      at: { type: 'string', format: 'date-time' },
      by: { type: 'string', nullable: true },
      kind: { type: 'string', enum: ['insert', 'update', 'delete', 'bulk'] },
      feature: { type: 'string', nullable: true, description: 'The key of the row; null: of many.' },
      old: VALUES,
      new: VALUES,
      geometry: { type: 'boolean', description: 'The shape was changed, too.' },
      bulk: { type: 'string', nullable: true, description: 'What was done to many rows at once.' },
      rows: { type: 'integer', nullable: true },
    }),
  },
});

/** The history of a layer, or of a table without places. */
function historyPaths(collection: string, language: Language): Paths {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const edit = { name: 'edit', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  return {
    [`/api/v2/${collection}/{id}/history/`]: {
      parameters: [id],
      get: {
        operationId: `${collection}_history`,
        tags: [collection],
        summary: TEXTS.layerHistory[language],
        parameters: [
          { name: 'feature', in: 'query', schema: { type: 'string', maxLength: 400 } },
          { name: 'before', in: 'query', schema: { type: 'integer', minimum: 1 } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
        ],
        responses: {
          200: { description: ANSWER_TEXTS.done[language], content: jsonContent(EDITS) },
          ...failures(language, '400', '403', '404'),
        },
      },
    },
    [`/api/v2/${collection}/{id}/history/{edit}/undo/`]: {
      parameters: [id, edit],
      post: {
        operationId: `${collection}_history_undo`,
        tags: [collection],
        summary: TEXTS.undoEdit[language],
        responses: {
          204: { description: ANSWER_TEXTS.done[language] },
          ...failures(language, '400', '401', '403', '404'),
        },
      },
    },
  };
}

const DATABASE_TABLE: Schema = object({
  schema: TEXT,
  name: TEXT,
  kind: { type: 'string', enum: ['table', 'view', 'materialized view', 'foreign table'] },
  key: { type: 'string', nullable: true, description: 'Its primary key, where that is one column.' },
  columns: { ...NAMES, description: 'Without geometries.' },
  geometry: { type: 'string', nullable: true, description: 'The column with places; null: it becomes a plain table.' },
  fault: { type: 'string', nullable: true, description: 'Why it cannot be registered.' },
  layer: { type: 'string', nullable: true, description: 'The layer that it is registered as.' },
});

/** Tables of the database that are registered as layers. */
function registerPaths(language: Language): Paths {
  return {
    '/api/v2/database_tables/': {
      get: {
        operationId: 'database_tables_list',
        tags: ['layers'],
        summary: TEXTS.databaseTables[language],
        parameters: [{ name: 'search', in: 'query', schema: { type: 'string', maxLength: 200 } }],
        responses: {
          200: {
            description: ANSWER_TEXTS.done[language],
            content: jsonContent(object({ tables: { type: 'array', items: DATABASE_TABLE } })),
          },
          ...failures(language, '400', '401', '403'),
        },
      },
      post: {
        operationId: 'database_tables_register',
        tags: ['layers'],
        summary: TEXTS.registerTable[language],
        requestBody: {
          required: true,
          content: jsonContent(
            {
              type: 'object',
              properties: {
                schema: { type: 'string', maxLength: 63 },
                table: { type: 'string', maxLength: 63 },
                title: { type: 'string', maxLength: 255 },
                abstract: { type: 'string', maxLength: 2000 },
                key: {
                  type: 'string',
                  maxLength: 63,
                  description: 'Column that names its rows, where it has no primary key.',
                },
                permissions: reference('SentPermissions'),
              },
              required: ['schema', 'table'],
              additionalProperties: false,
            },
            { parcels: { schema: 'cadastre', table: 'parcel', title: 'Parcels' } },
          ),
        },
        responses: {
          201: {
            description: ANSWER_TEXTS.done[language],
            content: jsonContent({ type: 'object', properties: { layer: reference('Layer') }, required: ['layer'] }),
          },
          ...failures(language, '400', '401', '403', '404'),
        },
      },
    },
  };
}

export function tablePaths(language: Language): Paths {
  const made = (collection: string, item: string): [string, Record<string, unknown>] => [
    `/api/v2/${collection}/empty/`,
    {
      post: {
        operationId: `${collection}_empty`,
        tags: [collection],
        summary: TEXTS.emptyLayer[language],
        requestBody: {
          required: true,
          content: jsonContent(NEW_LAYER, {
            trees: {
              title: 'Trees',
              geometry: 'point',
              crs: 'EPSG:4326',
              columns: [{ name: 'Species', type: 'text', required: true }],
            },
          }),
        },
        responses: {
          201: {
            description: ANSWER_TEXTS.done[language],
            content: jsonContent({
              type: 'object',
              properties: { [item]: reference('Layer') },
              required: [item],
            }),
          },
          ...failures(language, '400', '401', '403'),
        },
      },
    },
  ];
  return {
    ...Object.fromEntries([made('layers', 'layer'), made('datasets', 'dataset')]),
    ...columnPaths('layers', language),
    ...columnPaths('datasets', language),
    ...joinPaths('layers', language),
    ...joinPaths('datasets', language),
    ...registerPaths(language),
    ...keptPaths('layers', language),
    ...keptPaths('datasets', language),
    ...historyPaths('layers', language),
    ...historyPaths('datasets', language),
  };
}
