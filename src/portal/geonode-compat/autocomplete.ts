// Completions as fields of GeoNode's forms and its map client ask for them: `?q=ri&page=1` → names of items, keywords, regions, words of
// thesauri, users and groups, of those that the caller sees.

import { ok } from '../../kernel/result.ts';
import { type ApiContext, type Handle, json } from '../operations/exchange.ts';
import { parseQueryParams } from '../query/query-params.ts';
import type { BuiltInCollections } from './compat-collections.ts';
import { findRecords } from './find-records.ts';

const PAGE = 10;
const MAX_PAGE = 1000;

type Source = { readonly collection: keyof BuiltInCollections; readonly field: string };

const SOURCES: Readonly<Record<string, Source>> = {
  '/base/autocomplete_response': { collection: 'resources', field: 'title' },
  '/base/autocomplete_hierachical_keyword': { collection: 'keywords', field: 'name' },
  '/base/autocomplete_region': { collection: 'regions', field: 'name' },
  '/base/thesaurus_autocomplete': { collection: 'tkeywords', field: 'name' },
  '/people/autocomplete': { collection: 'users', field: 'username' },
  '/groups/autocomplete': { collection: 'groups', field: 'title' },
};

export function autocomplete(context: ApiContext, path: string, collections: BuiltInCollections): Handle {
  const source = SOURCES[path];
  if (source === undefined) throw new Error(`nothing is said about ${path}`);
  const { field } = source;
  return async (exchange) => {
    const params = parseQueryParams(exchange.query);
    const asked = params.first('page') ?? '';
    const page = /^[1-9]\d{0,3}$/.test(asked) ? Math.min(Number(asked), MAX_PAGE) : 1;
    const q = params.first('q') ?? '';
    const query = new URLSearchParams({
      ...(q === '' ? {} : { [`filter{${field}.icontains}`]: q }),
      'sort[]': field,
      'exclude[]': '*',
    });
    for (const name of ['pk', field]) query.append('include[]', name);
    const window = { limit: PAGE, offset: (page - 1) * PAGE };
    const found = await findRecords(context, exchange, collections[source.collection], String(query), window);
    if (!found.ok) return found;
    const { total, records } = found.value;
    const results = records.map((record) => {
      const text = String(record[field]);
      return { id: String(record['pk']), text, selected_text: text };
    });
    return ok(json(200, { results, pagination: { more: page * PAGE < total } }));
  };
}
