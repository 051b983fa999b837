// `/api/v2/basemaps/` in the OpenAPI document.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { TEXTS } from './texts.ts';

const NAMED = {
  id: { type: 'string' },
  title: { type: 'string' },
  attribution: { type: 'string', description: 'Plain text; empty where nothing has to be said.' },
  attribution_url: { type: 'string', nullable: true },
} as const;

const STYLE: Schema = {
  type: 'object',
  properties: {
    ...NAMED,
    kind: { type: 'string', enum: ['style'] },
    style: { type: 'string', description: 'Address of a MapLibre style.' },
    dark_style: { type: 'string', nullable: true, description: 'The same for dark pages.' },
  },
  required: [...Object.keys(NAMED), 'kind', 'style', 'dark_style'],
  additionalProperties: false,
};

const RASTER: Schema = {
  type: 'object',
  properties: {
    ...NAMED,
    kind: { type: 'string', enum: ['raster'] },
    tiles: {
      type: 'array',
      items: { type: 'string' },
      description: 'Addresses with {z}, {x} and {y}, or {bbox-epsg-3857}.',
    },
    tile_size: { type: 'integer' },
    minzoom: { type: 'integer' },
    maxzoom: { type: 'integer' },
    bounds: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4, nullable: true },
  },
  required: [...Object.keys(NAMED), 'kind', 'tiles', 'tile_size', 'minzoom', 'maxzoom', 'bounds'],
  additionalProperties: false,
};

export function basemapPaths(language: Language): Paths {
  const schema: Schema = {
    type: 'object',
    properties: {
      default: { type: 'string', nullable: true, description: 'An id; null: the packaged map of the world.' },
      basemaps: { type: 'array', items: { oneOf: [STYLE, RASTER] } },
    },
    required: ['default', 'basemaps'],
    additionalProperties: false,
  };
  return {
    '/api/v2/basemaps/': {
      get: {
        operationId: 'basemaps_list',
        tags: ['settings'],
        summary: TEXTS.basemaps[language],
        responses: {
          200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
          ...failures(language),
        },
      },
    },
  };
}
