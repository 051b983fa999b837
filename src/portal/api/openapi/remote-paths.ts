// `/api/v2/remote/` in the OpenAPI document.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Operation, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { OFFER_REASONS, SERVICE_KINDS } from '../../remote-services/describe/remote-service.ts';
import {
  INFO_FORMATS,
  MAX_FORMAT,
  MAX_REMOTE_ADDRESS,
  REMOTE_KINDS,
  REMOTE_VERSIONS,
} from '../../remote-services/remote-layer.ts';
import { TEXTS } from './texts.ts';

const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const LAYER: Schema = closed({
  kind: { type: 'string', enum: [...REMOTE_KINDS] },
  url: { type: 'string' },
  name: { type: 'string' },
  version: { type: 'string', enum: [...REMOTE_VERSIONS] },
  style: { type: 'string' },
  image: { type: 'string', enum: ['image/png', 'image/jpeg'] },
  info: { type: 'string', enum: [...INFO_FORMATS, null], nullable: true },
  output: { type: 'string' },
  srs: { type: 'string' },
});

const SERVICE: Schema = closed({
  kind: { type: 'string', enum: [...SERVICE_KINDS] },
  title: { type: 'string' },
  abstract: { type: 'string' },
  layers: {
    type: 'array',
    items: closed({
      name: { type: 'string' },
      title: { type: 'string' },
      abstract: { type: 'string' },
      keywords: { type: 'array', items: { type: 'string' } },
      bbox: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4, nullable: true },
      attribution: { type: 'string' },
      layer: { ...LAYER, nullable: true },
      reason: { type: 'string', enum: [...OFFER_REASONS, null], nullable: true },
      page: { type: 'string', nullable: true },
    }),
  },
  truncated: { type: 'boolean' },
});

const query = (name: string, schema: Schema, required = false, example?: string | number): Schema => ({
  name,
  in: 'query',
  required,
  schema,
  ...(example === undefined ? {} : { example }),
});

type Example = { readonly kind: string; readonly url: string; readonly name?: string; readonly info?: string };

const RIVERS: Example = { kind: 'wms', url: 'https://maps.example.org/wms', name: 'rivers' };

const ofLayer = ({ kind, url, name, info }: Example): readonly Schema[] => [
  query('kind', { type: 'string', enum: [...REMOTE_KINDS] }, true, kind),
  query('url', { type: 'string', maxLength: MAX_REMOTE_ADDRESS }, true, url),
  query('name', { type: 'string', maxLength: 500 }, false, name),
  query('version', { type: 'string', enum: [...REMOTE_VERSIONS] }),
  query('style', { type: 'string', maxLength: 500 }),
  query('image', { type: 'string', enum: ['image/png', 'image/jpeg'] }),
  query('info', { type: 'string', enum: [...INFO_FORMATS] }, false, info),
  query('output', { type: 'string', maxLength: MAX_FORMAT }),
  query('srs', { type: 'string', maxLength: MAX_FORMAT }),
];

const picture = { type: 'string', format: 'binary' } as const;
const PICTURES: Schema = {
  'image/png': { schema: picture },
  'image/jpeg': { schema: picture },
  'image/webp': { schema: picture },
  'image/gif': { schema: picture },
};

export function remotePaths(language: Language): Paths {
  const get = (
    operationId: string,
    summary: keyof typeof TEXTS,
    parameters: readonly Schema[],
    content: Schema,
    ...more: readonly ('401' | '404')[]
  ): { readonly get: Operation } => ({
    get: {
      operationId,
      tags: ['remote'],
      summary: TEXTS[summary][language],
      parameters,
      responses: {
        200: { description: ANSWER_TEXTS.done[language], content },
        ...failures(language, '400', ...more),
        502: {
          description: TEXTS.remoteFailed[language],
          content: jsonContent({ $ref: '#/components/schemas/Detail' }),
        },
      },
    },
  });
  const number = (name: string, of: Schema): Schema => ({ name, in: 'path', required: true, schema: of });
  const cell = { type: 'integer', minimum: 0 } as const;
  return {
    '/api/v2/remote/service/': get(
      'remote_service',
      'remoteService',
      [query('url', { type: 'string', maxLength: MAX_REMOTE_ADDRESS }, true, RIVERS.url)],
      jsonContent(SERVICE),
      '401',
    ),
    '/api/v2/remote/tiles/{z}/{x}/{y}/': get(
      'remote_tile',
      'remoteTile',
      [number('z', { ...cell, maximum: 24 }), number('x', cell), number('y', cell), ...ofLayer(RIVERS)],
      PICTURES,
      '404',
    ),
    '/api/v2/remote/legend/': get('remote_legend', 'remoteLegend', ofLayer(RIVERS), {
      ...PICTURES,
      ...jsonContent(
        closed({
          legend: { type: 'array', items: closed({ label: { type: 'string' }, picture: { type: 'string' } }) },
        }),
      ),
    }),
    '/api/v2/remote/picture/': get(
      'remote_picture',
      'remotePicture',
      ofLayer({ kind: 'image', url: 'https://maps.example.org/picture.png' }),
      PICTURES,
    ),
    '/api/v2/remote/features/': get(
      'remote_features',
      'remoteFeatures',
      [
        ...ofLayer({ kind: 'features', url: 'https://maps.example.org/collections/rivers' }),
        query('bbox', { type: 'string' }, true, '5,45,15,55'),
      ],
      jsonContent(
        closed({
          type: { type: 'string', enum: ['FeatureCollection'] },
          features: { type: 'array', items: { type: 'object', additionalProperties: true } },
          truncated: { type: 'boolean' },
        }),
      ),
    ),
    '/api/v2/remote/info/': get(
      'remote_info',
      'remoteInfo',
      [
        ...ofLayer({ ...RIVERS, info: 'application/json' }),
        query('lng', { type: 'number' }, true, 10),
        query('lat', { type: 'number' }, true, 50),
        query('zoom', { type: 'number', minimum: 0, maximum: 24 }, true, 6),
      ],
      jsonContent(
        closed({
          found: { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
        }),
      ),
    ),
  };
}
