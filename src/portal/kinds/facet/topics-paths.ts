// `/api/v2/facets` and `/api/v2/facets/{name}`: what the catalogue can be narrowed by, as newer clients ask for it. The filters of lists narrow
// the counts; thesauri are facets of their own.

import type { FastifyInstance } from 'fastify';
import { queryPairs } from '../../../http/query-pairs.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { Collection } from '../../operations/collection.ts';
import { type Answer, type ApiContext, asRoute, type Exchange, json } from '../../operations/exchange.ts';
import { planOf, readFailure, withFreshPlan, withTimeLimit } from '../../operations/read.ts';
import { pathPart } from '../../operations/register-collection.ts';
import { parseCatalogueQuery } from '../../query/catalogue-query.ts';
import { FACETS } from '../../query/facets.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../query/paging.ts';
import { isOn, parseQueryParams, type QueryParams } from '../../query/query-params.ts';
import { type TopicQuery, type TopicSource, topicsSql } from './facet-topics.ts';
import { ALL_FACETS, ONE_FACET } from './facets-described.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
type Language = (typeof LANGUAGES)[number];

type Face = {
  readonly name: string;
  readonly type: string;
  readonly label: Readonly<Record<Language, string>>;
  readonly filter: string;
  readonly order: number;
  readonly source: TopicSource;
};

const byField = (name: (typeof FACETS)[number]['name']): Pick<Face, 'filter' | 'source'> => ({
  filter: `filter{${FACETS.find((facet) => facet.name === name)?.by ?? name}.in}`,
  source: { kind: 'field', name },
});

/** The names and types that clients know; what they filter by is ours. */
const FACES: readonly Face[] = [
  {
    name: 'resourcetype',
    type: 'resourcetypes',
    label: { en: 'Resource type', de: 'Art', fr: 'Type de ressource', es: 'Tipo de recurso' },
    order: 0,
    ...byField('resource_type'),
  },
  {
    name: 'category',
    type: 'category',
    label: { en: 'Category', de: 'Kategorie', fr: 'Catégorie', es: 'Categoría' },
    order: 1,
    ...byField('category'),
  },
  {
    name: 'keyword',
    type: 'keyword',
    label: { en: 'Keyword', de: 'Schlagwort', fr: 'Mot-clé', es: 'Palabra clave' },
    order: 2,
    ...byField('keywords'),
  },
  {
    name: 'region',
    type: 'place',
    label: { en: 'Region', de: 'Region', fr: 'Région', es: 'Región' },
    order: 3,
    ...byField('regions'),
  },
  {
    name: 'owner',
    type: 'user',
    label: { en: 'Owner', de: 'Eigentümer', fr: 'Propriétaire', es: 'Propietario' },
    order: 4,
    ...byField('owner'),
  },
  {
    name: 'group',
    type: 'group',
    label: { en: 'Group', de: 'Gruppe', fr: 'Groupe', es: 'Grupo' },
    order: 5,
    filter: 'filter{group.in}',
    source: { kind: 'group' },
  },
  {
    name: 'freshness',
    type: 'freshness',
    label: { en: 'Freshness', de: 'Aktualität', fr: 'Actualité', es: 'Actualidad' },
    order: 6,
    filter: 'filter{freshness.in}',
    source: { kind: 'freshness' },
  },
];

/** As many thesauri as people look at. */
const MAX_THESAURI = 50;
const MAX_KEYS = 100;
const MAX_CONTAINED = 200;

/** Parameters that are about topics and not about items. */
const OWN: ReadonlySet<string> = new Set([
  'page',
  'page_size',
  'include_topics',
  'include_config',
  'add_links',
  'topic_contains',
  'key',
  'lang',
]);

export function registerFacetsPaths(app: FastifyInstance, context: ApiContext, resources: Collection): void {
  app.get(
    '/api/v2/facets',
    described(ALL_FACETS),
    asRoute(context, (exchange) => readFacets(context, exchange, resources, undefined)),
  );
  app.get(
    '/api/v2/facets/:name',
    described(ONE_FACET),
    asRoute(context, (exchange) => readFacets(context, exchange, resources, pathPart(exchange, 'name'))),
  );
}

async function readFacets(
  { db }: ApiContext,
  exchange: Exchange,
  resources: Collection,
  name: string | undefined,
): Promise<Result<Answer, PortalError>> {
  const params = parseQueryParams(exchange.query);
  const asked = topicQuery(params);
  if (!asked.ok) return asked;
  const query = parseCatalogueQuery(itemQuery(exchange.query), resources.rules);
  if (!query.ok) return query;
  const thesauri = await db.read(exchange.caller, exchange.info, [
    {
      text: `select id, identifier, title, position from portal.thesaurus where facet order by position, identifier limit ${MAX_THESAURI}`,
      params: [],
      name: 'portal_facet_thesauri',
    },
  ]);
  if (!thesauri.ok) return err({ kind: 'database', error: thesauri.error });
  const faces = [...FACES, ...(thesauri.value[0]?.rows ?? []).map((row) => thesaurusFace(row.map(String)))];
  const chosen = name === undefined ? faces : faces.filter((face) => face.name === name);
  if (chosen.length === 0) return err({ kind: 'not-found' });
  const { page, pageSize, language } = asked.value;
  const shown = chosen.map((face) =>
    describe(face, exchange.base, LANGUAGES.find((known) => known === language) ?? 'en', params),
  );
  const withTopics = name !== undefined || isOn(params.first('include_topics'));
  if (!withTopics) return ok(json(200, { facets: shown }));
  const plan = planOf(resources, query.value, exchange);
  const statements = chosen.map(({ source }) => exchange.statement(topicsSql(plan, source, asked.value)));
  const executed = await db.read(exchange.caller, exchange.info, withTimeLimit(query.value, withFreshPlan(statements)));
  if (!executed.ok) return err(readFailure(executed.error, query.value));
  const results = executed.value.slice(-statements.length);
  const whole = shown.map((face, at) => {
    const [total, items] = results[at]?.rows[0] ?? [];
    return {
      ...face,
      topics: {
        page,
        page_size: pageSize,
        start: page * pageSize,
        total: Number(total?.toString() ?? 0),
        items: JSON.parse(items?.toString() ?? '[]') as unknown,
      },
    };
  });
  return ok(json(200, name === undefined ? { facets: whole } : whole[0]));
}

/** A thesaurus whose name is that of another facet comes second. */
function thesaurusFace([id = '', identifier = '', title = '', position = '0']: readonly string[]): Face {
  return {
    name: identifier,
    type: 'thesaurus',
    label: { en: title, de: title, fr: title, es: title },
    filter: 'filter{tkeywords}',
    order: FACES.length + Number(position),
    source: { kind: 'thesaurus', id: Number(id) },
  };
}

function describe(face: Face, base: string, language: Language, params: QueryParams): Record<string, unknown> {
  const { name, type, label, filter, order } = face;
  return {
    name,
    key: filter,
    filter,
    label: label[language],
    is_localized: false,
    type,
    hierarchical: false,
    order,
    link: `${base}/api/v2/facets/${encodeURIComponent(name)}`,
    ...(isOn(params.first('include_config')) ? { config: { type: 'select', order } } : {}),
  };
}

/** Pages begin with 0 here, unlike those of lists: so do clients count them. */
function topicQuery(params: QueryParams): Result<TopicQuery, PortalError> {
  const number = (name: string, usual: number, max: number): number | undefined => {
    const text = params.first(name) ?? String(usual);
    return /^\d{1,9}$/.test(text) ? Math.min(Number(text), max) : undefined;
  };
  const page = number('page', 0, 1_000_000);
  const pageSize = number('page_size', DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  if (page === undefined) return wrong('"page" is a whole number, from 0.');
  if (pageSize === undefined || pageSize === 0) return wrong('"page_size" is a whole number, from 1.');
  const contains = params.first('topic_contains');
  if (contains !== undefined && contains.length > MAX_CONTAINED)
    return wrong(`"topic_contains" has ${MAX_CONTAINED} characters at most.`);
  const keys = params.all('key');
  if (keys.length > MAX_KEYS) return wrong(`"key" can be repeated ${MAX_KEYS} times at most.`);
  const [language = 'en'] = (params.first('lang') ?? 'en').toLowerCase().split(/[-_]/, 1);
  return ok({
    page,
    pageSize,
    contains: contains === undefined || contains === '' ? undefined : contains,
    keys,
    language: language.slice(0, 20),
  });
}

function wrong(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-request', messages: [message] });
}

/** What of the query is about items. */
function itemQuery(query: string): string {
  const left = new URLSearchParams();
  for (const [name, value] of queryPairs(query)) if (!OWN.has(name)) left.append(name, value);
  return left.toString();
}
