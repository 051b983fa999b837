// What OGC API tells about itself and its collections, as JSON. Pure.

import { CRS84, crsUri } from '../../geo/crs.ts';
import { MAX_ZOOM, tileSpan, WORLD_HALF } from '../../geo/tile.ts';
import type { Layer, LayerColumn, RasterLayer, VectorLayer } from '../../layer-ports/layer.ts';
import { columnClass } from '../columns/column-class.ts';
import type { ColumnRule, ColumnRules } from '../columns/column-rules.ts';
import { timeColumnsOf } from '../columns/time-columns.ts';
import { coverageId } from '../coverages/coverage.ts';
import { propertiesOf } from '../query/feature-query.ts';
import { crsListOf } from '../query/known-crs.ts';

export type Link = {
  readonly href: string;
  readonly rel: string;
  readonly type?: string;
  readonly title?: string;
  readonly templated?: boolean;
};

export const GEOJSON = 'application/geo+json';
export const JSON_TYPE = 'application/json';
export const HTML = 'text/html';
export const OPENAPI = 'application/vnd.oai.openapi+json;version=3.0';
export const SCHEMA = 'application/schema+json';
export const MVT = 'application/vnd.mapbox-vector-tile';

export const CONFORMANCE: readonly string[] = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/json',
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/html',
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables-query-parameters',
  'http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/create-replace-delete',
  'http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/update',
  'http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/features',
  'http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/schemas',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators',
  'http://www.opengis.net/spec/cql2/1.0/conf/case-insensitive-comparison',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions-plus',
  'http://www.opengis.net/spec/cql2/1.0/conf/spatial-functions',
  'http://www.opengis.net/spec/cql2/1.0/conf/property-property',
  'http://www.opengis.net/spec/cql2/1.0/conf/arithmetic',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tileset',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/tilesets-list',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/geodata-tilesets',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/mvt',
  'http://www.opengis.net/spec/tms/2.0/conf/tilematrixset',
  // Maps, styles and map tiles: `ogc-maps`.
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/background',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/scaling',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/spatial-subsetting',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/crs',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/png',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/jpeg',
  'http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/styled-map',
  'http://www.opengis.net/spec/ogcapi-styles-1/0.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-styles-1/0.0/conf/mapbox-styles',
  'http://www.opengis.net/spec/ogcapi-styles-1/0.0/conf/sld-10',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/png',
  'http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/jpeg',
  // The portal's, under the same root.
  'http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/ogc-process-description',
  'http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/json',
  'http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/job-list',
  'http://www.opengis.net/spec/ogcapi-processes-1/1.0/conf/dismiss',
];

/** `root` is the address of the service, without a slash at the end: `https://maps.example.org/ogc`. */
export function landingPage(root: string): { title: string; description: string; links: readonly Link[] } {
  return {
    title: 'Map services',
    description: 'The layers of this portal as OGC API Features, Tiles, Maps and Styles.',
    links: [
      { href: `${root}/`, rel: 'self', type: JSON_TYPE, title: 'This document' },
      { href: `${root}/?f=html`, rel: 'alternate', type: HTML, title: 'This document as a page' },
      { href: `${root}/api`, rel: 'service-desc', type: OPENAPI, title: 'The interface, for machines' },
      { href: `${root}/api?f=html`, rel: 'service-doc', type: HTML, title: 'The interface, for people' },
      { href: `${root}/conformance`, rel: 'conformance', type: JSON_TYPE, title: 'What it conforms to' },
      {
        href: `${root}/conformance`,
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/conformance',
        type: JSON_TYPE,
        title: 'What it conforms to',
      },
      { href: `${root}/collections`, rel: 'data', type: JSON_TYPE, title: 'The layers' },
      {
        href: `${root}/collections`,
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/data',
        type: JSON_TYPE,
        title: 'The layers',
      },
      {
        href: `${root}/tileMatrixSets`,
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes',
        type: JSON_TYPE,
        title: 'Grids of tiles',
      },
      { href: `${root}/processes`, rel: `${OGC_REL}/processes`, type: JSON_TYPE, title: 'What makes layers of layers' },
      { href: `${root}/jobs`, rel: `${OGC_REL}/job-list`, type: JSON_TYPE, title: 'Your jobs' },
      { href: `${root}/styles`, rel: `${OGC_REL}/styles`, type: JSON_TYPE, title: 'The styles of all layers' },
    ],
  };
}

const OPEN_INTERVAL = [null, null] as const;

export function collectionUrl(root: string, { name }: Pick<Layer, 'name'>): string {
  return `${root}/collections/${encodeURIComponent(name)}`;
}

export type CollectionDocument = Record<string, unknown> & { links: readonly Link[] };

export function collectionDocument(layer: Layer, root: string): CollectionDocument {
  return layer.kind === 'vector' ? featureCollection(layer, root) : coverageCollection(layer, root);
}

function featureCollection(layer: VectorLayer, root: string): CollectionDocument {
  const url = collectionUrl(root, layer);
  // Dates that nobody has looked through may be any: open on both sides.
  const interval = layer.interval ?? (timeColumnsOf(layer).length === 0 ? undefined : OPEN_INTERVAL);
  return {
    ...described(layer, interval),
    itemType: 'feature',
    crs: crsListOf(layer),
    storageCrs: layer.srid === 4326 ? crsListOf(layer)[0] : crsUri(layer.srid),
    links: [
      ...selfLinks(url),
      { href: `${url}/items`, rel: 'items', type: GEOJSON, title: 'The features' },
      { href: `${url}/items?f=html`, rel: 'items', type: HTML, title: 'The features as a page' },
      {
        href: `${url}/queryables`,
        rel: `${OGC_REL}/queryables`,
        type: SCHEMA,
        title: 'What can be filtered by',
      },
      { href: `${url}/schema`, rel: 'describedby', type: SCHEMA, title: 'What the features are like' },
      { href: `${url}/tiles`, rel: `${OGC_REL}/tilesets-vector`, type: JSON_TYPE, title: 'Vector tiles' },
      ...mapLinks(url),
      {
        href: `${baseOf(root)}/download/${encodeURIComponent(layer.name)}.gpkg`,
        rel: 'enclosure',
        type: 'application/geopackage+sqlite3',
        title: 'All of it as GeoPackage',
      },
    ],
  };
}

/** A raster has no items: its pictures are here, its numbers at the coverage service. */
function coverageCollection(layer: RasterLayer, root: string): CollectionDocument {
  const url = collectionUrl(root, layer);
  const base = baseOf(root);
  const wcs = (request: string): string =>
    `${base}/wcs?service=WCS&version=2.0.1&request=${request}&coverageId=${encodeURIComponent(coverageId(layer))}`;
  return {
    ...described(layer, layer.interval),
    itemType: 'coverage',
    // Clients of features (GDAL, QGIS) leave out what is called so.
    layerDataType: 'Coverage',
    crs: crsListOf(layer),
    storageCrs: crsUri(layer.srid),
    links: [
      ...selfLinks(url),
      ...mapLinks(url),
      {
        href: `${wcs('GetCoverage')}&format=image/tiff`,
        rel: `${OGC_REL}/coverage`,
        type: GEOTIFF,
        title: 'The numbers, by the Web Coverage Service',
      },
      { href: wcs('DescribeCoverage'), rel: 'describedby', type: 'text/xml', title: 'What the coverage is like' },
      {
        href: `${base}/download/${encodeURIComponent(layer.name)}.tif`,
        rel: 'enclosure',
        type: GEOTIFF,
        title: 'All of it as a cloud-optimised GeoTIFF',
      },
    ],
  };
}

const OGC_REL = 'http://www.opengis.net/def/rel/ogc/1.0';
const GEOTIFF = 'image/tiff; application=geotiff';

function baseOf(root: string): string {
  return root.replace(/\/ogc$/, '');
}

function described(layer: Layer, interval: Layer['interval']): Record<string, unknown> {
  const { extent } = layer;
  const spatial = extent === undefined ? {} : { spatial: { bbox: [extent.wgs84], crs: CRS84 } };
  const temporal =
    interval === undefined
      ? {}
      : { temporal: { interval: [interval], trs: 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian' } };
  return {
    id: layer.name,
    title: layer.title,
    description: layer.abstract,
    keywords: layer.keywords,
    ...(layer.attribution === null ? {} : { attribution: layer.attribution }),
    ...(extent === undefined && interval === undefined ? {} : { extent: { ...spatial, ...temporal } }),
  };
}

function selfLinks(url: string): readonly Link[] {
  return [
    { href: url, rel: 'self', type: JSON_TYPE, title: 'This document' },
    { href: `${url}?f=html`, rel: 'alternate', type: HTML, title: 'This document as a page' },
  ];
}

function mapLinks(url: string): readonly Link[] {
  return [
    { href: `${url}/map`, rel: `${OGC_REL}/map`, type: 'image/png', title: 'A map of it' },
    { href: `${url}/map/tiles`, rel: `${OGC_REL}/tilesets-map`, type: JSON_TYPE, title: 'Tiles of pictures' },
    { href: `${url}/styles`, rel: `${OGC_REL}/styles`, type: JSON_TYPE, title: 'Its styles' },
  ];
}

/** What can stand in a filter. */
export function queryables(layer: VectorLayer, root: string): Record<string, unknown> {
  const properties = layer.columns.filter(({ type }) => columnClass(type) !== 'bytes');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${collectionUrl(root, layer)}/queryables`,
    type: 'object',
    title: layer.title,
    properties: Object.fromEntries([
      ...properties.map((column) => [column.name, propertySchema(column)]),
      [layer.geometry.column, geometrySchema(layer)],
    ]),
    additionalProperties: false,
  };
}

/** What a feature is like, as it is read and written; `rules`: what the database asks of its values. */
export function featureSchema(
  layer: VectorLayer,
  root: string,
  rules: ColumnRules = new Map(),
): Record<string, unknown> {
  const properties = propertiesOf(layer);
  const required = properties.filter(({ nullable, hasDefault }) => !nullable && !hasDefault).map(({ name }) => name);
  const key = layer.columns.find(({ name }) => name === layer.primaryKey);
  const [moment, ...others] = timeColumnsOf(layer);
  const primary = others.length === 0 ? moment : undefined;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${collectionUrl(root, layer)}/schema`,
    type: 'object',
    title: layer.title,
    ...(layer.abstract === '' ? {} : { description: layer.abstract }),
    properties: Object.fromEntries([
      ...(key === undefined ? [] : [[key.name, { ...propertySchema(key), 'x-ogc-role': 'id', readOnly: true }]]),
      [layer.geometry.column, { ...geometrySchema(layer), 'x-ogc-role': 'primary-geometry' }],
      ...properties.map((column) => [
        column.name,
        {
          ...propertySchema(column, rules.get(column.name)),
          ...(column === primary ? { 'x-ogc-role': 'primary-instant' } : {}),
          ...(column.generated ? { readOnly: true } : {}),
        },
      ]),
    ]),
    ...(required.length === 0 ? {} : { required }),
  };
}

const PROPERTY_TYPES = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  json: {},
  time: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  bytes: { type: 'string', contentEncoding: 'base16' },
} as const;

function propertySchema(
  { name, type, label, description }: LayerColumn,
  rule: ColumnRule = {},
): Record<string, unknown> {
  const about = description === null || description === '' ? rule.comment : description;
  return {
    title: label ?? name,
    ...(about === undefined ? {} : { description: about }),
    ...PROPERTY_TYPES[columnClass(type)],
    ...(type === 'uuid' ? { format: 'uuid' } : {}),
    ...ruleSchema(rule),
  };
}

const RULE_NAMES = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
] as const satisfies readonly (keyof ColumnRule)[];

/** Values that have a name beside them are written as `oneOf`, as JSON Schema has it; those without as `enum`. */
function ruleSchema(rule: ColumnRule): Record<string, unknown> {
  const { choices, decimals } = rule;
  const isNamed = choices?.some(({ label }) => label !== undefined) === true;
  return {
    ...Object.fromEntries(RULE_NAMES.flatMap((name) => (rule[name] === undefined ? [] : [[name, rule[name]]]))),
    ...(decimals === undefined ? {} : { multipleOf: Number(`1e-${decimals}`) }),
    ...(choices === undefined
      ? {}
      : isNamed
        ? { oneOf: choices.map(({ value, label }) => ({ const: value, title: label ?? String(value) })) }
        : { enum: choices.map(({ value }) => value) }),
  };
}

function geometrySchema({ geometry }: VectorLayer): Record<string, unknown> {
  const plain = geometry.type.replace(/(?:ZM|Z|M)$/, '').toLowerCase();
  const known = /^(?:multi)?(?:point|linestring|polygon)$/.test(plain);
  return { format: known ? `geometry-${plain}` : 'geometry-any' };
}

// Tiles -----------------------------------------------------------------------------------------------------------

export const GRID = 'WebMercatorQuad';
const GRID_URI = 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad';

export function tilesetList(layer: VectorLayer, root: string): Record<string, unknown> {
  const url = `${collectionUrl(root, layer)}/tiles`;
  return {
    tilesets: [tilesetHead(layer, root)],
    links: [{ href: url, rel: 'self', type: JSON_TYPE, title: 'This document' }],
  };
}

function tilesetHead(layer: VectorLayer, root: string): Record<string, unknown> {
  const url = `${collectionUrl(root, layer)}/tiles/${GRID}`;
  return {
    title: layer.title,
    dataType: 'vector',
    crs: crsUri(3857),
    tileMatrixSetURI: GRID_URI,
    links: [
      { href: url, rel: 'self', type: JSON_TYPE, title: 'About these tiles' },
      {
        href: `${root}/tileMatrixSets/${GRID}`,
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
        type: JSON_TYPE,
        title: 'The grid',
      },
      {
        href: `${url}/{tileMatrix}/{tileRow}/{tileCol}?f=mvt`,
        rel: 'item',
        type: MVT,
        title: 'A tile',
        templated: true,
      },
    ],
  };
}

export function tilesetDocument(layer: VectorLayer, root: string): Record<string, unknown> {
  const { extent, geometry } = layer;
  return {
    ...tilesetHead(layer, root),
    ...(extent === undefined
      ? {}
      : {
          boundingBox: {
            lowerLeft: [extent.wgs84[0], extent.wgs84[1]],
            upperRight: [extent.wgs84[2], extent.wgs84[3]],
            crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
          },
        }),
    layers: [
      {
        id: layer.name,
        title: layer.title,
        dataType: 'vector',
        ...(geometry.kind === 'mixed' ? {} : { geometryDimension: { point: 0, line: 1, polygon: 2 }[geometry.kind] }),
        propertiesSchema: featureSchema(layer, root),
      },
    ],
  };
}

export function gridList(root: string): Record<string, unknown> {
  return {
    tileMatrixSets: [
      {
        id: GRID,
        title: 'Google Maps Compatible for the World',
        uri: GRID_URI,
        crs: crsUri(3857),
        links: [{ href: `${root}/tileMatrixSets/${GRID}`, rel: 'self', type: JSON_TYPE }],
      },
    ],
  };
}

/** Denominators count on pixels of 0.28 millimetres. */
const PIXEL_METRES = 0.000_28;

export function gridDocument(): Record<string, unknown> {
  return {
    id: GRID,
    title: 'Google Maps Compatible for the World',
    uri: GRID_URI,
    crs: crsUri(3857),
    orderedAxes: ['E', 'N'],
    wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
    tileMatrices: Array.from({ length: MAX_ZOOM + 1 }, (_, zoom) => ({
      id: String(zoom),
      scaleDenominator: tileSpan(zoom) / 256 / PIXEL_METRES,
      cellSize: tileSpan(zoom) / 256,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [-WORLD_HALF, WORLD_HALF],
      tileWidth: 256,
      tileHeight: 256,
      matrixWidth: 2 ** zoom,
      matrixHeight: 2 ** zoom,
    })),
  };
}
