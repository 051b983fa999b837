// `before` and `limit` of a list that is read from its newest entry on. Pure.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Parameter } from '../description/operation.ts';
import type { PortalError } from '../errors/portal-error.ts';

const MAX_LISTED = 100;
const USUALLY_LISTED = 20;

export const PAGE_PARAMETERS: readonly Parameter[] = [
  { name: 'before', in: 'query', schema: { type: 'integer', minimum: 1 } },
  {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LISTED, default: USUALLY_LISTED },
  },
];

export type PageQuery = { readonly before: string | null; readonly limit: string };

/** `digits`: as many as the ids of the list have. */
export function parsePageQuery(query: URLSearchParams, digits: 9 | 18): Result<PageQuery, PortalError> {
  const before = query.get('before');
  const limit = query.get('limit') ?? String(USUALLY_LISTED);
  const fields: Record<string, string[]> = {};
  if (before !== null && !(/^\d+$/.test(before) && before.length <= digits))
    fields['before'] = ['Must be the id of an entry of the list.'];
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LISTED)
    fields['limit'] = [`Must be a number from 1 to ${MAX_LISTED}.`];
  return Object.keys(fields).length > 0 ? err({ kind: 'invalid-fields', fields }) : ok({ before, limit });
}
