// What can be brought back, described: the bin, what uses an item that is to be deleted, versions.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { RESOURCE_TYPES } from '../../kinds/item/common-fields.ts';
import { MOST_VERSIONS, VERSION_PARTS } from '../../kinds/item/version-paths.ts';
import { idIn } from './id-parameter.ts';
import { TEXTS } from './texts.ts';

const BIN: Schema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          resource_type: { type: 'string', enum: RESOURCE_TYPES },
          title: { type: 'string' },
          owner: { type: 'string', nullable: true },
          deleted: { type: 'string', format: 'date-time' },
          deleted_by: { type: 'string', nullable: true },
          until: { type: 'string', format: 'date-time' },
          may_purge: { type: 'boolean' },
          is_table: { type: 'boolean', description: 'A layer without geometry.' },
        },
        required: ['id', 'resource_type', 'title', 'owner', 'deleted', 'deleted_by', 'until', 'may_purge', 'is_table'],
        additionalProperties: false,
      },
    },
    total: { type: 'integer' },
    page: { type: 'integer' },
    page_size: { type: 'integer' },
  },
  required: ['items', 'total', 'page', 'page_size'],
  additionalProperties: false,
};

const USED_BY: Schema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          resource_type: { type: 'string', enum: RESOURCE_TYPES },
          title: { type: 'string' },
        },
        required: ['id', 'resource_type', 'title'],
        additionalProperties: false,
      },
    },
    total: { type: 'integer' },
    others: { type: 'integer' },
  },
  required: ['items', 'total', 'others'],
  additionalProperties: false,
};

const versionSchema = (further: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties: {
    id: { type: 'integer' },
    part: { type: 'string', enum: VERSION_PARTS },
    style: { type: 'string', nullable: true },
    made: { type: 'string', format: 'date-time' },
    by: { type: 'string', nullable: true },
    current: { type: 'boolean' },
    ...further,
  },
  required: ['id', 'part', 'style', 'made', 'by', 'current', ...Object.keys(further)],
  additionalProperties: false,
});

export function keptPaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({
    description: ANSWER_TEXTS.done[language],
    content: jsonContent(schema),
  });
  const refusals = failures(language, '400', '401', '403', '404');
  return {
    '/api/v2/bin/': {
      get: {
        operationId: 'bin_list',
        tags: ['resources'],
        summary: TEXTS.bin[language],
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } }],
        responses: { 200: answer(BIN), ...failures(language, '400', '401', '403') },
      },
    },
    '/api/v2/bin/{id}/': {
      delete: {
        operationId: 'bin_purge',
        tags: ['resources'],
        summary: TEXTS.purge[language],
        parameters: [idIn('id')],
        responses: { 204: { description: ANSWER_TEXTS.done[language] }, ...refusals },
      },
    },
    '/api/v2/bin/{id}/restore/': {
      post: {
        operationId: 'bin_restore',
        tags: ['resources'],
        summary: TEXTS.restore[language],
        parameters: [idIn('id')],
        responses: { 200: answer(reference('Updated')), ...refusals },
      },
    },
    '/api/v2/resources/{id}/used_by/': {
      get: {
        operationId: 'resources_used_by',
        tags: ['resources'],
        summary: TEXTS.usedBy[language],
        parameters: [idIn('id')],
        responses: { 200: answer(USED_BY), ...refusals },
      },
    },
    '/api/v2/resources/{id}/versions/': {
      get: {
        operationId: 'resources_versions',
        tags: ['resources'],
        summary: TEXTS.versions[language],
        parameters: [
          idIn('id'),
          { name: 'part', in: 'query', schema: { type: 'string', enum: VERSION_PARTS } },
          { name: 'before', in: 'query', schema: { type: 'integer', minimum: 1 } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MOST_VERSIONS, default: 50 } },
        ],
        responses: {
          200: answer({
            type: 'object',
            properties: { versions: { type: 'array', items: versionSchema({}) } },
            required: ['versions'],
            additionalProperties: false,
          }),
          ...refusals,
        },
      },
    },
    '/api/v2/resources/{id}/versions/{version}/': {
      get: {
        operationId: 'resources_version',
        tags: ['resources'],
        summary: TEXTS.oneVersion[language],
        parameters: [idIn('id'), idIn('version')],
        responses: {
          200: answer(
            versionSchema({
              style_id: { type: 'integer', nullable: true },
              body: { type: 'object', additionalProperties: true },
            }),
          ),
          ...refusals,
        },
      },
    },
    '/api/v2/resources/{id}/versions/{version}/restore/': {
      post: {
        operationId: 'resources_restore_version',
        tags: ['resources'],
        summary: TEXTS.restoreVersion[language],
        parameters: [idIn('id'), idIn('version')],
        responses: { 200: answer(reference('Updated')), ...refusals },
      },
    },
  };
}
