// Paths below every item that its fields do not describe: levels of permissions, linked items, thumbnails, metadata.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { METADATA_FORMATS } from '../../metadata/metadata-formats.ts';
import { LEVELS } from '../../permissions/level-paths.ts';
import type { Describing } from './collection-paths.ts';
import { schemaName } from './json-schema.ts';
import { TEXTS } from './texts.ts';

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

const LINKED_LIST: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { internal: { type: 'boolean' }, pk: TEXT, title: TEXT },
    required: ['internal', 'pk', 'title'],
    description: 'A Resource, and whether the link follows from what a map is made of.',
  },
};

const LINKED: Schema = {
  type: 'object',
  properties: {
    total: { type: 'integer', minimum: 0, description: 'How many links there are, shown or not.' },
    linked_to: LINKED_LIST,
    linked_by: LINKED_LIST,
    resources: { ...LINKED_LIST, description: 'Both, each item once.' },
  },
  required: ['total', 'linked_to', 'linked_by', 'resources'],
  additionalProperties: false,
};

const IDS: Schema = { type: 'array', items: { type: 'integer', minimum: 1 } };
const CHANGED_LINKS: Schema = {
  type: 'object',
  properties: { success: IDS, error: { ...IDS, description: 'Those that were not linked.' } },
  required: ['success', 'error'],
  additionalProperties: false,
};

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

/** For the components of the document. */
export const ITEM_SCHEMAS: Readonly<Record<string, Schema>> = {
  PermissionLevels: SHOWN_LEVELS,
  LinkedResources: LINKED,
  ChangedLinks: CHANGED_LINKS,
  Asset: ASSET,
};

export function itemPaths({ language }: Describing, collections: readonly string[]): Paths {
  const paths: Paths = {};
  for (const name of collections) {
    const path = `/api/v2/${name}/{id}/linked_resources/`;
    // Documents have a list of their own.
    paths[path] = {
      ...(name === 'documents' ? {} : { get: readLinked(name, language) }),
      ...changeLinks(name, language),
    };
  }
  for (const name of collections) paths[`/api/v2/${name}/{id}/permissions/`] = levels(name, language);
  for (const name of collections) {
    paths[`/api/v2/${name}/{id}/set_thumbnail/`] = setThumbnail(name, language);
  }
  const assets = {
    operationId: 'resources_assets',
    tags: ['resources'],
    summary: TEXTS.assets[language],
    parameters: [ID],
  };
  paths['/api/v2/resources/{id}/assets/'] = {
    get: {
      ...assets,
      responses: {
        200: {
          description: ANSWER_TEXTS.done[language],
          content: jsonContent({ type: 'array', items: reference('Asset') }),
        },
        ...failures(language, '404'),
      },
    },
    post: {
      ...assets,
      operationId: 'resources_assets_add',
      requestBody: { required: true, content: { 'multipart/form-data': { schema: SENT_ASSET } } },
      responses: {
        201: { description: ANSWER_TEXTS.done[language], content: jsonContent(reference('Asset')) },
        ...failures(language, '400', '401', '403', '404'),
      },
    },
  };
  paths['/api/v2/resources/{id}/assets/{asset}/'] = {
    delete: {
      ...assets,
      operationId: 'resources_assets_remove',
      parameters: [ID, { name: 'asset', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
      responses: {
        204: { description: ANSWER_TEXTS.done[language] },
        ...failures(language, '400', '401', '403', '404'),
      },
    },
  };
  paths['/api/v2/resources/{id}/copy/'] = copy(language);
  paths['/api/v2/resources/{id}/set_thumbnail_from_bbox/'] = drawThumbnail(language);
  paths['/api/v2/resources/{id}/delete_thumbnail/'] = {
    post: {
      operationId: 'resources_delete_thumbnail',
      tags: ['resources'],
      summary: TEXTS.deleteThumbnail[language],
      parameters: [ID],
      responses: { ...chosen(language), ...failures(language, '400', '401', '403', '404') },
    },
  };
  for (const { ending, mediaType } of METADATA_FORMATS) {
    paths[`/metadata/{id}.${ending}`] = {
      get: {
        operationId: `metadata_${ending.split('.')[0]}`,
        tags: ['resources'],
        summary: TEXTS.metadata[language],
        parameters: [ID],
        responses: {
          200: {
            description: ANSWER_TEXTS.done[language],
            content: { [mediaType]: { schema: { type: 'string' } } },
          },
          ...failures(language, '404'),
        },
      },
    };
  }
  return paths;
}

function copy(language: Language): Record<string, unknown> {
  const defaults: Schema = {
    type: 'object',
    properties: {
      defaults: { description: 'Fields of the new item, as JSON or as JSON text.', anyOf: [{ type: 'object' }, TEXT] },
    },
  };
  const made = ['map', 'document', 'geoapp', 'geostory'].map((item) => ({
    type: 'object',
    properties: { [item]: reference(schemaName(item)), meta: reference('Ignored') },
    required: [item],
    additionalProperties: false,
  }));
  return {
    put: {
      operationId: 'resources_copy',
      tags: ['resources'],
      summary: TEXTS.copy[language],
      parameters: [ID],
      requestBody: {
        content: {
          ...jsonContent(defaults, { title: { defaults: { title: 'A copy' } } }),
          'application/x-www-form-urlencoded': { schema: defaults },
        },
      },
      responses: {
        201: { description: ANSWER_TEXTS.done[language], content: jsonContent({ oneOf: made }) },
        ...failures(language, '400', '401', '403', '404'),
      },
    },
  };
}

/** The smallest picture there is. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function setThumbnail(name: string, language: Language): Record<string, unknown> {
  const file: Schema = { type: 'string', description: 'A data URL with a PNG, JPEG, GIF or WebP image.' };
  return {
    put: {
      operationId: `${name}_set_thumbnail`,
      tags: [name],
      summary: TEXTS.setThumbnail[language],
      parameters: [ID],
      requestBody: {
        required: true,
        content: {
          ...jsonContent({ type: 'object', properties: { file }, required: ['file'] }, { pixel: { file: PIXEL } }),
          'multipart/form-data': {
            schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
          },
        },
      },
      responses: {
        ...chosen(language),
        ...failures(language, '400', '401', '403', '404'),
      },
    },
  };
}

function chosen(language: Language): Record<string, unknown> {
  const schema: Schema = {
    type: 'object',
    properties: { success: { type: 'boolean' }, thumbnail_url: { type: 'string', format: 'uri' } },
    required: ['success', 'thumbnail_url'],
    additionalProperties: false,
  };
  return { 200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) } };
}

function drawThumbnail(language: Language): Record<string, unknown> {
  const body: Schema = {
    type: 'object',
    properties: {
      bbox: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4, description: 'x, x, y, y.' },
      srid: { type: 'string', description: 'Its coordinate system; `EPSG:4326` if none is named.' },
    },
    required: ['bbox'],
  };
  return {
    post: {
      operationId: 'resources_set_thumbnail_from_bbox',
      tags: ['resources'],
      summary: TEXTS.setThumbnail[language],
      parameters: [ID],
      requestBody: {
        required: true,
        content: jsonContent(body, { box: { bbox: [5, 15, 45, 55], srid: 'EPSG:4326' } }),
      },
      responses: { ...chosen(language), ...failures(language, '400', '401', '403', '404') },
    },
  };
}

function readLinked(name: string, language: Language): Record<string, unknown> {
  return {
    operationId: `${name}_linked`,
    tags: [name],
    summary: TEXTS.linked[language],
    parameters: [ID],
    responses: {
      200: { description: ANSWER_TEXTS.done[language], content: jsonContent(reference('LinkedResources')) },
      ...failures(language, '400', '404'),
    },
  };
}

const TARGET: Schema = {
  type: 'object',
  properties: {
    target: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { ...IDS, minItems: 1, maxItems: 1000 },
      ],
    },
  },
  required: ['target'],
};
function changeLinks(name: string, language: Language): Record<string, unknown> {
  const change = (verb: 'link' | 'unlink', status: number, summary: string): Record<string, unknown> => ({
    operationId: `${name}_${verb}`,
    tags: [name],
    summary,
    parameters: [ID],
    requestBody: { required: true, content: jsonContent(TARGET) },
    responses: {
      [status]: { description: ANSWER_TEXTS.done[language], content: jsonContent(reference('ChangedLinks')) },
      ...failures(language, '400', '401', '403', '404'),
    },
  });
  return {
    post: change('link', 201, TEXTS.link[language]),
    delete: change('unlink', 200, TEXTS.unlink[language]),
  };
}

function levels(name: string, language: Language): Record<string, unknown> {
  const answer = {
    200: { description: ANSWER_TEXTS.done[language], content: jsonContent(reference('PermissionLevels')) },
    ...failures(language, '400', '403', '404'),
  };
  // Who has taken the own permissions away may not know them any more.
  const changed = { ...answer, 204: { description: ANSWER_TEXTS.done[language] } };
  const change = (verb: 'put' | 'patch', summary: string): Record<string, unknown> => ({
    operationId: `${name}_${verb}_permissions`,
    tags: [name],
    summary,
    parameters: [ID],
    requestBody: {
      required: true,
      content: jsonContent(SENT_LEVELS, { everybody: { groups: [{ name: 'anonymous', permissions: 'view' }] } }),
    },
    responses: changed,
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
      responses: changed,
    },
  };
}
