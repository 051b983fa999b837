// Addresses that clients of GeoNode and GeoServer have built in, and what answers there: one table. `same` is another address of ours,
// answered in place (clients do not follow a redirect of a POST); `page` sends browsers to a page; `item` does so for who sees the item.
// What answers in its own form (lists of API v1, completions, checks) stands in the table by the name of its handler.

/** `{name}` stands for one part of a path. The first row that fits counts. */
export type AddressRow = {
  readonly from: string;
  readonly to: Target;
  /** Who asks for it. */
  readonly by: string;
};

type Target =
  /** Undefined: this row does not fit after all. */
  | { readonly kind: 'same'; readonly path: string | ((parts: Parts, query: URLSearchParams) => string | undefined) }
  | { readonly kind: 'page'; readonly path: string }
  | {
      readonly kind: 'item';
      readonly path: string;
      readonly of: 'layers' | 'maps' | 'documents' | 'geoapps' | 'owners';
    }
  | { readonly kind: 'handler'; readonly name: HandlerName };

export type HandlerName =
  | 'v1-list'
  | 'v1-item'
  | 'keyword-tree'
  | 'autocomplete'
  | 'edit-check'
  | 'style-check'
  | 'set-language'
  | 'layer-download'
  | 'document-form'
  | 'map-template'
  | 'map-thumbnail'
  | 'geoserver-version'
  | 'geoserver-layers'
  | 'geoserver-layer'
  | 'geoserver-store'
  | 'request-rules'
  | 'user-rules'
  | 'area-limits';

export type Parts = Readonly<Record<string, string>>;

const same = (path: (Target & { readonly kind: 'same' })['path']): Target => ({ kind: 'same', path });
const page = (path: string): Target => ({ kind: 'page', path });
const item = (of: (Target & { readonly kind: 'item' })['of'], path: string): Target => ({ kind: 'item', of, path });
const handler = (name: HandlerName): Target => ({ kind: 'handler', name });

/** GeoServer's addresses, directly and through GeoNode's proxy. A workspace can be any: there is one here, and names are found without it. */
const GEOSERVER: readonly AddressRow[] = ['/geoserver', '/gs'].flatMap((root) =>
  (
    [
      ['/rest/workspaces/{ws}/styles/{file}', same(styleFile), 'QGIS plugin 0.3, MapStore style editor'],
      ['/rest/styles/{file}', same(styleFile), 'MapStore style editor'],
      ['/rest/about/version.{format}', handler('geoserver-version'), 'geonode-benchmark'],
      ['/rest/layers.json', handler('geoserver-layers'), 'geonode-benchmark'],
      ['/rest/layers/{file}', handler('geoserver-layer'), 'who follows the list of layers'],
      ['/rest/workspaces/{ws}/datastores/{file}', handler('geoserver-store'), 'geonode-benchmark'],
      ['/gwc/service/wmts', same('/wmts'), 'MapStore, QGIS'],
      [
        '/gwc/service/wmts/rest/{layer}/{style}/{set}/{z}/{row}/{col}',
        same(gwcTile),
        'OpenLayers, from GWC capabilities',
      ],
      ['/gwc/service/wmts/rest/{layer}/{set}/{z}/{row}/{col}', same(gwcTile), 'OpenLayers, from GWC capabilities'],
      ['/gwc/service/tms/1.0.0/{tileset}/{z}/{x}/{file}', same(tmsTile), 'Leaflet, OpenLayers'],
      ['/gwc/service/wms', same('/wms'), 'MapStore (tiled layers)'],
      ['/{layer}/edit-check', handler('edit-check'), 'MapStore client of GeoNode 3'],
      ['/{layer}/style-check', handler('style-check'), 'MapStore client of GeoNode 3'],
      ['/ows', same('/ows'), 'QGIS plugin, MapStore'],
      ['/wms', same('/wms'), 'MapStore, OpenLayers'],
      ['/wfs', same('/wfs'), 'MapStore, QGIS'],
      ['/wcs', same('/wcs'), 'QGIS'],
      ['/{ws}/gwc/service/wmts', same('/wmts'), 'MapStore, QGIS'],
      ['/{ws}/ows', same('/ows'), 'MapStore'],
      ['/{ws}/wms', same('/wms'), 'MapStore, OpenLayers'],
      ['/{ws}/wfs', same('/wfs'), 'MapStore, QGIS'],
      ['/{ws}/wcs', same('/wcs'), 'QGIS'],
      ['/{ws}/{layer}/wms', same(({ layer = '' }) => `/wms/${layer}`), 'QGIS (services of one layer)'],
      ['/{ws}/{layer}/ows', same('/ows'), 'QGIS (services of one layer)'],
      ['/{ws}/{layer}/wfs', same('/wfs'), 'QGIS (services of one layer)'],
      ['/{ws}/{layer}/wcs', same('/wcs'), 'QGIS (services of one layer)'],
      // The plugin takes the first part off every address that it is given (`/wms`, `/styles/3/7.sld`) and puts `/gs/` in its place.
      [
        '/{layer}/{file}',
        same(({ layer, file = '' }) => (/\.sld$/.test(file) ? `/styles/${layer}/${file}` : undefined)),
        'QGIS plugin with a password',
      ],
      ['', same('/ows'), 'QGIS plugin with a password'],
    ] as const
  ).map(([path, to, by]) => ({ from: root + path, to, by })),
);

const V1: readonly AddressRow[] = [
  ...[
    'base',
    'layers',
    'maps',
    'documents',
    'categories',
    'keywords',
    'regions',
    'owners',
    'profiles',
    'groups',
  ].flatMap((list) => [
    { from: `/api/${list}`, to: handler('v1-list'), by: 'MapStore client, QGIS plugin 0.3 without API v2' },
    { from: `/api/${list}/{id}`, to: handler('v1-item'), by: 'MapStore client' },
  ]),
  { from: '/h_keywords_api', to: handler('keyword-tree'), by: 'QGIS plugin 0.3' },
  { from: '/base/autocomplete_response', to: handler('autocomplete'), by: 'MapStore client (titles)' },
  { from: '/base/autocomplete_hierachical_keyword', to: handler('autocomplete'), by: 'forms of GeoNode (keywords)' },
  { from: '/base/autocomplete_region', to: handler('autocomplete'), by: 'forms of GeoNode' },
  { from: '/base/thesaurus_autocomplete', to: handler('autocomplete'), by: 'forms of GeoNode' },
  { from: '/people/autocomplete', to: handler('autocomplete'), by: 'forms of GeoNode (users)' },
  { from: '/groups/autocomplete', to: handler('autocomplete'), by: 'forms of GeoNode' },
];

const ACTIONS: readonly AddressRow[] = [
  {
    from: '/maps/{id}/thumbnail',
    to: handler('map-thumbnail'),
    by: 'MapStore client of GeoNode 3',
  },
  { from: '/api/v2/userinfo', to: same('/api/o/v4/userinfo'), by: 'MapStore client' },
  {
    from: '/api/v2/resources/{id}/iso_metadata_xml',
    to: same(({ id = '' }) => `/metadata/${id}.iso19139.xml`),
    by: 'MapStore client of GeoNode 4.4',
  },
  { from: '/api/v2/reqrules', to: handler('request-rules'), by: 'MapStore client' },
  { from: '/api/v2/users/{id}/rules', to: handler('user-rules'), by: 'MapStore client' },
  { from: '/security/geolimits/{id}', to: handler('area-limits'), by: 'MapStore client' },
  { from: '/i18n/setlang', to: handler('set-language'), by: 'MapStore client' },
  { from: '/documents/upload', to: handler('document-form'), by: 'MapStore client, geonodectl' },
  {
    from: '/datasets/{name}/dataset_download',
    to: handler('layer-download'),
    by: 'MapStore client, geonode-benchmark',
  },
  {
    from: '/static/mapstore/configs/{file}',
    to: handler('map-template'),
    by: 'geonodectl (a new map), MapStore client',
  },
  { from: '/catalogue/csw', to: same('/csw'), by: 'QGIS plugin 0.3 (CSW), OWSLib scripts' },
];

const PAGES: readonly AddressRow[] = [
  { from: '/static/geonode/img/favicon.ico', to: page('/icon.svg'), by: 'geonode-benchmark' },
  { from: '/catalogue', to: page('/'), by: 'links to GeoNode 4' },
  { from: '/layers', to: page('/?type=layer'), by: 'links to GeoNode 3' },
  ...['metadata_detail', 'metadata_read', 'metadata', 'metadata_advanced', 'edit'].map((part) => ({
    from: `/layers/{name}/${part}`,
    to: item('layers', '/layers/{id}'),
    by: 'links to GeoNode 3',
  })),
  { from: '/datasets', to: page('/?type=layer'), by: 'links to GeoNode 4' },
  { from: '/datasets/{name}', to: item('layers', '/layers/{id}'), by: 'links to GeoNode 4' },
  { from: '/datasets/{name}/embed', to: item('layers', '/layers/{id}/embed'), by: 'pages that embed a layer' },
  ...['metadata_detail', 'metadata_read', 'metadata', 'metadata_advanced', 'edit'].map((part) => ({
    from: `/datasets/{name}/${part}`,
    to: item('layers', '/layers/{id}'),
    by: 'links to GeoNode 4, geonode-benchmark',
  })),
  { from: '/maps', to: page('/?type=map'), by: 'links to GeoNode' },
  { from: '/maps/new', to: page('/viewer'), by: 'links to GeoNode' },
  { from: '/maps/{id}/view', to: item('maps', '/viewer/{id}'), by: 'links to GeoNode 3' },
  { from: '/maps/{id}/edit', to: item('maps', '/viewer/{id}'), by: 'MapStore client, after a map was saved' },
  { from: '/maps/{id}/metadata_detail', to: item('maps', '/maps/{id}'), by: 'links to GeoNode' },
  { from: '/documents', to: page('/?type=document'), by: 'links to GeoNode' },
  { from: '/documents/{id}/metadata_detail', to: item('documents', '/documents/{id}'), by: 'links to GeoNode' },
  { from: '/documents/{id}/link', to: item('documents', '/documents/{id}/download'), by: 'links to GeoNode 4' },
  { from: '/apps', to: page('/?type=geostory'), by: 'links to GeoNode' },
  { from: '/apps/{id}', to: item('geoapps', '/apps/preview/{id}'), by: 'links to GeoNode' },
  { from: '/apps/{id}/view', to: item('geoapps', '/apps/preview/{id}'), by: 'links to GeoNode' },
  { from: '/people', to: page('/'), by: 'links to GeoNode' },
  { from: '/people/profile/{name}', to: item('owners', '/?owner={name}'), by: 'MapStore client, geonode-benchmark' },
  { from: '/account/logout', to: page('/account'), by: 'links to GeoNode; signing out itself is a POST' },
  { from: '/account/signup', to: page('/account/login'), by: 'links to GeoNode' },
];

export const ADDRESSES: readonly AddressRow[] = [...GEOSERVER, ...V1, ...ACTIONS, ...PAGES];

/** `roads.sld` and `roads` are the style as SLD, `roads.json` what it is. */
function styleFile({ file = '' }: Parts): string {
  return `/styles/-/${/\.(?:sld|json)$/.test(file) ? file : `${file}.sld`}`;
}

const PICTURES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/png8': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

function gwcTile({ layer, style = '', set = '', z = '', row, col }: Parts, query: URLSearchParams): string | undefined {
  const format = PICTURES[(query.get('format') ?? 'image/png').toLowerCase()];
  if (format === undefined) return undefined;
  return `/wmts/1.0.0/${layer}/${style === '' ? 'default' : style}/${isMercator(set) ? 'WebMercatorQuad' : set}/${z.slice(z.lastIndexOf(':') + 1)}/${row}/${col}.${format}`;
}

/** `roads@EPSG:900913@png/3/4/2.png`: rows are counted from the south. */
function tmsTile({ tileset = '', z = '', x, file = '' }: Parts): string | undefined {
  const [layer = '', set = '', format = ''] = decoded(tileset).split('@');
  const [, y, extension] = /^(\d{1,9})\.(\w{1,5})$/.exec(file) ?? [];
  if (y === undefined || !/^\d{1,2}$/.test(z) || !isMercator(set === '' ? 'EPSG:900913' : set)) return undefined;
  const row = 2 ** Number(z) - 1 - Number(y);
  if (row < 0) return undefined;
  const kind = format === 'pbf' || extension === 'pbf' ? 'tiles' : 'rastertiles';
  const picture = extension === 'jpeg' ? 'jpg' : extension;
  return `/${kind}/${encodeURIComponent(layer)}/${z}/${x}/${row}.${kind === 'tiles' ? 'pbf' : picture}`;
}

function isMercator(set: string): boolean {
  return /^(?:EPSG:(?:900913|3857)(?:x2)?|GoogleMapsCompatible|WebMercatorQuad)$/.test(decoded(set));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
