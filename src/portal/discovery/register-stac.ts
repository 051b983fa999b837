// STAC 1.0 at `/stac`: raster layers as items of one collection, with item search by GET and POST. An item's assets are the file and the
// pictures of the layer.

import type { FastifyInstance } from 'fastify';
import type { Filter } from '../../geo/cql/cql.ts';
import { isOnEarth, parseGeometry } from '../../geo/geojson.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { freshnessProperties, type MetadataRecord } from '../metadata/metadata-record.ts';
import { type Answer, type ApiContext, asRoute, type Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { pathPart } from '../operations/register-collection.ts';
import { STAC_DESCRIBED } from './discovery-described.ts';
import type { RecordSource } from './find-records.ts';
import { type ListParams, pageLinks, readListParams, toRecordQuery, wrong } from './list-params.ts';
import { rasterExtentSql } from './query/raster-extent-sql.ts';
import { rasterFactsSql } from './query/raster-facts-sql.ts';
import { answer, polygonOf } from './register-records.ts';

const VERSION = '1.0.0';
const COLLECTION = 'rasters';
const GEOJSON = 'application/geo+json';
const JSON_TYPE = 'application/json';

const CONFORMANCE: readonly string[] = [
  'https://api.stacspec.org/v1.0.0/core',
  'https://api.stacspec.org/v1.0.0/collections',
  'https://api.stacspec.org/v1.0.0/ogcapi-features',
  'https://api.stacspec.org/v1.0.0/item-search',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
];

/** Without them: there are none, or more than are looked through. */
type RasterExtent = { readonly box?: readonly number[] | null; readonly interval?: readonly (string | null)[] | null };

type RasterFacts = {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly bands: readonly { readonly type: string; readonly nodata: number | string | null }[];
  /** Of its own coordinate system. */
  readonly box: readonly number[] | null;
};

const WORLD: readonly number[] = [-180, -90, 180, 90];

const PARAMETERS: readonly string[] = ['bbox', 'intersects', 'datetime', 'ids', 'collections', 'limit', 'offset'];

export function registerStac(app: FastifyInstance, context: ApiContext, find: RecordSource): void {
  const route = (
    path: string,
    what: Described,
    handle: (exchange: Exchange) => Promise<Result<Answer, PortalError>>,
  ): void => {
    app.get(path, described(what), asRoute(context, handle));
  };
  route('/stac', STAC_DESCRIBED.catalog, async ({ base }) => ok(answer(catalog(base))));
  route('/stac/conformance', STAC_DESCRIBED.conformance, async () => ok(answer({ conformsTo: CONFORMANCE })));
  route('/stac/collections', STAC_DESCRIBED.collections, async (exchange) => {
    const made = await collection(exchange);
    if (!made.ok) return made;
    const links = [link('self', `${exchange.base}/stac/collections`), link('root', `${exchange.base}/stac`)];
    return ok(answer({ collections: [made.value], links }));
  });
  route('/stac/collections/:collection', STAC_DESCRIBED.collection, async (exchange) => {
    if (pathPart(exchange, 'collection') !== COLLECTION) return err({ kind: 'not-found' });
    const made = await collection(exchange);
    return made.ok ? ok(answer(made.value)) : made;
  });
  route('/stac/collections/:collection/items', STAC_DESCRIBED.items, async (exchange) => {
    if (pathPart(exchange, 'collection') !== COLLECTION) return err({ kind: 'not-found' });
    const params = readListParams(exchange.query, PARAMETERS);
    return params.ok ? list(exchange, params.value, `${exchange.base}/stac/collections/${COLLECTION}/items`) : params;
  });
  route('/stac/collections/:collection/items/:id', STAC_DESCRIBED.item, async (exchange) => {
    if (pathPart(exchange, 'collection') !== COLLECTION) return err({ kind: 'not-found' });
    const found = await find(exchange, { uuids: [pathPart(exchange, 'id')], isRaster: true, offset: 0, limit: 1 });
    if (!found.ok) return found;
    const items = await itemsOf(exchange, found.value.records);
    if (!items.ok) return items;
    const [item] = items.value;
    return item === undefined ? err({ kind: 'not-found' }) : ok(answer(item, GEOJSON));
  });
  route('/stac/search', STAC_DESCRIBED.search, async (exchange) => {
    const params = readListParams(exchange.query, PARAMETERS);
    return params.ok ? list(exchange, params.value, `${exchange.base}/stac/search`) : params;
  });
  app.post(
    '/stac/search',
    described(STAC_DESCRIBED.searchByPost),
    asRoute(context, async (exchange) => {
      const params = bodyParams(exchange.request.body);
      if (!params.ok) return params;
      const address = `${exchange.base}/stac/search`;
      return list(exchange, params.value, address, (offset) => ({
        type: GEOJSON,
        method: 'POST',
        href: address,
        body: { offset },
        // With what was sent before: a geometry may be too long for an address.
        merge: true,
      }));
    }),
  );

  /** `linkTo`: how another page is asked for; by its address, unless it says something else. */
  async function list(
    exchange: Exchange,
    params: ListParams,
    address: string,
    linkTo?: (offset: number) => Readonly<Record<string, unknown>>,
  ): Promise<Result<Answer, PortalError>> {
    const query = toRecordQuery(params);
    if (!query.ok) return query;
    const place = placeOf(params);
    if (!place.ok) return place;
    const asked = params.get('collections');
    const isElsewhere = asked !== undefined && asked !== '' && !asked.split(',').includes(COLLECTION);
    const found = isElsewhere
      ? ok({ total: 0, records: [] })
      : await find(exchange, { ...query.value, filter: place.value, isRaster: true });
    if (!found.ok) return found;
    const { total, records } = found.value;
    const items = await itemsOf(exchange, records);
    if (!items.ok) return items;
    const { offset, limit } = query.value;
    const pages =
      linkTo === undefined
        ? pageLinks(address, params, query.value, total, GEOJSON)
        : [
            ...(offset + limit < total ? [{ rel: 'next', ...linkTo(offset + limit) }] : []),
            ...(offset > 0 ? [{ rel: 'prev', ...linkTo(Math.max(0, offset - limit)) }] : []),
          ];
    return ok(
      answer(
        {
          type: 'FeatureCollection',
          features: items.value,
          links: [link('root', `${exchange.base}/stac`), ...pages],
          numberMatched: total,
          numberReturned: records.length,
        },
        GEOJSON,
      ),
    );
  }

  async function itemsOf(
    { caller, info, statement, base }: Exchange,
    records: readonly MetadataRecord[],
  ): Promise<Result<readonly unknown[], PortalError>> {
    if (records.length === 0) return ok([]);
    const executed = await context.db.read(caller, info, [statement(rasterFactsSql(records.map(({ id }) => id)))]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    const all = JSON.parse(cellOf(executed.value[0])?.toString() ?? '[]') as readonly RasterFacts[];
    const facts = new Map(all.map((one) => [one.id, one]));
    return ok(records.map((record) => stacItem(record, facts.get(record.id), base)));
  }

  async function collection(exchange: Exchange): Promise<Result<unknown, PortalError>> {
    const { base } = exchange;
    const extent = await extentOf(exchange);
    if (!extent.ok) return extent;
    return ok({
      type: 'Collection',
      stac_version: VERSION,
      id: COLLECTION,
      title: 'Rasters',
      description: 'Raster layers of the portal that the caller sees.',
      license: 'various',
      extent: {
        spatial: { bbox: [extent.value.box ?? WORLD] },
        temporal: { interval: [extent.value.interval ?? [null, null]] },
      },
      links: [
        link('self', `${base}/stac/collections/${COLLECTION}`),
        link('root', `${base}/stac`),
        link('parent', `${base}/stac`),
        link('items', `${base}/stac/collections/${COLLECTION}/items`, GEOJSON),
      ],
    });
  }

  async function extentOf({ caller, info, statement }: Exchange): Promise<Result<RasterExtent, PortalError>> {
    const executed = await context.db.read(caller, info, [statement(rasterExtentSql())]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    return ok(JSON.parse(cellOf(executed.value[0])?.toString() ?? '{}') as RasterExtent);
  }
}

function link(rel: string, href: string, type = JSON_TYPE): Readonly<Record<string, string>> {
  return { rel, type, href };
}

function catalog(base: string): unknown {
  return {
    type: 'Catalog',
    stac_version: VERSION,
    id: 'survest',
    title: 'Rasters of the portal',
    description: 'Raster layers of the portal that the caller sees.',
    conformsTo: CONFORMANCE,
    links: [
      link('self', `${base}/stac`),
      link('root', `${base}/stac`),
      link('conformance', `${base}/stac/conformance`),
      link('data', `${base}/stac/collections`),
      link('child', `${base}/stac/collections/${COLLECTION}`),
      link('search', `${base}/stac/search`, GEOJSON),
      { ...link('search', `${base}/stac/search`, GEOJSON), method: 'POST' },
      link('service-desc', `${base}/api/v2/schema/`, 'application/vnd.oai.openapi+json;version=3.0'),
    ],
  };
}

function stacItem(
  record: MetadataRecord,
  facts: RasterFacts | undefined,
  base: string,
): Readonly<Record<string, unknown>> {
  const { extent, period } = record;
  const epsg = Number(/^EPSG:(\d{1,6})$/.exec(record.srid)?.[1] ?? Number.NaN);
  const collection = `${base}/stac/collections/${COLLECTION}`;
  return {
    type: 'Feature',
    stac_version: VERSION,
    stac_extensions: [
      'https://stac-extensions.github.io/projection/v1.1.0/schema.json',
      'https://stac-extensions.github.io/raster/v1.1.0/schema.json',
    ],
    id: record.uuid,
    collection: COLLECTION,
    ...(extent === undefined ? {} : { bbox: extent }),
    geometry: extent === undefined ? null : polygonOf(extent),
    properties: {
      title: record.title,
      description: record.abstract,
      // One of the two has to be there; both ends where there are any.
      datetime: period === undefined ? record.date.value : null,
      ...(period === undefined
        ? {}
        : { start_datetime: period.start ?? period.end, end_datetime: period.end ?? period.start }),
      created: record.created,
      updated: record.updated,
      ...freshnessProperties(record),
      keywords: record.keywords,
      ...(record.license === undefined ? {} : { license: record.license.name }),
      'proj:epsg': Number.isNaN(epsg) ? null : epsg,
    },
    assets: assetsOf(record, facts, base),
    links: [
      link('self', `${collection}/items/${record.uuid}`, GEOJSON),
      link('root', `${base}/stac`),
      link('parent', collection),
      link('collection', collection),
      link('alternate', record.page, 'text/html'),
    ],
  };
}

const COG = 'image/tiff; application=geotiff; profile=cloud-optimized';

/** What a program reads the file by without opening it: its grid and its bands. Files are stored with north up. */
function gridOf({ width, height, bands, box }: RasterFacts): Readonly<Record<string, unknown>> {
  const [xmin = 0, ymin = 0, xmax = 0, ymax = 0] = box ?? [];
  return {
    'proj:shape': [height, width],
    ...(box === null
      ? {}
      : { 'proj:bbox': box, 'proj:transform': [(xmax - xmin) / width, 0, xmin, 0, (ymin - ymax) / height, ymax] }),
    'raster:bands': bands.map(({ type, nodata }) => ({
      data_type: DATA_TYPES[type] ?? 'other',
      ...(nodata === null ? {} : { nodata }),
    })),
  };
}

/** GDAL's names of pixel types → those of the raster extension. */
const DATA_TYPES: Readonly<Record<string, string>> = {
  Byte: 'uint8',
  Int8: 'int8',
  UInt16: 'uint16',
  Int16: 'int16',
  UInt32: 'uint32',
  Int32: 'int32',
  UInt64: 'uint64',
  Int64: 'int64',
  Float32: 'float32',
  Float64: 'float64',
  CInt16: 'cint16',
  CInt32: 'cint32',
  CFloat32: 'cfloat32',
  CFloat64: 'cfloat64',
};

function assetsOf(
  record: MetadataRecord,
  facts: RasterFacts | undefined,
  base: string,
): Readonly<Record<string, unknown>> {
  const name = record.alternate?.slice(record.alternate.indexOf(':') + 1);
  return {
    ...(name === undefined
      ? {}
      : {
          data: {
            href: `${base}/download/${encodeURIComponent(name)}.tif`,
            type: COG,
            title: 'The file',
            roles: ['data'],
            ...(facts === undefined ? {} : gridOf(facts)),
          },
        }),
    ...(record.thumbnail === undefined
      ? {}
      : { thumbnail: { href: record.thumbnail, type: 'image/png', title: 'A small picture', roles: ['thumbnail'] } }),
    metadata: {
      href: `${base}/metadata/${record.id}.iso19139.xml`,
      type: 'application/xml',
      title: 'ISO 19139',
      roles: ['metadata'],
    },
  };
}

/** `intersects`: a geometry as GeoJSON. */
function placeOf(params: ListParams): Result<Filter | undefined, PortalError> {
  const text = params.get('intersects');
  if (text === undefined || text === '') return ok(undefined);
  if ((params.get('bbox') ?? '') !== '') return wrong('A search has either bbox or intersects.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('intersects is a geometry in GeoJSON.');
  }
  const geometry = parseGeometry(value);
  if (!geometry.ok) return wrong(`intersects: ${geometry.error.said}.`);
  if (!isOnEarth(geometry.value)) return wrong('intersects: positions are longitudes and latitudes in degrees.');
  return ok({
    kind: 'spatial',
    op: 's_intersects',
    left: { kind: 'property', name: 'geometry' },
    right: { kind: 'geometry', value: geometry.value },
  });
}

/** The members of a search's body, as if they stood in the address. */
function bodyParams(body: unknown): Result<ListParams, PortalError> {
  if (body === undefined || body === null) return ok(new Map());
  if (typeof body !== 'object' || Array.isArray(body)) return wrong('A search is an object.');
  const params = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    if (!PARAMETERS.includes(name))
      return wrong(`The member "${name.slice(0, 50)}" is not known here; ${PARAMETERS.join(', ')} are.`);
    if (name === 'intersects' && typeof value === 'object' && value !== null) {
      params.set(name, JSON.stringify(value));
      continue;
    }
    const isList =
      Array.isArray(value) &&
      value.length <= 1000 &&
      value.every((one) => typeof one === 'string' || typeof one === 'number');
    if (isList) params.set(name, (value as unknown[]).join(','));
    else if (typeof value === 'string' || typeof value === 'number') params.set(name, String(value));
    else return wrong(`${name} is a text, a number or a list.`);
  }
  return ok(params);
}
