// The read-only lists of API v1 (`/api/base/`, `/api/layers/` …), described. Their records are those of API v2 in an older form, which is not
// described field by field: nothing new should be made for it.

import type { Described } from '../description/operation.ts';
import { arrayOf, orNull, record, type Schema, TEXT } from '../description/schema.ts';

const COUNT: Schema = { type: 'integer', minimum: 0 };
const RECORD: Schema = { type: 'object', additionalProperties: true };

const META: Readonly<Record<string, Schema>> = {
  limit: COUNT,
  offset: COUNT,
  total_count: COUNT,
  next: orNull(TEXT),
  previous: orNull(TEXT),
};
const IGNORED: Schema = { ...arrayOf(TEXT), description: 'Parameters that mean nothing here.' };

export function v1ListDescribed(path: string): Described {
  return {
    id: `v1_${path.split('/')[2]}_list`,
    tag: 'api-v1',
    summary: {
      en: 'The list in the form of API v1, for reading',
      de: 'Die Liste in der Form von API v1, zum Lesen',
    },
    parameters: [
      { name: 'limit', in: 'query', schema: { ...COUNT, example: 5 } },
      { name: 'offset', in: 'query', schema: COUNT },
      { name: 'order_by', in: 'query', schema: { ...TEXT, example: '-date' } },
      { name: 'q', in: 'query', schema: { ...TEXT, example: 'rivers' } },
    ],
    answers: {
      200: record({ meta: record({ ...META, ignored: IGNORED }, Object.keys(META)), objects: arrayOf(RECORD) }),
    },
    refusals: [400, 404],
  };
}

export function v1ItemDescribed(path: string): Described {
  return {
    id: `v1_${path.split('/')[2]}_read`,
    tag: 'api-v1',
    summary: { en: 'One record', de: 'Ein Datensatz' },
    answers: { 200: RECORD },
    refusals: [400, 404],
  };
}
