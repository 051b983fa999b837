// What files beside an item say of themselves.

import type { Text } from '../../description/language.ts';
import type { Described } from '../../description/operation.ts';
import { reference, type Schema, TEXT } from '../../description/schema.ts';

const ASSET: Schema = {
  type: 'object',
  description: 'A document with a file that is linked to the item.',
  properties: {
    id: { type: 'integer', minimum: 1, description: 'Of the document.' },
    pk: { type: 'integer', minimum: 1 },
    name: TEXT,
    title: TEXT,
    description: TEXT,
    type: { type: 'string', nullable: true },
    created: { type: 'string', format: 'date-time' },
    download_url: { type: 'string', format: 'uri' },
    deletable: { type: 'boolean' },
    owner: { type: 'object', nullable: true, properties: { pk: { type: 'integer' }, username: TEXT } },
  },
  required: ['id', 'pk', 'name', 'title', 'description', 'type', 'created', 'download_url', 'deletable', 'owner'],
  additionalProperties: false,
};

const SENT_ASSET: Schema = {
  type: 'object',
  properties: {
    file: { type: 'string', format: 'binary' },
    title: TEXT,
    description: TEXT,
    permissions: { type: 'string', description: 'JSON, as that of a document; those of new documents without it.' },
  },
  required: ['file'],
};

const SUMMARY: Text = {
  en: 'Files beside it: documents that are linked to it',
  de: 'Dateien daneben: verknüpfte Dokumente',
};

const COMMON: Pick<Described, 'tag' | 'summary' | 'components'> = {
  tag: 'resources',
  summary: SUMMARY,
  components: { Asset: ASSET },
};

export const LIST: Described = {
  ...COMMON,
  id: 'resources_assets',
  answers: { 200: { type: 'array', items: reference('Asset') } },
  refusals: [404],
};

export const ADD: Described = {
  ...COMMON,
  id: 'resources_assets_add',
  sent: { isRequired: true, content: { 'multipart/form-data': { schema: SENT_ASSET } } },
  answers: { 201: reference('Asset') },
  refusals: [400, 401, 403, 404],
};

export const REMOVE: Described = {
  ...COMMON,
  id: 'resources_assets_remove',
  answers: { 204: undefined },
  refusals: [400, 401, 403, 404],
};
