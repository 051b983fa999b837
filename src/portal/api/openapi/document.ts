// The whole API as an OpenAPI 3.0.3 document, made of the same tables that the API itself is made of.

import { PERMISSION_NAMES } from '../../../auth/permission-names.ts';
import { describedComponents, describedPaths, type Route } from '../../description/described-route.ts';
import type { Language } from '../../description/language.ts';
import type { Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { collectionPaths, type DescribedCollection, type Describing } from './collection-paths.ts';
import { documentPaths } from './document-paths.ts';
import { furtherPaths } from './further-paths.ts';
import { itemPaths } from './item-paths.ts';
import { nameOf, recordName, recordSchema } from './json-schema.ts';
import { TEXTS } from './texts.ts';

export type DocumentParts = {
  readonly collections: readonly DescribedCollection[];
  readonly base: string;
  readonly version: string;
  readonly language: Language;
  readonly routes: readonly Route[];
};

export function openapiDocument({ collections, base, version, language, routes }: DocumentParts): Schema {
  const describing: Describing = { recordTypes: new Map(), inputs: new Map(), language };
  const paths: Paths = {};
  // Their records have the plain names, whatever else is called the same.
  for (const { recordType, item, isBare } of collections)
    nameOf(recordType, describing.recordTypes, recordName(item, isBare));
  for (const collection of collections) Object.assign(paths, collectionPaths(collection, describing));
  Object.assign(paths, itemPaths(language), furtherPaths(describing), documentPaths(language));
  for (const [path, verbs] of Object.entries(describedPaths(routes, language)))
    paths[path] = { ...paths[path], ...verbs };
  const records = new Map<string, Schema>();
  // Grows meanwhile, by the record types that others embed.
  for (const [name, recordType] of describing.recordTypes)
    records.set(name, recordSchema(recordType, describing.recordTypes));
  return {
    openapi: '3.0.3',
    info: { title: TEXTS.title[language], description: TEXTS.description[language], version },
    servers: [{ url: base }],
    tags: [...new Set(collections.map(({ path }) => path.split('/').at(-1) ?? ''))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(records),
        ...Object.fromEntries(describing.inputs),
        ...describedComponents(routes),
        ...COMMON,
      },
      securitySchemes: {
        cookieAuth: { type: 'apiKey', in: 'cookie', name: 'sessionid' },
        basicAuth: { type: 'http', scheme: 'basic' },
        bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
    // Whoever does not sign in sees what is for everybody.
    security: [{ cookieAuth: [] }, { basicAuth: [] }, { bearerAuth: [] }, {}],
  };
}

const NAMES_TO_PERMISSIONS: Schema = {
  type: 'object',
  additionalProperties: { type: 'array', items: reference('PermissionName') },
};

const PERMISSIONS: Schema = {
  type: 'object',
  properties: { users: NAMES_TO_PERMISSIONS, groups: NAMES_TO_PERMISSIONS },
  additionalProperties: false,
};

const MESSAGES: Schema = { type: 'array', items: { type: 'string' } };

const IGNORED: Schema = {
  type: 'array',
  items: { type: 'string' },
  description: 'Members of the body that no field has.',
};

const COMMON: Readonly<Record<string, Schema>> = {
  Ignored: { type: 'object', properties: { ignored: IGNORED }, required: ['ignored'], additionalProperties: false },
  Updated: {
    type: 'object',
    properties: {
      meta: {
        type: 'object',
        properties: { updated: { type: 'integer', minimum: 0 }, ignored: IGNORED },
        required: ['updated'],
        additionalProperties: false,
      },
    },
    required: ['meta'],
    additionalProperties: false,
  },
  Detail: {
    type: 'object',
    properties: { detail: { type: 'string' } },
    required: ['detail'],
    additionalProperties: false,
  },
  NotFound: { anyOf: [reference('Detail'), { type: 'string' }] },
  FieldMistakes: { type: 'object', additionalProperties: MESSAGES },
  ElementMistakes: {
    type: 'object',
    properties: {
      errors: {
        type: 'array',
        items: { type: 'object', properties: { detail: reference('FieldMistakes'), source: {} }, required: ['detail'] },
      },
    },
    required: ['errors'],
    additionalProperties: { type: 'array', maxItems: 0, items: {} },
  },
  Mistakes: { anyOf: [reference('FieldMistakes'), reference('ElementMistakes'), MESSAGES, reference('Detail')] },
  PermissionName: { type: 'string', enum: PERMISSION_NAMES },
  Permissions: { ...PERMISSIONS, required: ['users', 'groups'] },
  SentPermissions: PERMISSIONS,
};
