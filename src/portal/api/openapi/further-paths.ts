// Lists of records that only one collection has: by flag, and what is related to an item.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, inLanguage, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { resource } from '../../kinds/item/fields.ts';
import { mapLayer } from '../../kinds/map/fields.ts';
import { groupsOfUser, itemsOfGroup, localLayers, managers, members, ownedItems } from '../../kinds/related.ts';
import { listParameters } from '../../operations/list-parameters.ts';
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
export function furtherPaths({ recordTypes, inputs, language }: Describing): Paths {
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
  return {
    '/api/v2/resources/approved/': get('resources', 'resources_approved', flagged, ['400', '404'], listed),
    '/api/v2/resources/published/': get('resources', 'resources_published', flagged, ['400', '404'], listed),
    '/api/v2/resources/featured/': get('resources', 'resources_featured', flagged, ['400', '404'], listed),
    '/api/v2/resources/favorites/': get('resources', 'resources_favorites', flagged, ['400', '401', '404'], listed),
    '/api/v2/resources/followed/': get('resources', 'resources_followed', flagged, ['400', '401', '404'], listed),
    '/api/v2/documents/{id}/linked_resources/': get(
      'documents',
      'documents_linked_resources',
      flagged,
      ['400', '404'],
      [id, ...listed],
    ),
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
