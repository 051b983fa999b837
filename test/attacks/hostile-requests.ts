// Random requests to the REST service that mean harm: pieces that mean something to SQL, URLs, JSON and C, in every position of the grammar.

import fc from 'fast-check';
import { tokenFor } from '../testkit/rest-client.ts';

/** Pieces that mean something to SQL, to the URL syntax, to JSON, to regular expressions, to C. */
// biome-ignore format: a table of words
const PIECES = [
  "'", '"', '\\', '`', '$$', '$1', ';', '--', '/*', '*/', '\0', '\n', '\r', '\t', ' ', '%', '%00', '%2', '%zz', '+',
  '(', ')', '[', ']', '{', '}', ',', '.', ':', '::', '->', '->>', '!', '!inner', '...', '*', '=', '&', '#', '?', '|', '<', '>', '@', '~', '^',
  'null', 'not', 'not.', 'and', 'or', 'eq', 'eq.', 'in.', 'in.(', 'is.null', 'fts(', 'like.', 'any', 'count()', '.sum()', 'asc', 'desc.nullsfirst',
  'id', 'items', 'clients', 'projects', 'client_id', 'test', 'pg_catalog', 'pg_sleep(10)', 'canary', 'request.jwt.claims',
  "';drop table test.canary;--", '";drop table test.canary;--', ') or 1=1 --', "' union select secret from test.authors_only --",
  "E'\\''", 'U&"\\0061"', '\\x27', '#{7*7}', '{{7*7}}', '../', '..%2f', '<script>', '\u2028', '\ufeff', '\u202e', '\ud800', '\udfff', 'é', '用户', '😀',
  '0', '-1', '1e400', '99999999999999999999999', 'NaN', 'Infinity', '-0', '0x1', '__proto__', 'constructor', 'toString', 'a'.repeat(300),
];

export const hostile: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

export type Shot = {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};
/** As it stands, or as a client would write it; lone surrogates have no other form than as they stand. */
export const written = (text: string, encoded: boolean): string => {
  if (!encoded) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
};

const query =
  (make: (text: string) => string) =>
  (text: string): Shot => ({ method: 'GET', target: make(text), headers: {} });
const header =
  (name: string) =>
  (text: string): Shot => ({ method: 'GET', target: '/clients?select=id,projects(id)', headers: { [name]: text } });

const JSON_BODY = { 'content-type': 'application/json' };
const asked =
  (make: (text: string) => unknown) =>
  (text: string): Shot => ({ method: 'QUERY', target: '/items', headers: JSON_BODY, body: make(text) });
const batched =
  (make: (text: string) => unknown) =>
  (text: string): Shot => ({ method: 'POST', target: '/batch', headers: JSON_BODY, body: make(text) });
export const POSITIONS: Readonly<Record<string, (text: string) => Shot>> = {
  path: query((t) => `/${t}`),
  'function path': query((t) => `/rpc/${t}`),
  query: query((t) => `/items?${t}`),
  'query of an embed': query((t) => `/clients?select=id,projects(id)&${t}`),
  select: query((t) => `/clients?select=${t}`),
  'select after a column': query((t) => `/clients?select=id,${t}`),
  'column in an embed': query((t) => `/clients?select=id,projects(${t})`),
  'quoted column': query((t) => `/clients?select="${t}"`),
  alias: query((t) => `/clients?select=${t}:id`),
  'quoted alias': query((t) => `/clients?select="${t}":id,"${t}":projects(id)`),
  'alias of an embed': query((t) => `/clients?select=${t}:projects(id)`),
  cast: query((t) => `/clients?select=id::${t}`),
  'cast of an aggregate': query((t) => `/clients?select=id.sum()::${t}`),
  aggregate: query((t) => `/clients?select=id.${t}()`),
  'JSON path': query((t) => `/jsonb_test?select=data->${t}`),
  'quoted JSON key': query((t) => `/jsonb_test?select=data->>"${t}"&data->"${t}"=is.null&order=data->>"${t}"`),
  hint: query((t) => `/projects?select=clients!${t}(id)`),
  'quoted hint': query((t) => `/projects?select=clients!"${t}"(id)`),
  embed: query((t) => `/projects?select=${t}(id)`),
  spread: query((t) => `/projects?select=...${t}(id)`),
  'filter key': query((t) => `/villagers?${t}=eq.1`),
  'quoted filter key': query((t) => `/villagers?"${t}"=eq.1`),
  'filter key of an embed': query((t) => `/clients?select=projects(id)&projects.${t}=eq.1`),
  filter: query((t) => `/villagers?first_name=${t}`),
  'negated filter': query((t) => `/villagers?first_name=not.${t}`),
  operator: query((t) => `/villagers?first_name=${t}.x`),
  value: query((t) => `/villagers?first_name=eq.${t}`),
  'value of a number': query((t) => `/items?id=eq.${t}`),
  'value of a pattern': query((t) => `/villagers?first_name=like.${t}`),
  'value of a regular expression': query((t) => `/chores?name=match.${t}`),
  'value of an array': query((t) => `/complex_items?arr_data=cs.${t}`),
  'value of a range': query((t) => `/ranges?range=ov.${t}`),
  'value of jsonb': query((t) => `/jsonb_test?data=cs.${t}`),
  'value of a search': query((t) => `/tsearch?text_search_vector=fts.${t}`),
  'value of a search on the web': query((t) => `/tsearch_to_tsvector?text_search=wfts(english).${t}`),
  language: query((t) => `/tsearch?text_search_vector=fts(${t}).x`),
  'in list': query((t) => `/villagers?first_name=in.(${t})`),
  'in list of numbers': query((t) => `/items?id=in.(1,${t})`),
  quantifier: query((t) => `/items?id=eq(${t}).{1}`),
  'quantified value': query((t) => `/villagers?first_name=like(any).${t}`),
  'is word': query((t) => `/chores?done=is.${t}`),
  group: query((t) => `/villagers?or=${t}`),
  'inside a group': query((t) => `/villagers?or=(${t})`),
  'value in a group': query((t) => `/villagers?or=(first_name.eq.${t},id.eq.1)`),
  'quoted value in a group': query((t) => `/villagers?or=(first_name.eq."${t}",id.eq.1)`),
  'nested group': query((t) => `/villagers?and=(id.gt.0,not.or(${t},id.eq.1))`),
  order: query((t) => `/clients?order=${t}`),
  'order after a column': query((t) => `/clients?order=id.${t}`),
  'quoted order': query((t) => `/clients?order="${t}".desc`),
  'related order': query((t) => `/projects?select=id,clients(id)&order=clients(${t})`),
  'order by distance': query((t) => `/clients?order=name.nearest(${t})`),
  having: query((t) => `/projects?select=client_id,count()&having=(${t})`),
  'aggregate in having': query((t) => `/projects?select=client_id&having=(${t}.gt.1)`),
  'filter of an aggregate': query((t) => `/projects?select=id.sum().filter(${t})`),
  distinct: query((t) => `/projects?distinct=${t}`),
  window: query((t) => `/projects?select=id,n:row_number().over(${t})`),
  'partition of a window': query((t) => `/projects?select=id.sum().over(partition(${t}),order(id))`),
  'function of a column': query((t) => `/clients?select=x:name.${t}`),
  'date part': query((t) => `/clients?select=x:name.part(${t})`),
  cursor: query((t) => `/items?order=id&limit=2&after=${t}`),
  'cursor of a function': query((t) => `/rpc/getallprojects?order=id&limit=2&after=${t}`),
  'cursor of a function by POST': (t) => ({
    method: 'POST',
    target: `/rpc/getallprojects?order=id&limit=2&after=${t}`,
    headers: JSON_BODY,
    body: {},
  }),
  'another column': query((t) => `/items?id=eq(col).${t}`),
  'operator with an argument': query((t) => `/villagers?first_name=similar(${t}).x`),
  geometry: query((t) => `/villagers?first_name=st_intersects.${t}`),
  'distance of a geometry': query((t) => `/villagers?first_name=st_dwithin(${t}).POINT(0%200)`),
  'question in a body': asked((t) => ({ select: t, order: t, limit: t })),
  'condition in a body': asked((t) => ({ [t]: t, id: `eq.${t}`, or: `(${t})` })),
  'request of a batch': batched((t) => [
    { method: 'GET', path: `/items?${t}` },
    { method: 'GET', path: t },
  ]),
  'reference in a batch': batched((t) => [
    { method: 'GET', path: '/items?limit=1', id: t },
    { method: 'GET', path: `/items?id=eq.$1.${t}` },
  ]),
  'header of a batch': batched((t) => [{ method: t, path: '/items', headers: { prefer: t, accept: t } }]),
  limit: query((t) => `/items?limit=${t}`),
  offset: query((t) => `/items?offset=${t}`),
  'limit of an embed': query((t) => `/clients?select=projects(id)&projects.limit=${t}&projects.offset=${t}`),
  columns: query((t) => `/items?columns=${t}`),
  on_conflict: query((t) => `/items?on_conflict=${t}`),
  argument: query((t) => `/rpc/sayhello?name=${t}`),
  'argument of a number': query((t) => `/rpc/add_them?a=1&b=${t}`),
  'argument of an array': query((t) => `/rpc/variadic_param?v=${t}`),
  'name of an argument': query((t) => `/rpc/sayhello?${t}=x`),
  range: header('range'),
  'range-unit': header('range-unit'),
  prefer: header('prefer'),
  'timezone preference': (t) => header('prefer')(`timezone=${t}`),
  'strict preference': (t) => header('prefer')(`handling=strict, ${t}`),
  accept: header('accept'),
  'plan accepted': (t) => header('accept')(`application/vnd.pgrst.plan+json; for="${t}"; options=${t}`),
  'accept-profile': header('accept-profile'),
  authorization: header('authorization'),
  token: (t) => header('authorization')(`Bearer ${t}`),
  'role of a token': (t) => header('authorization')(`Bearer ${tokenFor({ role: t })}`),
  'claim of a token': (t) => header('authorization')(`Bearer ${tokenFor({ role: 'rest_author', [t]: t })}`),
  cookie: header('cookie'),
  'any header': header('x-anything'),
  origin: header('origin'),
  method: (t) => ({ method: t, target: '/items', headers: {} }),
  head: (t) => ({ method: 'HEAD', target: `/villagers?first_name=${t}`, headers: {} }),
  options: (t) => ({ method: 'OPTIONS', target: `/${t}`, headers: {} }),
};
