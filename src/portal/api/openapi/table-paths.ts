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
  return Object.fromEntries([made('layers', 'layer'), made('datasets', 'dataset')]);
}
