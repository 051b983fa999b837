// Addresses below items that are served elsewhere, or by one route for several: thumbnails of the map services, metadata by format.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { METADATA_FORMATS } from '../../metadata/metadata-formats.ts';
import { TEXTS } from './texts.ts';

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };

export function itemPaths(language: Language): Paths {
  const paths: Paths = {};
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
