// The paths that only one collection has, described by hand where nothing else describes them.

import type { Language } from '../../description/language.ts';
import { listParameters } from '../../description/list-parameters.ts';
import { ANSWER_TEXTS, failures, inLanguage, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { resource } from '../../kinds/item/fields.ts';
import { mapLayer } from '../../kinds/map/fields.ts';
import { groupsOfUser, itemsOfGroup, localLayers, managers, members, ownedItems } from '../../kinds/related.ts';
import type { RelatedList } from '../../operations/related-list.ts';
import { type Describing, listName } from './collection-paths.ts';
import { nameOf } from './json-schema.ts';
import { TEXTS } from './texts.ts';

/** Those of lists, without what changes the shape of the answer. */
function relatedParameters({ recordType, rules }: RelatedList, language: Language): readonly object[] {
  return inLanguage(
    listParameters({ recordType, rules }).filter(({ name }) => name !== 'sideloading'),
    language,
  );
}

/** What is not the same for every collection. */
export function furtherPaths({ recordTypes, inputs, language }: Describing, names: readonly string[]): Paths {
  const ok = (schema: Schema): object => ({
    200: { description: ANSWER_TEXTS.done[language], content: jsonContent(schema) },
  });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const get = (
    tag: string,
    operationId: string,
    schema: Schema,
    kinds: readonly ('400' | '401' | '403' | '404')[],
    parameters: readonly object[] = [],
  ): Record<string, unknown> => ({
    get: {
      operationId,
      tags: [tag],
      summary: TEXTS.related[language],
      parameters,
      responses: { ...ok(schema), ...failures(language, ...kinds) },
    },
  });
  const listOf = (schema: Schema): Schema => ({ type: 'array', items: schema });
  const record = (recordType: Parameters<typeof nameOf>[0]): Schema => reference(nameOf(recordType, recordTypes));
  const sideloaded = `Sideloaded${listName(resource.name)}`;
  const flagged: Schema = inputs.has(sideloaded)
    ? { anyOf: [reference(listName(resource.name)), reference(sideloaded)] }
    : reference(listName(resource.name));
  const listed = inLanguage(listParameters({ recordType: resource, rules: ownedItems.rules }), language);
  /** A bare list below an item, with the parameters of lists. */
  const below = (tag: string, name: string, list: RelatedList, kinds: readonly ('400' | '403' | '404')[]) =>
    get(tag, `${tag}_${name}`, listOf(record(list.recordType)), kinds, [id, ...relatedParameters(list, language)]);
  const addresses = Object.fromEntries(names.map((name) => [name, { type: 'string', format: 'uri' }]));
  return {
    '/api/v2/': {
      get: {
        operationId: 'root',
        tags: ['root'],
        summary: TEXTS.list[language],
        responses: ok({ type: 'object', properties: addresses, required: names, additionalProperties: false }),
      },
    },
    '/api/v2/resources/approved/': get('resources', 'resources_approved', flagged, ['400', '404'], listed),
    '/api/v2/resources/published/': get('resources', 'resources_published', flagged, ['400', '404'], listed),
    '/api/v2/resources/featured/': get('resources', 'resources_featured', flagged, ['400', '404'], listed),
    '/api/v2/resources/favorites/': get('resources', 'resources_favorites', flagged, ['400', '401', '404'], listed),
    '/api/v2/resources/followed/': get('resources', 'resources_followed', flagged, ['400', '401', '404'], listed),
    '/api/v2/resources/resource_types/': get(
      'resources',
      'resources_types',
      {
        type: 'object',
        properties: { resource_types: listOf({ type: 'string' }) },
        required: ['resource_types'],
        additionalProperties: false,
      },
      [],
    ),
    '/api/v2/resources/{id}/get_perms/': get(
      'resources',
      'resources_get_perms',
      reference('Permissions'),
      ['403', '404'],
      [id],
    ),
    '/api/v2/resources/{id}/set_perms/': {
      put: {
        operationId: 'resources_set_perms',
        tags: ['resources'],
        summary: TEXTS.replace[language],
        parameters: [id],
        requestBody: {
          required: true,
          content: jsonContent(reference('SentPermissions'), {
            everybody: { users: {}, groups: { anonymous: ['view_resourcebase'] } },
          }),
        },
        responses: { ...ok(reference('SentPermissions')), ...failures(language, '400', '403', '404') },
      },
    },
    '/api/v2/resources/{id}/delete/': {
      delete: {
        operationId: 'resources_delete_by_path',
        tags: ['resources'],
        summary: TEXTS.delete[language],
        parameters: [id],
        responses: {
          204: { description: ANSWER_TEXTS.done[language] },
          ...failures(language, '400', '401', '403', '404'),
        },
      },
    },
    '/api/v2/resources/{id}/views/': {
      post: {
        operationId: 'resources_count_view',
        tags: ['resources'],
        summary: TEXTS.create[language],
        parameters: [id],
        responses: { 204: { description: ANSWER_TEXTS.done[language] }, ...failures(language, '400', '404') },
      },
    },
    '/api/v2/resources/{id}/favorite/': {
      post: {
        operationId: 'resources_add_favorite',
        tags: ['resources'],
        summary: TEXTS.create[language],
        parameters: [id],
        responses: {
          201: {
            description: ANSWER_TEXTS.done[language],
            content: jsonContent({ type: 'object', additionalProperties: { type: 'string' } }),
          },
          ...failures(language, '400', '401', '404'),
        },
      },
      delete: {
        operationId: 'resources_remove_favorite',
        tags: ['resources'],
        summary: TEXTS.delete[language],
        parameters: [id],
        responses: {
          ...ok({ type: 'object', additionalProperties: { type: 'string' } }),
          ...failures(language, '400', '401', '404'),
        },
      },
    },
    '/api/v2/documents/{id}/linked_resources/': get(
      'documents',
      'documents_linked_resources',
      flagged,
      ['400', '404'],
      [id, ...listed],
    ),
    '/documents/{id}/download': {
      get: {
        operationId: 'documents_download',
        tags: ['documents'],
        summary: TEXTS.read[language],
        parameters: [id],
        responses: {
          200: {
            description: ANSWER_TEXTS.done[language],
            content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
          },
          302: { description: ANSWER_TEXTS.done[language] },
          ...failures(language, '401', '403', '404'),
        },
      },
    },
    '/documents/{id}/view': {
      get: {
        operationId: 'documents_view',
        tags: ['documents'],
        summary: TEXTS.read[language],
        parameters: [id],
        responses: {
          200: {
            description: ANSWER_TEXTS.done[language],
            content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
          },
          302: { description: ANSWER_TEXTS.done[language] },
          ...failures(language, '404'),
        },
      },
    },
    '/api/v2/maps/{id}/layers/': get('maps', 'maps_layers', listOf(record(mapLayer)), ['404'], [id]),
    '/api/v2/maps/{id}/local_layers/': below('maps', 'local_layers', localLayers, ['400', '404']),
    '/api/v2/groups/{id}/members/': below('groups', 'members', members, ['400', '403', '404']),
    '/api/v2/groups/{id}/managers/': below('groups', 'managers', managers, ['400', '403', '404']),
    '/api/v2/groups/{id}/resources/': below('groups', 'resources', itemsOfGroup, ['400', '403', '404']),
    '/api/v2/users/{id}/groups/': below('users', 'groups', groupsOfUser, ['400', '404']),
    '/api/v2/users/{id}/rules/': {
      get: {
        operationId: 'users_rules',
        tags: ['users'],
        summary: TEXTS.rules[language],
        parameters: [id],
        responses: {
          ...ok({
            type: 'object',
            properties: { rules: { ...listOf({ type: 'object' }), maxItems: 0 } },
            required: ['rules'],
            additionalProperties: false,
          }),
          ...failures(language, '401', '404'),
        },
      },
    },
    '/api/v2/users/{id}/resources/': below('users', 'resources', ownedItems, ['400', '404']),
  };
}
