// What the catalogue services say of themselves: OGC API Records, STAC, CSW, DCAT, the sitemap.

import type { Text } from '../description/language.ts';
import { ANSWER_TEXTS, type Described, jsonContent, type Parameter } from '../description/operation.ts';
import type { Schema } from '../description/schema.ts';

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

const SUMMARY: Text = {
  en: 'The catalogue, for programs that search catalogues',
  de: 'Der Katalog, für Programme, die Kataloge durchsuchen',
};
const BY_PARAMETERS: Text = {
  en: 'A service of OGC by parameters or in XML; its capabilities describe it',
  de: 'Ein Dienst des OGC über Parameter oder in XML; seine Capabilities beschreiben ihn',
};
const TOO_LARGE: Text = { en: 'More than is taken.', de: 'Mehr, als angenommen wird.' };

const parameter = (name: string, description: string | Text, schema: Schema): Parameter => ({
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

const inPath = (...names: readonly string[]): readonly Parameter[] =>
  names.map((name) => ({ name, in: 'path', schema: TEXT }));

type ByParameters = { readonly get: Described; readonly post: Described };
type More = Pick<Described, 'parameters' | 'refusals' | 'sent'>;

const read = (id: string, content: Schema, more: More = {}): Described => ({
  id,
  tag: 'catalogue',
  summary: SUMMARY,
  answers: { 200: undefined },
  contents: { 200: content },
  ...more,
});
const json = (id: string, schema: Schema, more?: More): Described => read(id, jsonContent(schema), more);
const geojson = (id: string, schema: Schema, more: More): Described => read(id, { [GEOJSON]: { schema } }, more);

const STAC_LIST: readonly Parameter[] = [
  BOX,
  parameter('intersects', 'A geometry in GeoJSON, instead of a box.', TEXT),
  WHEN,
  IDS,
  parameter('collections', 'There is one: `rasters`.', TEXTS_LIST),
  LIMIT,
  OFFSET,
];

const SEARCH_BODY: Schema = {
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
};

export const RECORDS_DESCRIBED: Readonly<
  Record<'landing' | 'conformance' | 'collections' | 'collection' | 'items' | 'queryables' | 'item', Described>
> = {
  landing: json('records_landing', LANDING),
  conformance: json('records_conformance', CONFORMANCE),
  collections: json('records_collections', COLLECTIONS),
  collection: json('records_collection', COLLECTION, { refusals: [404], parameters: inPath('catalogue') }),
  items: geojson('records_items', RECORDS, {
    refusals: [400, 404],
    parameters: [
      ...inPath('catalogue'),
      FORMAT,
      parameter('q', 'Words that all have to be in title, abstract or keywords.', TEXT),
      BOX,
      WHEN,
      parameter('type', 'Kinds of items: `dataset`, `map`, `document`, `geoapp`, `geostory`.', TEXTS_LIST),
      IDS,
      LIMIT,
      OFFSET,
    ],
  }),
  queryables: read(
    'records_queryables',
    { 'application/schema+json': { schema: OBJECT } },
    { refusals: [404], parameters: inPath('catalogue') },
  ),
  item: geojson('records_item', RECORD, { refusals: [404], parameters: inPath('catalogue', 'id') }),
};

export const STAC_DESCRIBED: Readonly<
  Record<
    'catalog' | 'conformance' | 'collections' | 'collection' | 'items' | 'item' | 'search' | 'searchByPost',
    Described
  >
> = {
  catalog: json('stac_catalog', LANDING),
  conformance: json('stac_conformance', CONFORMANCE),
  collections: json('stac_collections', COLLECTIONS),
  collection: json('stac_collection', COLLECTION, { refusals: [404], parameters: inPath('collection') }),
  items: geojson('stac_items', RECORDS, { refusals: [400, 404], parameters: [...inPath('collection'), ...STAC_LIST] }),
  item: geojson('stac_item', RECORD, { refusals: [404], parameters: inPath('collection', 'id') }),
  search: geojson('stac_search', RECORDS, { refusals: [400], parameters: STAC_LIST }),
  searchByPost: geojson('stac_search_by_post', RECORDS, {
    refusals: [400],
    sent: { content: jsonContent(SEARCH_BODY) },
  }),
};

export const DCAT_DESCRIBED: Described = read(
  'dcat_catalog',
  { 'application/ld+json': { schema: OBJECT } },
  {
    refusals: [400],
    parameters: [
      parameter(
        'page',
        { en: 'Number of the page, from 1.', de: 'Nummer der Seite, ab 1.' },
        { type: 'integer', minimum: 1 },
      ),
    ],
  },
);

export const SITEMAP_DESCRIBED: Described = read('sitemap', { 'application/xml': { schema: TEXT } });

export const CSW_DESCRIBED: ByParameters = byParameters('csw', 'CSW', ['2.0.2'], 'application/xml');

/** A service of OGC that is asked by parameters or in XML: it describes itself in its capabilities. */
export function byParameters(id: string, service: string, versions: readonly string[], type: string): ByParameters {
  const content: Schema = { [type]: { schema: TEXT } };
  const common = {
    tag: 'catalogue',
    summary: BY_PARAMETERS,
    answers: { 200: undefined },
    contents: { 200: content, 400: content, 413: content, 501: content },
    says: { 400: ANSWER_TEXTS.wrong, 413: TOO_LARGE, 501: ANSWER_TEXTS.wrong },
  };
  return {
    get: {
      ...common,
      id,
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
      id: `${id}_by_post`,
      sent: {
        content: { 'application/xml': { schema: TEXT }, 'application/x-www-form-urlencoded': { schema: OBJECT } },
      },
    },
  };
}
