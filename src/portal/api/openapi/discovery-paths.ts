// The catalogue services in the OpenAPI document: OGC API Records, STAC, CSW, DCAT, the sitemap; and the services by parameters, whose answers
// their own capabilities describe.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import { TEXTS } from './texts.ts';

const TEXT: Schema = { type: 'string' };
const TEXTS_LIST: Schema = { type: 'array', items: TEXT };
const OBJECT: Schema = { type: 'object', additionalProperties: true };

const LINK: Schema = {
  type: 'object',
  properties: {
    href: TEXT,
    rel: TEXT,
    type: TEXT,
    title: TEXT,
    method: TEXT,
    body: OBJECT,
    merge: { type: 'boolean' },
  },
  required: ['href', 'rel'],
  additionalProperties: false,
};
const LINKS: Schema = { type: 'array', items: LINK };

const LANDING: Schema = {
  type: 'object',
  properties: { title: TEXT, description: TEXT, links: LINKS },
  required: ['title', 'description', 'links'],
  additionalProperties: true,
};
const CONFORMANCE: Schema = {
  type: 'object',
  properties: { conformsTo: TEXTS_LIST },
  required: ['conformsTo'],
  additionalProperties: false,
};
const COLLECTION: Schema = {
  type: 'object',
  properties: { id: TEXT, type: TEXT, title: TEXT, description: TEXT, links: LINKS },
  required: ['id', 'links'],
  additionalProperties: true,
};
const COLLECTIONS: Schema = {
  type: 'object',
  properties: { collections: { type: 'array', items: COLLECTION }, links: LINKS },
  required: ['collections', 'links'],
  additionalProperties: false,
};
const RECORD: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    type: { type: 'string', enum: ['Feature'] },
    geometry: { type: 'object', nullable: true, additionalProperties: true },
    properties: OBJECT,
    links: LINKS,
  },
  required: ['id', 'type', 'geometry', 'properties', 'links'],
  additionalProperties: true,
};
const RECORDS: Schema = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['FeatureCollection'] },
    features: { type: 'array', items: RECORD },
    links: LINKS,
    numberMatched: { type: 'integer', minimum: 0 },
    numberReturned: { type: 'integer', minimum: 0 },
    timeStamp: { type: 'string', format: 'date-time' },
  },
  required: ['type', 'features', 'links', 'numberMatched', 'numberReturned'],
  additionalProperties: false,
};

const GEOJSON = 'application/geo+json';
const XML = 'application/xml';

const parameter = (name: string, description: string, schema: Schema): object => ({
  name,
  in: 'query',
  description,
  schema,
  style: 'form',
  explode: false,
});
const LIMIT = parameter('limit', 'Records at once.', { type: 'integer', minimum: 1, maximum: 1000, default: 10 });
const OFFSET = parameter('offset', 'Records to leave out; as in the links to further pages.', {
  type: 'integer',
  minimum: 0,
});
const BOX = parameter('bbox', 'West, south, east, north, in degrees.', {
  type: 'array',
  items: { type: 'number' },
  minItems: 4,
  maxItems: 6,
});
const WHEN = parameter('datetime', 'A date or time, or two with a slash; `..` is an open end.', TEXT);
const IDS = parameter('ids', 'Uuids of items.', TEXTS_LIST);
const FORMAT = parameter('f', 'Anything: the answer is GeoJSON.', TEXT);

export function discoveryPaths(language: Language): Paths {
  const inPath = (name: string): object => ({ name, in: 'path', required: true, schema: TEXT });
  const read = (
    operationId: string,
    content: object,
    kinds: readonly ('400' | '404')[] = [],
    parameters: readonly object[] = [],
  ): Record<string, unknown> => ({
    get: {
      operationId,
      tags: ['catalogue'],
      summary: TEXTS.catalogueService[language],
      parameters,
      responses: { 200: { description: ANSWER_TEXTS.done[language], content }, ...failures(language, ...kinds) },
    },
  });
  const json = (
    operationId: string,
    schema: Schema,
    kinds: readonly ('400' | '404')[] = [],
    more: readonly object[] = [],
  ) => read(operationId, jsonContent(schema), kinds, more);
  const geojson = (schema: Schema): object => ({ [GEOJSON]: { schema } });
  const searchBody = {
    requestBody: {
      content: jsonContent({
        type: 'object',
        properties: {
          bbox: { type: 'array', items: { type: 'number' } },
          intersects: OBJECT,
          datetime: TEXT,
          ids: TEXTS_LIST,
          collections: TEXTS_LIST,
          limit: { type: 'integer', minimum: 1 },
        },
        additionalProperties: false,
      }),
    },
  };
  const place = parameter('intersects', 'A geometry in GeoJSON, instead of a box.', TEXT);
  const stacList = [
    BOX,
    place,
    WHEN,
    IDS,
    parameter('collections', 'There is one: `rasters`.', TEXTS_LIST),
    LIMIT,
    OFFSET,
  ];
  const search = read('stac_search', geojson(RECORDS), ['400'], stacList);
  return {
    '/records': json('records_landing', LANDING),
    '/records/conformance': json('records_conformance', CONFORMANCE),
    '/records/collections': json('records_collections', COLLECTIONS),
    '/records/collections/{catalogue}': json('records_collection', COLLECTION, ['404'], [inPath('catalogue')]),
    '/records/collections/{catalogue}/items': read(
      'records_items',
      geojson(RECORDS),
      ['400', '404'],
      [
        inPath('catalogue'),
        FORMAT,
        parameter('q', 'Words that all have to be in title, abstract or keywords.', TEXT),
        BOX,
        WHEN,
        parameter('type', 'Kinds of items: `dataset`, `map`, `document`, `geoapp`, `geostory`.', TEXTS_LIST),
        IDS,
        LIMIT,
        OFFSET,
      ],
    ),
    '/records/collections/{catalogue}/queryables': read(
      'records_queryables',
      { 'application/schema+json': { schema: OBJECT } },
      ['404'],
      [inPath('catalogue')],
    ),
    '/records/collections/{catalogue}/items/{id}': read(
      'records_item',
      geojson(RECORD),
      ['404'],
      [inPath('catalogue'), inPath('id')],
    ),
    '/stac': json('stac_catalog', LANDING),
    '/stac/conformance': json('stac_conformance', CONFORMANCE),
    '/stac/collections': json('stac_collections', COLLECTIONS),
    '/stac/collections/{collection}': json('stac_collection', COLLECTION, ['404'], [inPath('collection')]),
    '/stac/collections/{collection}/items': read(
      'stac_items',
      geojson(RECORDS),
      ['400', '404'],
      [inPath('collection'), ...stacList],
    ),
    '/stac/collections/{collection}/items/{id}': read(
      'stac_item',
      geojson(RECORD),
      ['404'],
      [inPath('collection'), inPath('id')],
    ),
    '/stac/search': {
      ...search,
      post: { ...(search['get'] as object), operationId: 'stac_search_by_post', parameters: [], ...searchBody },
    },
    '/dcat/catalog.jsonld': read(
      'dcat_catalog',
      { 'application/ld+json': { schema: OBJECT } },
      ['400'],
      [parameter('page', TEXTS.page[language], { type: 'integer', minimum: 1 })],
    ),
    '/sitemap.xml': read('sitemap', { [XML]: { schema: TEXT } }),
    '/csw': byParameters('csw', 'CSW', ['2.0.2'], XML, language),
    '/wcs': byParameters('wcs', 'WCS', ['2.0.1', '1.1.2', '1.1.1', '1.1.0', '1.0.0'], 'text/xml', language),
  };
}

/** A service of OGC that is asked by parameters or in XML: it describes itself in its capabilities. */
function byParameters(
  operationId: string,
  service: string,
  versions: readonly string[],
  type: string,
  language: Language,
): Record<string, unknown> {
  const report = { content: { [type]: { schema: TEXT } } };
  const common = {
    tags: ['catalogue'],
    summary: TEXTS.byParameters[language],
    responses: {
      200: { description: ANSWER_TEXTS.done[language], content: { [type]: { schema: TEXT } } },
      400: { description: ANSWER_TEXTS.wrong[language], ...report },
      413: { description: TEXTS.tooLarge[language], ...report },
      501: { description: ANSWER_TEXTS.wrong[language], ...report },
    },
  };
  return {
    get: {
      ...common,
      operationId,
      parameters: [
        parameter('service', 'The service.', { type: 'string', enum: [service] }),
        parameter('version', 'Its version.', { type: 'string', enum: versions }),
        parameter(
          'request',
          'The operation, such as GetCapabilities, which lists the others and their parameters.',
          TEXT,
        ),
      ],
    },
    post: {
      ...common,
      operationId: `${operationId}_by_post`,
      requestBody: {
        content: { 'application/xml': { schema: TEXT }, 'application/x-www-form-urlencoded': { schema: OBJECT } },
      },
    },
  };
}
