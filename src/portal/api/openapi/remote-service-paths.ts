// `/api/v2/remote/services/` in the OpenAPI document.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Operation, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { OFFER_REASONS } from '../../remote-services/describe/remote-service.ts';
import { MAX_CHOSEN, MAX_EVERY_HOURS } from '../../remote-services/service-paths.ts';
import { TEXTS } from './texts.ts';

const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const moment = { type: 'string', format: 'date-time', nullable: true } as const;
const EVERY: Schema = { type: 'integer', minimum: 1, maximum: MAX_EVERY_HOURS, nullable: true };

const SERVICE: Readonly<Record<string, Schema>> = {
  id: { type: 'integer' },
  url: { type: 'string' },
  kind: { type: 'string' },
  title: { type: 'string' },
  abstract: { type: 'string' },
  every_hours: EVERY,
  created: { type: 'string', format: 'date-time' },
  harvested: moment,
  tried: moment,
  error: { type: 'string', nullable: true },
  health: { type: 'string', enum: ['reachable', 'failing', 'unknown'] },
  offered: { type: 'integer' },
  layers: { type: 'integer' },
  gone: { type: 'integer' },
  owner: { type: 'string', nullable: true },
};

const WHOLE: Schema = closed({
  service: closed({
    ...SERVICE,
    offers: {
      type: 'array',
      items: closed({
        name: { type: 'string' },
        title: { type: 'string' },
        abstract: { type: 'string' },
        reason: { type: 'string', enum: [...OFFER_REASONS, null], nullable: true },
        page: { type: 'string', nullable: true },
        becomes: {
          type: 'string',
          enum: ['layer', 'document', null],
          nullable: true,
          description: 'What it is in the catalogue once it is chosen; null: it cannot be.',
        },
        layer: { type: 'string', nullable: true },
        document: { type: 'string', nullable: true },
      }),
    },
  }),
});

export function remoteServicePaths(language: Language): Paths {
  const done = (schema: Schema) => ({ description: ANSWER_TEXTS.done[language], content: jsonContent(schema) });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } } as const;
  const operation = (operationId: string, summary: keyof typeof TEXTS, more: Operation): Operation => ({
    operationId,
    tags: ['remote'],
    summary: TEXTS[summary][language],
    ...more,
  });
  const body = (schema: Schema, example: object) => ({ required: true, content: jsonContent(schema, { example }) });
  const refused = failures(language, '401', '403', '404');
  const changeRefused = failures(language, '400', '401', '403', '404');
  return {
    '/api/v2/remote/services/': {
      get: operation('remote_services_list', 'remoteServices', {
        responses: {
          200: done(closed({ services: { type: 'array', items: closed(SERVICE) } })),
          ...failures(language, '401', '403'),
        },
      }),
      post: operation('remote_services_create', 'addRemoteService', {
        requestBody: body(
          {
            type: 'object',
            properties: { url: { type: 'string', maxLength: 2000 }, every_hours: EVERY },
            required: ['url'],
          },
          { url: 'https://maps.example.org/wms', every_hours: 24 },
        ),
        responses: { 201: done(WHOLE), ...failures(language, '400', '401', '403') },
      }),
    },
    '/api/v2/remote/services/{id}/': {
      get: operation('remote_services_read', 'remoteServiceRead', {
        parameters: [id],
        responses: { 200: done(WHOLE), ...refused },
      }),
      patch: operation('remote_services_update', 'setRemoteService', {
        parameters: [id],
        requestBody: body(
          { type: 'object', properties: { every_hours: EVERY }, required: ['every_hours'] },
          { every_hours: 168 },
        ),
        responses: { 200: done(WHOLE), ...changeRefused },
      }),
      delete: operation('remote_services_delete', 'dropRemoteService', {
        parameters: [id],
        responses: { 204: { description: ANSWER_TEXTS.done[language] }, ...changeRefused },
      }),
    },
    '/api/v2/remote/services/{id}/harvest/': {
      post: operation('remote_services_harvest', 'harvestRemoteService', {
        parameters: [id],
        responses: { 200: done(WHOLE), ...changeRefused },
      }),
    },
    '/api/v2/remote/services/{id}/layers/': {
      post: operation('remote_services_layers', 'addRemoteLayers', {
        parameters: [id],
        requestBody: body(
          {
            type: 'object',
            properties: {
              names: { type: 'array', items: { type: 'string', maxLength: 500 }, minItems: 1, maxItems: MAX_CHOSEN },
              permissions: {
                type: 'object',
                description: 'As `set_perms` takes them; not sent: nobody but their owner sees the new ones.',
              },
            },
            required: ['names'],
          },
          { names: ['rivers'] },
        ),
        responses: {
          200: done(
            closed({
              layers: {
                type: 'array',
                items: closed({
                  name: { type: 'string' },
                  layer: { type: 'string', nullable: true },
                  document: { type: 'string', nullable: true },
                }),
              },
            }),
          ),
          ...changeRefused,
        },
      }),
    },
  };
}
