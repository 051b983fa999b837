// Layers of other people's services, described: how a request names one, what is answered.

import type { Text } from '../description/language.ts';
import type { Parameter } from '../description/operation.ts';
import { arrayOf, FLAG, NUMBER, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import { OFFER_REASONS, SERVICE_KINDS } from './describe/remote-service.ts';
import { INFO_FORMATS, MAX_FORMAT, MAX_REMOTE_ADDRESS, REMOTE_KINDS, REMOTE_VERSIONS } from './remote-layer.ts';

export const REMOTE_FAILED: Text = {
  en: 'The service did not answer, or with something else',
  de: 'Der Dienst hat nicht geantwortet, oder mit etwas anderem',
};

const IMAGE: Schema = { type: 'string', enum: ['image/png', 'image/jpeg'] };

const LAYER: Schema = record({
  kind: { type: 'string', enum: [...REMOTE_KINDS] },
  url: TEXT,
  name: TEXT,
  version: { type: 'string', enum: [...REMOTE_VERSIONS] },
  style: TEXT,
  image: IMAGE,
  info: { ...orNull(TEXT), enum: [...INFO_FORMATS, null] },
  output: TEXT,
  srs: TEXT,
});

export const SERVICE: Schema = record({
  kind: { type: 'string', enum: [...SERVICE_KINDS] },
  title: TEXT,
  abstract: TEXT,
  layers: arrayOf(
    record({
      name: TEXT,
      title: TEXT,
      abstract: TEXT,
      keywords: arrayOf(TEXT),
      bbox: { ...orNull(arrayOf(NUMBER)), minItems: 4, maxItems: 4 },
      attribution: TEXT,
      layer: orNull(LAYER),
      reason: { ...orNull(TEXT), enum: [...OFFER_REASONS, null] },
      page: orNull(TEXT),
    }),
  ),
  truncated: FLAG,
});

export const LEGEND: Schema = record({ legend: arrayOf(record({ label: TEXT, picture: TEXT })) });

export const PICTURES: Schema = Object.fromEntries(
  ['png', 'jpeg', 'webp', 'gif'].map((type) => [`image/${type}`, { schema: { type: 'string', format: 'binary' } }]),
);

type Example = { readonly kind: string; readonly url: string; readonly name?: string; readonly info?: string };

export const RIVERS: Example = { kind: 'wms', url: 'https://maps.example.org/wms', name: 'rivers' };

export function query(name: string, schema: Schema, required = false, example?: string | number): Parameter {
  return { name, in: 'query', required, schema, ...(example === undefined ? {} : { example }) };
}

export function layerParameters({ kind, url, name, info }: Example): readonly Parameter[] {
  return [
    query('kind', { type: 'string', enum: [...REMOTE_KINDS] }, true, kind),
    query('url', { type: 'string', maxLength: MAX_REMOTE_ADDRESS }, true, url),
    query('name', { type: 'string', maxLength: 500 }, false, name),
    query('version', { type: 'string', enum: [...REMOTE_VERSIONS] }),
    query('style', { type: 'string', maxLength: 500 }),
    query('image', IMAGE),
    query('info', { type: 'string', enum: [...INFO_FORMATS] }, false, info),
    query('output', { type: 'string', maxLength: MAX_FORMAT }),
    query('srs', { type: 'string', maxLength: MAX_FORMAT }),
  ];
}
