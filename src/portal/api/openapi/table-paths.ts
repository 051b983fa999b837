// The addresses of layers and tables that are made from a form, in the OpenAPI document.

import { COLUMN_KIND_NAMES } from '../../tables/column-kinds.ts';
import { MAX_LABEL, MAX_NEW_COLUMNS, SHAPE_NAMES } from '../../tables/new-table.ts';
import { failures, jsonContent, type Paths } from './collection-paths.ts';
import { reference, type Schema } from './json-schema.ts';
import { type Language, TEXTS } from './texts.ts';

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
    [status]: { description: TEXTS.done[language], content: jsonContent(schema) },
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
  return {
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
            description: TEXTS.done[language],
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
  };
}
