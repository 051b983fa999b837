// The interface of OGC API as an OpenAPI 3.0 document. Pure. Layers are a parameter of the paths, not paths of their own: there may be
// very many, and who asks may not see them all.

import { MEASURES, TIME_UNITS } from '../query/aggregate-sql.ts';
import { MAX_BINS, MAX_TIMES } from './aggregate-request.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from './items-request.ts';
import { GEOJSON, GRID, HTML, JSON_TYPE, MVT, SCHEMA } from './ogc-documents.ts';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
/** In OpenAPI 3.0, null stands beside a type alone. */
const ANY_VALUE = {
  anyOf: [
    { type: 'number', nullable: true },
    { type: 'string', nullable: true },
  ],
};
const parameter = (name: string, description: string, schema: Json, more: Json = {}): Json => ({
  name,
  in: 'query',
  description,
  required: false,
  schema,
  style: 'form',
  explode: false,
  ...more,
});
const inPath = (name: string, description: string, schema: Json = text): Json => ({
  name,
  in: 'path',
  description,
  required: true,
  schema,
});
const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

const ERRORS: Json = {
  '400': ref('responses', 'BadRequest'),
  '401': ref('responses', 'Unauthorized'),
  '404': ref('responses', 'NotFound'),
  default: ref('responses', 'Failure'),
};

const answer = (description: string, types: readonly string[], schema: Json = { type: 'object' }): Json => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: type === HTML ? text : schema }])),
});

const get = (
  operationId: string,
  summary: string,
  ok: Json,
  parameters: readonly Json[] = [],
  tag = 'Capabilities',
): Json => ({
  get: {
    operationId,
    summary,
    tags: [tag],
    parameters: [ref('parameters', 'f'), ...parameters],
    responses: { '200': ok, ...ERRORS },
  },
});

const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

const LAYER_PAGE: readonly Json[] = [
  parameter('limit', 'Layers at once', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
  parameter('offset', 'Layers to leave out', { type: 'integer', minimum: 0, default: 0 }),
];

/** Pictures, styles, and tiles of pictures. Their formats have names of their own. */
function mapPaths(layer: Json): Json {
  const picture = answer('A picture', IMAGES, { type: 'string', format: 'binary' });
  const formats = (values: readonly string[]): Json => parameter('f', 'Format', { type: 'string', enum: values });
  const path = (operationId: string, summary: string, ok: Json, parameters: readonly Json[]): Json => ({
    get: { operationId, summary, tags: ['Maps'], parameters, responses: { '200': ok, ...ERRORS } },
  });
  const size = { type: 'integer', minimum: 1, maximum: 4096 };
  const filters = [ref('parameters', 'filter'), ref('parameters', 'filterLang')];
  const view = [
    formats(['png', 'jpeg', 'webp']),
    parameter('bbox', 'Box, smaller numbers first', {
      type: 'array',
      items: { type: 'number' },
      minItems: 4,
      maxItems: 4,
    }),
    parameter('bbox-crs', 'System of the box; else longitude and latitude', text),
    parameter('crs', 'System of the picture; else the one of the layer', text),
    parameter('width', 'Pixels across', size),
    parameter('height', 'Pixels down', size),
    parameter('transparent', 'Nothing where there is nothing', { type: 'boolean' }),
    parameter('bgcolor', 'Colour where there is nothing: 0xRRGGBB', text),
    ...filters,
  ];
  const style = inPath('styleId', 'Name of the style');
  const grid = ref('parameters', 'tileMatrixSetId');
  const f = ref('parameters', 'f');
  const base = '/collections/{collectionId}';
  return {
    '/styles': path('getAllStyles', 'Styles of all layers', answer('Styles', [JSON_TYPE]), [f, ...LAYER_PAGE]),
    [`${base}/map`]: path('getMap', 'A map of a layer', picture, [layer, ...view]),
    [`${base}/styles`]: path('getStyles', 'Styles of a layer', answer('Styles', [JSON_TYPE]), [layer, f]),
    [`${base}/styles/{styleId}`]: path(
      'getStyle',
      'A style',
      answer('The style', ['application/vnd.mapbox.style+json', 'application/vnd.ogc.sld+xml;version=1.0']),
      [layer, style, formats(['mapbox', 'sld10'])],
    ),
    [`${base}/styles/{styleId}/map`]: path('getStyledMap', 'A map in a style', picture, [layer, style, ...view]),
    [`${base}/map/tiles`]: path('getMapTileSets', 'Tiles of pictures', answer('Sets of tiles', [JSON_TYPE]), [
      layer,
      f,
    ]),
    [`${base}/map/tiles/{tileMatrixSetId}`]: path(
      'getMapTileSet',
      'Tiles of pictures in a grid',
      answer('The set', [JSON_TYPE]),
      [layer, grid, f],
    ),
    [`${base}/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}`]: path(
      'getMapTile',
      'A tile of a picture',
      picture,
      [
        layer,
        grid,
        inPath('tileMatrix', 'Zoom', { type: 'string' }),
        inPath('tileRow', 'Row', { type: 'integer', minimum: 0 }),
        inPath('tileCol', 'Column', { type: 'integer', minimum: 0 }),
        formats(['png', 'jpeg', 'webp']),
      ],
    ),
  };
}

export function openApiDocument(root: string, version: string): Json {
  const layer = ref('parameters', 'collectionId');
  const id = ref('parameters', 'featureId');
  const feature = ref('schemas', 'Feature');
  const write = (
    operationId: string,
    summary: string,
    type: string,
    status: string,
    parameters: readonly Json[],
  ): Json => ({
    operationId,
    summary,
    tags: ['Data'],
    parameters: [
      ...parameters,
      ref('parameters', 'contentCrs'),
      ...(status === '204' ? [ref('parameters', 'ifMatch')] : []),
    ],
    requestBody: { required: true, content: { [type]: { schema: feature } } },
    responses: {
      [status]: { description: 'Done' },
      '403': ref('responses', 'Forbidden'),
      ...(status === '204' ? { '412': ref('responses', 'Changed') } : {}),
      ...ERRORS,
    },
    security: [{ basic: [] }, { bearer: [] }],
  });
  const shapes = (operationId: string, summary: string, properties: Json): Json => ({
    post: {
      operationId,
      summary,
      tags: ['Data'],
      parameters: [layer],
      requestBody: {
        required: true,
        content: { [JSON_TYPE]: { schema: { type: 'object', required: Object.keys(properties), properties } } },
      },
      responses: {
        '200': answer('Shapes', [JSON_TYPE], {
          type: 'object',
          required: ['geometries'],
          properties: { geometries: { type: 'array', items: { type: 'object' } } },
        }),
        '403': ref('responses', 'Forbidden'),
        ...ERRORS,
      },
      security: [{ basic: [] }, { bearer: [] }],
    },
  });
  return {
    openapi: '3.0.3',
    info: {
      title: 'Map services',
      version,
      description: 'The layers of this portal as OGC API Features, Tiles, Maps and Styles.',
    },
    servers: [{ url: root }],
    // Who asks sees more; nobody has to.
    security: [{}, { basic: [] }, { bearer: [] }],
    tags: [
      { name: 'Capabilities', description: 'What there is' },
      { name: 'Data', description: 'Features' },
      { name: 'Tiles', description: 'Vector tiles, and tiles of pictures' },
      { name: 'Maps', description: 'Pictures and styles' },
    ],
    paths: {
      '/': get('getLandingPage', 'Where to begin', answer('Links', [JSON_TYPE, HTML])),
      '/conformance': get('getConformance', 'What it conforms to', answer('Conformance classes', [JSON_TYPE, HTML])),
      '/api': get('getApi', 'This document', answer('OpenAPI', [JSON_TYPE, HTML])),
      '/collections': get('getCollections', 'The layers', answer('Layers', [JSON_TYPE, HTML]), LAYER_PAGE),
      '/collections/{collectionId}': get('describeCollection', 'One layer', answer('The layer', [JSON_TYPE, HTML]), [
        layer,
      ]),
      '/collections/{collectionId}/queryables': get(
        'getQueryables',
        'What can be filtered by',
        answer('JSON Schema', [SCHEMA]),
        [layer],
      ),
      '/collections/{collectionId}/schema': get(
        'getSchema',
        'What features are like',
        answer('JSON Schema', [SCHEMA]),
        [layer],
      ),
      '/collections/{collectionId}/items': {
        ...get(
          'getFeatures',
          'Features of a layer',
          answer('Features', [GEOJSON, HTML], ref('schemas', 'FeatureCollection')),
          [
            layer,
            ...[
              'limit',
              'offset',
              'after',
              'bbox',
              'bboxCrs',
              'crs',
              'datetime',
              'filter',
              'filterLang',
              'filterCrs',
            ].map((name) => ref('parameters', name)),
            ...['properties', 'skipGeometry', 'sortby'].map((name) => ref('parameters', name)),
          ],
          'Data',
        ),
        post: write('createFeature', 'A new feature', GEOJSON, '201', [layer]),
      },
      '/collections/{collectionId}/items/{featureId}': {
        ...get(
          'getFeature',
          'One feature',
          answer('The feature', [GEOJSON, HTML], feature),
          [
            layer,
            id,
            ref('parameters', 'crs'),
            parameter('exact', 'Coordinates with all the digits that they have, for who edits them', {
              type: 'boolean',
              default: false,
            }),
          ],
          'Data',
        ),
        put: write('replaceFeature', 'Another feature in its place', GEOJSON, '204', [layer, id]),
        patch: write('updateFeature', 'Some of its members', 'application/merge-patch+json', '204', [layer, id]),
        delete: {
          operationId: 'deleteFeature',
          summary: 'Deletes it',
          tags: ['Data'],
          parameters: [layer, id, ref('parameters', 'ifMatch')],
          responses: {
            '204': { description: 'Done' },
            '403': ref('responses', 'Forbidden'),
            '412': ref('responses', 'Changed'),
            ...ERRORS,
          },
          security: [{ basic: [] }, { bearer: [] }],
        },
      },
      '/collections/{collectionId}/aggregates': get(
        'getAggregates',
        'Rows counted, summed up or averaged, in groups; of plain tables, too',
        answer('Groups', [JSON_TYPE], ref('schemas', 'Aggregates')),
        [
          layer,
          parameter('group', 'Column whose values are the groups', text),
          parameter('bins', 'Groups are so many classes of one width, of a column of numbers', {
            type: 'integer',
            minimum: 1,
            maximum: MAX_BINS,
          }),
          parameter('unit', 'Groups are times, of a column of dates', {
            type: 'string',
            enum: ['auto', ...TIME_UNITS],
          }),
          parameter('across', 'A second column of numbers: groups are cells of both', text),
          parameter('measure', 'What is told of each group', { type: 'string', enum: MEASURES, default: 'count' }),
          parameter('of', 'Column that is measured', text),
          parameter('limit', 'Groups at most; the rest is summed up as others', {
            type: 'integer',
            minimum: 1,
            maximum: MAX_TIMES,
            default: 20,
          }),
          parameter('sortby', 'Largest groups first, or in the order of their values', {
            type: 'string',
            enum: ['measure', 'group'],
            default: 'measure',
          }),
          ...['bbox', 'filter', 'filterLang'].map((name) => ref('parameters', name)),
        ],
        'Data',
      ),
      '/collections/{collectionId}/history': get(
        'getHistory',
        'Who changed which feature when, the newest first',
        answer('Edits', [JSON_TYPE], {
          type: 'object',
          required: ['edits'],
          properties: { edits: { type: 'array', items: ref('schemas', 'Edit') } },
        }),
        [
          layer,
          parameter('feature', 'Only edits of the feature with this id', text),
          parameter('before', 'Only edits before the one with this id', { type: 'integer' }),
          parameter('limit', 'Edits at once', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
        ],
        'Data',
      ),
      '/collections/{collectionId}/history/{editId}/undo': {
        post: {
          operationId: 'undoEdit',
          summary: 'Undoes one edit, as a new edit',
          tags: ['Data'],
          parameters: [layer, inPath('editId', 'Id of the edit', { type: 'integer' })],
          responses: {
            '204': { description: 'Done' },
            '403': ref('responses', 'Forbidden'),
            '412': ref('responses', 'Changed'),
            ...ERRORS,
          },
          security: [{ basic: [] }, { bearer: [] }],
        },
      },
      '/collections/{collectionId}/split': shapes('splitShape', 'A shape cut along a line; nothing is written', {
        geometry: { type: 'object' },
        line: { type: 'object' },
      }),
      '/collections/{collectionId}/merge': shapes('mergeShapes', 'Several shapes as one; nothing is written', {
        geometries: { type: 'array', minItems: 2, items: { type: 'object' } },
      }),
      '/tileMatrixSets': get('getTileMatrixSets', 'Grids', answer('Grids', [JSON_TYPE]), [], 'Tiles'),
      '/tileMatrixSets/{tileMatrixSetId}': get(
        'getTileMatrixSet',
        'One grid',
        answer('The grid', [JSON_TYPE]),
        [ref('parameters', 'tileMatrixSetId')],
        'Tiles',
      ),
      '/collections/{collectionId}/tiles': get(
        'getTileSets',
        'Tiles of a layer',
        answer('Sets of tiles', [JSON_TYPE]),
        [layer],
        'Tiles',
      ),
      '/collections/{collectionId}/tiles/{tileMatrixSetId}': get(
        'getTileSet',
        'Tiles of a layer in a grid',
        answer('The set', [JSON_TYPE]),
        [layer, ref('parameters', 'tileMatrixSetId')],
        'Tiles',
      ),
      '/collections/{collectionId}/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}': get(
        'getTile',
        'A tile',
        { ...answer('The tile', []), content: { [MVT]: { schema: { type: 'string', format: 'binary' } } } },
        [
          layer,
          ref('parameters', 'tileMatrixSetId'),
          inPath('tileMatrix', 'Zoom', { type: 'string' }),
          inPath('tileRow', 'Row', { type: 'integer', minimum: 0 }),
          inPath('tileCol', 'Column', { type: 'integer', minimum: 0 }),
        ],
        'Tiles',
      ),
      ...mapPaths(layer),
    },
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic' }, bearer: { type: 'http', scheme: 'bearer' } },
      parameters: {
        collectionId: inPath('collectionId', 'Name of the layer'),
        featureId: inPath('featureId', 'Id of the feature'),
        tileMatrixSetId: inPath('tileMatrixSetId', 'Name of the grid', { type: 'string', enum: [GRID] }),
        f: parameter('f', 'Format, where the Accept header does not say it', {
          type: 'string',
          enum: ['json', 'html', 'mvt'],
        }),
        limit: parameter('limit', 'Features at once', {
          type: 'integer',
          minimum: 1,
          maximum: MAX_LIMIT,
          default: DEFAULT_LIMIT,
        }),
        offset: parameter('offset', 'Features to leave out', { type: 'integer', minimum: 0, default: 0 }),
        after: parameter('after', 'Only features behind the one with this id; as in the links to next pages', text),
        bbox: parameter('bbox', 'Only features that touch this box', {
          type: 'array',
          oneOf: [
            { minItems: 4, maxItems: 4 },
            { minItems: 6, maxItems: 6 },
          ],
          items: { type: 'number' },
        }),
        bboxCrs: parameter('bbox-crs', 'System of the box', { type: 'string', format: 'uri' }),
        crs: parameter('crs', 'System of the answer', { type: 'string', format: 'uri' }),
        datetime: parameter('datetime', 'Only features of this time', text),
        filter: parameter('filter', 'Only features that pass this filter in CQL2', text),
        filterLang: parameter('filter-lang', 'How the filter is written', {
          type: 'string',
          enum: ['cql2-text', 'cql2-json'],
          default: 'cql2-text',
        }),
        filterCrs: parameter('filter-crs', 'System of geometries in the filter', { type: 'string', format: 'uri' }),
        properties: parameter('properties', 'Only these properties', { type: 'array', items: text }),
        skipGeometry: parameter('skipGeometry', 'Without geometries', { type: 'boolean', default: false }),
        sortby: parameter('sortby', 'Properties to sort by, downwards with a minus before them', {
          type: 'array',
          items: text,
        }),
        ifMatch: {
          name: 'If-Match',
          in: 'header',
          description: 'The ETag of the feature as it was read: nothing is written if it is another by now',
          required: false,
          schema: text,
        },
        contentCrs: {
          name: 'Content-Crs',
          in: 'header',
          description: 'System of the geometry that is sent',
          required: false,
          schema: text,
        },
      },
      responses: {
        BadRequest: answer('Something in the request is wrong', [JSON_TYPE], ref('schemas', 'Failure')),
        Unauthorized: answer(
          'Wrong credentials, or none where some are needed',
          [JSON_TYPE],
          ref('schemas', 'Failure'),
        ),
        Forbidden: answer('Not allowed', [JSON_TYPE], ref('schemas', 'Failure')),
        Changed: answer('Somebody else has changed it since it was read', [JSON_TYPE], ref('schemas', 'Failure')),
        NotFound: answer('Not there, or not for you', [JSON_TYPE], ref('schemas', 'Failure')),
        Failure: answer('Something went wrong', [JSON_TYPE], ref('schemas', 'Failure')),
      },
      schemas: {
        Failure: { type: 'object', properties: { detail: text } },
        Aggregates: {
          type: 'object',
          required: ['count', 'measure', 'groups', 'others', 'empty'],
          properties: {
            count: { type: 'integer', description: 'Rows of all groups' },
            measure: { ...ANY_VALUE, description: 'Of all rows; null where it does not follow from the groups' },
            groups: {
              type: 'array',
              items: {
                type: 'object',
                required: ['count', 'measure'],
                properties: {
                  value: { ...ANY_VALUE, description: 'Of groups of values and times' },
                  from: { type: 'number', description: 'Of classes and cells' },
                  to: { type: 'number' },
                  across_from: { type: 'number', description: 'Of cells' },
                  across_to: { type: 'number' },
                  count: { type: 'integer' },
                  measure: ANY_VALUE,
                },
              },
            },
            others: {
              type: 'object',
              nullable: true,
              description: 'What is beyond the limit',
              properties: { groups: { type: 'integer' }, count: { type: 'integer' }, measure: ANY_VALUE },
            },
            empty: { type: 'integer', description: 'Rows that are in no class or at no time' },
            low: { ...ANY_VALUE, description: 'The smallest value, of classes, cells and times' },
            high: ANY_VALUE,
            unit: { type: 'string', description: 'Of times', enum: TIME_UNITS },
          },
        },
        Edit: {
          type: 'object',
          required: ['id', 'at', 'kind'],
          properties: {
            id: { type: 'integer' },
            at: { type: 'string', format: 'date-time' },
            by: { type: 'string', nullable: true, description: 'User name' },
            kind: { type: 'string', enum: ['insert', 'update', 'delete', 'bulk'] },
            feature: { type: 'string', nullable: true, description: 'Id of the feature' },
            old: { type: 'object', nullable: true, description: 'Values before; of an update those that changed' },
            new: { type: 'object', nullable: true, description: 'Values after' },
            geometry: { type: 'boolean', description: 'The geometry is among what changed' },
            bulk: { type: 'string', nullable: true, description: 'What many features at once were: replace, append …' },
            rows: { type: 'integer', nullable: true, description: 'How many features it were' },
          },
        },
        Link: {
          type: 'object',
          required: ['href', 'rel'],
          properties: { href: text, rel: text, type: text, title: text },
        },
        Feature: {
          type: 'object',
          required: ['type', 'geometry', 'properties'],
          properties: {
            type: { type: 'string', enum: ['Feature'] },
            id: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
            geometry: { type: 'object', nullable: true },
            properties: { type: 'object', nullable: true },
            links: { type: 'array', items: ref('schemas', 'Link') },
          },
        },
        FeatureCollection: {
          type: 'object',
          required: ['type', 'features'],
          properties: {
            type: { type: 'string', enum: ['FeatureCollection'] },
            features: { type: 'array', items: ref('schemas', 'Feature') },
            links: { type: 'array', items: ref('schemas', 'Link') },
            timeStamp: { type: 'string', format: 'date-time' },
            numberMatched: { type: 'integer', minimum: 0 },
            numberReturned: { type: 'integer', minimum: 0 },
          },
        },
      },
    },
  };
}
