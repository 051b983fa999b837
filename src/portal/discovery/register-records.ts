// OGC API Records at `/records`: the catalogue as GeoJSON records, with search by words, box, time, type and id.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import { METADATA_FORMATS } from '../metadata/metadata-formats.ts';
import { freshnessProperties, type MetadataRecord } from '../metadata/metadata-record.ts';
import { type Answer, type ApiContext, asRoute } from '../operations/exchange.ts';
import { pathPart } from '../operations/register-collection.ts';
import { RECORDS_DESCRIBED } from './discovery-described.ts';
import type { RecordSource } from './find-records.ts';
import { pageLinks, readListParams, toRecordQuery } from './list-params.ts';

const CATALOGUE = 'catalogue';
const GEOJSON = 'application/geo+json';

const CONFORMANCE: readonly string[] = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/json',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core',
  'http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-collection',
  'http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core-query-parameters',
  'http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-api',
  'http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/json',
];

const PARAMETERS: readonly string[] = ['f', 'q', 'bbox', 'datetime', 'type', 'ids', 'limit', 'offset'];

export function registerRecords(app: FastifyInstance, context: ApiContext, find: RecordSource): void {
  app.get(
    '/records',
    described(RECORDS_DESCRIBED.landing),
    asRoute(context, async ({ base }) => {
      const root = `${base}/records`;
      const link = (rel: string, href: string, title: string, type = 'application/json'): unknown => ({
        rel,
        type,
        title,
        href,
      });
      return ok(
        answer({
          title: 'Catalogue',
          description: 'Records of everything in the portal that the caller sees.',
          links: [
            link('self', root, 'This document'),
            link('conformance', `${root}/conformance`, 'What this API conforms to'),
            link('data', `${root}/collections`, 'The catalogues'),
            link(
              'service-desc',
              `${base}/api/v2/schema/`,
              'The description of the portal',
              'application/vnd.oai.openapi+json;version=3.0',
            ),
          ],
        }),
      );
    }),
  );
  app.get(
    '/records/conformance',
    described(RECORDS_DESCRIBED.conformance),
    asRoute(context, async () => ok(answer({ conformsTo: CONFORMANCE }))),
  );
  app.get(
    '/records/collections',
    described(RECORDS_DESCRIBED.collections),
    asRoute(context, async ({ base }) =>
      ok(
        answer({
          links: [{ rel: 'self', type: 'application/json', href: `${base}/records/collections` }],
          collections: [catalogue(base)],
        }),
      ),
    ),
  );
  app.get(
    '/records/collections/:catalogue',
    described(RECORDS_DESCRIBED.collection),
    asRoute(context, async (exchange) =>
      pathPart(exchange, 'catalogue') === CATALOGUE ? ok(answer(catalogue(exchange.base))) : err({ kind: 'not-found' }),
    ),
  );
  app.get(
    '/records/collections/:catalogue/queryables',
    described(RECORDS_DESCRIBED.queryables),
    asRoute(context, async (exchange) => {
      if (pathPart(exchange, 'catalogue') !== CATALOGUE) return err({ kind: 'not-found' });
      return ok(answer(queryables(exchange.base), 'application/schema+json'));
    }),
  );
  app.get(
    '/records/collections/:catalogue/items',
    described(RECORDS_DESCRIBED.items),
    asRoute(context, async (exchange) => {
      if (pathPart(exchange, 'catalogue') !== CATALOGUE) return err({ kind: 'not-found' });
      const params = readListParams(exchange.query, PARAMETERS);
      if (!params.ok) return params;
      const query = toRecordQuery(params.value);
      if (!query.ok) return query;
      const found = await find(exchange, query.value);
      if (!found.ok) return found;
      const { total, records } = found.value;
      const address = `${itemsOf(exchange.base)}`;
      return ok(
        answer(
          {
            type: 'FeatureCollection',
            numberMatched: total,
            numberReturned: records.length,
            timeStamp: new Date(context.clock.now()).toISOString(),
            features: records.map((record) => recordFeature(record, exchange.base)),
            links: pageLinks(address, params.value, query.value, total, GEOJSON),
          },
          GEOJSON,
        ),
      );
    }),
  );
  app.get(
    '/records/collections/:catalogue/items/:id',
    described(RECORDS_DESCRIBED.item),
    asRoute(context, async (exchange) => {
      if (pathPart(exchange, 'catalogue') !== CATALOGUE) return err({ kind: 'not-found' });
      const found = await find(exchange, { uuids: [pathPart(exchange, 'id')], offset: 0, limit: 1 });
      if (!found.ok) return found;
      const [record] = found.value.records;
      return record === undefined
        ? err({ kind: 'not-found' })
        : ok(answer(recordFeature(record, exchange.base), GEOJSON));
    }),
  );
}

function itemsOf(base: string): string {
  return `${base}/records/collections/${CATALOGUE}/items`;
}

function catalogue(base: string): unknown {
  const address = `${base}/records/collections/${CATALOGUE}`;
  return {
    id: CATALOGUE,
    type: 'Catalog',
    title: 'Catalogue',
    description: 'Layers, maps, documents, apps and stories that the caller sees.',
    itemType: 'record',
    links: [
      { rel: 'self', type: 'application/json', href: address },
      { rel: 'items', type: GEOJSON, title: 'The records', href: `${address}/items` },
      {
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
        type: 'application/schema+json',
        title: 'What the records can be asked by',
        href: `${address}/queryables`,
      },
    ],
  };
}

/** What the parameters of a list ask by. */
function queryables(base: string): unknown {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${base}/records/collections/${CATALOGUE}/queryables`,
    type: 'object',
    title: 'Catalogue',
    properties: {
      q: { title: 'Words of the title, the description or the keywords', type: 'string' },
      bbox: { title: 'Bounding box', 'x-ogc-role': 'primary-geometry', format: 'geometry-polygon' },
      datetime: { title: 'Time of the data', 'x-ogc-role': 'primary-instant', type: 'string', format: 'date-time' },
      type: { title: 'Kind of item', type: 'string', enum: ['dataset', 'map', 'document', 'geoapp', 'geostory'] },
      ids: { title: 'Id', 'x-ogc-role': 'id', type: 'string', format: 'uuid' },
    },
    additionalProperties: false,
  };
}

function recordFeature(record: MetadataRecord, base: string): Readonly<Record<string, unknown>> {
  const { extent, period } = record;
  return {
    id: record.uuid,
    type: 'Feature',
    conformsTo: ['http://www.opengis.net/spec/ogcapi-records-1/1.0/conf/record-core'],
    time: period === undefined ? null : { interval: [period.start ?? '..', period.end ?? '..'] },
    geometry: extent === undefined ? null : polygonOf(extent),
    properties: {
      type: record.type === 'layer' ? 'dataset' : record.type,
      title: record.title,
      description: record.abstract,
      keywords: record.keywords,
      ...(record.category === undefined
        ? {}
        : {
            themes: [
              {
                concepts: [{ id: record.category }],
                scheme: 'https://standards.iso.org/iso/19115/resources/Codelists',
              },
            ],
          }),
      language: { code: record.language },
      created: record.created,
      updated: record.updated,
      ...freshnessProperties(record),
      contacts: record.contacts.map(({ role, name }) => ({ name, roles: [role] })),
      formats: [...new Set(record.links.filter(({ type }) => type === 'data').map(({ mime }) => mime))].map(
        (mediaType) => ({ mediaType }),
      ),
      ...(record.license === undefined ? {} : { license: record.license.url ?? record.license.name }),
      ...(record.constraints === undefined ? {} : { rights: record.constraints }),
    },
    links: [
      { rel: 'self', type: GEOJSON, href: `${itemsOf(base)}/${record.uuid}` },
      { rel: 'collection', type: 'application/json', href: `${base}/records/collections/${CATALOGUE}` },
      { rel: 'alternate', type: 'text/html', title: record.title, href: record.page },
      ...METADATA_FORMATS.map(({ ending, mediaType }) => ({
        rel: 'alternate',
        type: mediaType,
        href: `${base}/metadata/${record.id}.${ending}`,
      })),
      ...(record.thumbnail === undefined ? [] : [{ rel: 'preview', href: record.thumbnail }]),
      ...record.links
        .filter(({ type }) => type !== 'metadata')
        .map(({ type, name, mime, url }) => ({
          rel: type === 'data' ? 'enclosure' : 'related',
          type: mime,
          title: name,
          href: url,
          // What other catalogues find the layer of a service by.
          ...(type.startsWith('OGC:') && record.alternate !== undefined
            ? { protocol: type, name: record.alternate }
            : {}),
        })),
    ],
  };
}

export function polygonOf([west, south, east, north]: readonly [number, number, number, number]): unknown {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

export function answer(body: unknown, type = 'application/json'): Answer {
  return {
    status: 200,
    body: JSON.stringify(body),
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'Access-Control-Allow-Origin': '*' },
  };
}
