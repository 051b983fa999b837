// Paths below every item that its fields do not describe: levels of permissions, metadata.

import { METADATA_FORMATS } from '../../metadata/metadata-formats.ts';
import { LEVELS } from '../../permissions/level-paths.ts';
import { failures, jsonContent, type Paths } from './collection-paths.ts';
import type { Schema } from './json-schema.ts';
import { type Language, TEXTS } from './texts.ts';

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };

const LEVEL: Schema = { type: 'string', enum: LEVELS };
const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean', nullable: true, description: 'Null to who may not know.' };

const entry = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties: { id: { type: 'integer' }, ...properties, permissions: LEVEL },
  required: ['id', ...Object.keys(properties), 'permissions'],
  additionalProperties: false,
});

const SHOWN_LEVELS: Schema = {
  type: 'object',
  properties: {
    users: {
      type: 'array',
      items: entry({
        username: TEXT,
        first_name: TEXT,
        last_name: TEXT,
        avatar: { type: 'string', format: 'uri' },
        is_superuser: FLAG,
        is_staff: FLAG,
      }),
    },
    organizations: {
      type: 'array',
      items: entry({ title: TEXT, name: TEXT, logo: { type: 'string', nullable: true } }),
    },
    groups: {
      type: 'array',
      description: 'What everybody may do (`anonymous`), and every account (`registered-members`).',
      items: entry({ title: TEXT, name: TEXT }),
    },
  },
  required: ['users', 'organizations', 'groups'],
  additionalProperties: false,
};

/** Named by id, or by name; what else was read may stand there, too. */
const sentEntry = (name: string): Schema => ({
  type: 'object',
  properties: { id: { type: 'integer' }, [name]: TEXT, permissions: LEVEL },
  required: ['permissions'],
});

const SENT_LEVELS: Schema = {
  type: 'object',
  properties: {
    users: { type: 'array', items: sentEntry('username') },
    organizations: { type: 'array', items: sentEntry('name') },
    groups: { type: 'array', items: sentEntry('name') },
  },
  additionalProperties: false,
};

export function itemPaths(collections: readonly string[], language: Language): Paths {
  const paths: Paths = {};
  for (const name of collections) paths[`/api/v2/${name}/{id}/permissions/`] = levels(name, language);
  for (const { ending, mediaType } of METADATA_FORMATS) {
    paths[`/metadata/{id}.${ending}`] = {
      get: {
        operationId: `metadata_${ending.split('.')[0]}`,
        tags: ['resources'],
        summary: TEXTS.metadata[language],
        parameters: [ID],
        responses: {
          200: {
            description: TEXTS.done[language],
            content: { [mediaType]: { schema: { type: 'string' } } },
          },
          ...failures(language, '404'),
        },
      },
    };
  }
  return paths;
}

function levels(name: string, language: Language): Record<string, unknown> {
  const answer = {
    200: { description: TEXTS.done[language], content: jsonContent(SHOWN_LEVELS) },
    ...failures(language, '400', '403', '404'),
  };
  const change = (verb: 'put' | 'patch', summary: string): Record<string, unknown> => ({
    operationId: `${name}_${verb}_permissions`,
    tags: [name],
    summary,
    parameters: [ID],
    requestBody: {
      required: true,
      content: jsonContent(SENT_LEVELS, { everybody: { groups: [{ name: 'anonymous', permissions: 'view' }] } }),
    },
    responses: answer,
  });
  return {
    get: {
      operationId: `${name}_permissions`,
      tags: [name],
      summary: TEXTS.levels[language],
      parameters: [ID],
      responses: answer,
    },
    put: change('put', TEXTS.replace[language]),
    patch: change('patch', TEXTS.change[language]),
    delete: {
      operationId: `${name}_delete_permissions`,
      tags: [name],
      summary: TEXTS.delete[language],
      parameters: [ID],
      responses: answer,
    },
  };
}
