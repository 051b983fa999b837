// The parameters `filter` and `filter-lang` of any service that is asked for some features → a filter, or what is wrong with it. Pure.

import type { Filter } from '../geo/cql/cql.ts';
import { parseCqlJsonText } from '../geo/cql/cql-json.ts';
import { parseCqlText } from '../geo/cql/cql-text.ts';
import { err, ok, type Result } from '../kernel/result.ts';

/** `said`: as it came. Whoever says the same is shown the same. */
export type SaidFilter = { readonly said: string; readonly filter: Filter };

type Refusal = { readonly kind: 'bad-request'; readonly detail: string };

export function parseFilter(
  text: string | undefined,
  language: string | undefined,
): Result<Filter | undefined, Refusal> {
  if (text === undefined) return ok(undefined);
  const lang = language ?? (text.trimStart().startsWith('{') ? 'cql2-json' : 'cql2-text');
  if (lang !== 'cql2-text' && lang !== 'cql2-json')
    return err({ kind: 'bad-request', detail: 'filter-lang is cql2-text or cql2-json.' });
  const filter = lang === 'cql2-text' ? parseCqlText(text) : parseCqlJsonText(text);
  return filter.ok ? filter : err({ kind: 'bad-request', detail: `filter: ${filter.error.said}.` });
}

/** Of the parameters of an address, where they are not yet known to be texts. */
export function filterInQuery(query: Readonly<Record<string, unknown>>): Result<SaidFilter | undefined, Refusal> {
  const { filter: said, 'filter-lang': language } = query;
  if (said === undefined) return ok(undefined);
  if (typeof said !== 'string' || (language !== undefined && typeof language !== 'string'))
    return err({ kind: 'bad-request', detail: 'There is one filter.' });
  const filter = parseFilter(said, language);
  if (!filter.ok) return filter;
  return ok(filter.value === undefined ? undefined : { said: `${language ?? ''} ${said}`, filter: filter.value });
}
