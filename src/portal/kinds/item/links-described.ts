// What links between items say of themselves.

import { tagOf } from '../../description/described-route.ts';
import type { Text } from '../../description/language.ts';
import type { Described } from '../../description/operation.ts';
import { reference, type Schema, TEXT } from '../../description/schema.ts';

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

const change = (id: string, tag: string, summary: Text, status: 200 | 201): Described => ({
  id,
  tag,
  summary,
  body: TARGET,
  answers: { [status]: reference('ChangedLinks') },
  refusals: [400, 401, 403, 404],
  components: { ChangedLinks: CHANGED_LINKS },
});

export function linksDescribed(path: string): Readonly<Record<'get' | 'post' | 'delete', Described>> {
  const tag = tagOf(path);
  return {
    get: {
      id: `${tag}_linked`,
      tag,
      summary: {
        en: 'Items that it is linked to, and that are linked to it',
        de: 'Einträge, mit denen es verknüpft ist',
      },
      answers: { 200: reference('LinkedResources') },
      refusals: [400, 404],
      components: { LinkedResources: LINKED },
    },
    post: change(`${tag}_link`, tag, { en: 'Link it to other items', de: 'Mit anderen Einträgen verknüpfen' }, 201),
    delete: change(`${tag}_unlink`, tag, { en: 'Take links away', de: 'Verknüpfungen lösen' }, 200),
  };
}
