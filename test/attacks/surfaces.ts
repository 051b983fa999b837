// Every way of asking about an item, with the permission that it takes. Each tells what it saw; what that should have been is the model's
// business.

import type { PortalClient } from '../testkit/portal-client.ts';
import type { Reply } from '../testkit/reply-matcher.ts';
import type { Kind, ModelItem, Right } from './permission-model.ts';

/** Somebody, on the portal and its map services and on the REST service beside it. */
export type Asker = {
  /** A map that everybody sees, with every layer of the model in it. */
  readonly atlas: number;
  readonly portal: PortalClient;
  rest(target: string): Promise<{ readonly status: number; readonly text: string }>;
};

export type Surface = {
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** One of these is enough; none: it is for nobody. */
  readonly needs: readonly Right[];
  /** Somebody with an unlisted link sees what it shows. Not in lists, and nobody writes by a link. */
  readonly takesLink: boolean;
} & (
  | { /** Is it there? */ readonly each: (asker: Asker, item: ModelItem) => Promise<boolean> }
  | {
      /** Which of them are there, in one answer? */ readonly all: (
        asker: Asker,
        items: readonly ModelItem[],
      ) => Promise<ReadonlySet<number>>;
    }
);

const ALL: readonly Kind[] = ['layer', 'map', 'document'];
const LAYERS: readonly Kind[] = ['layer'];
const COLLECTION: Readonly<Record<Kind, string>> = { layer: 'layers', map: 'maps', document: 'documents' };
const VIEW = ['view_resourcebase'] as const;
const OWN = ['owner'] as const;
/** Who may change rows has to read them. */
const ROWS = ['download_resourcebase', 'change_layer_data'] as const;

const reads = (
  name: string,
  kinds: readonly Kind[],
  needs: readonly Right[],
  address: (item: ModelItem) => string,
): Surface => ({
  name,
  kinds,
  needs,
  takesLink: true,
  each: async ({ portal }, item) => isThere(await portal.get(address(item)), address(item)),
});

const withoutLinks = (surface: Surface): Surface => ({ ...surface, takesLink: false });

/** Clients of the service begin with it. */
const byLink = (surface: Surface): Surface => ({ ...surface, takesLink: true });

/** Items whose names stand in one document. */
const names = (
  name: string,
  kinds: readonly Kind[],
  where: string | ((asker: Asker) => string),
  needs: readonly Right[] = VIEW,
): Surface => ({
  name,
  kinds,
  needs,
  // An item that shows others is named.
  takesLink: typeof where !== 'string',
  all: async (asker, items) => {
    const address = typeof where === 'string' ? where : where(asker);
    const reply = await asker.portal.get(address);
    if (reply.status !== 200) throw new Error(`${address}: ${reply.status} ${String(reply.body).slice(0, 300)}`);
    const text = String(reply.body);
    return new Set(items.filter((item) => text.includes(item.name)).map((item) => item.id));
  },
});

const ids = (name: string, kinds: readonly Kind[], address: string, member: string): Surface => ({
  name,
  kinds,
  needs: VIEW,
  takesLink: false,
  all: async ({ portal }) => {
    const reply = await portal.get(address);
    if (reply.status !== 200) throw new Error(`${address}: ${reply.status} ${String(reply.body).slice(0, 300)}`);
    const answer = JSON.parse(String(reply.body)) as Record<string, readonly { pk: string }[]> & { total?: number };
    const listed = new Set((answer[member] ?? []).map(({ pk }) => Number(pk)));
    // The total is a count of its own, and tells as much.
    if (answer.total !== undefined && answer.total !== listed.size)
      throw new Error(`${address}: total ${answer.total} of ${listed.size}`);
    return listed;
  },
});

/** Uploads by the names of their layers. */
const uploads = (name: string, address: string): Surface => names(name, LAYERS, address, OWN);

const WMS = '/ows?service=WMS&version=1.3.0&crs=EPSG:4326&bbox=40,0,60,20&width=32&height=32';
const WFS = '/ows?service=WFS&version=2.0.0';

export const SURFACES: readonly Surface[] = [
  reads('an item', ALL, VIEW, ({ id }) => `/api/v2/resources/${id}/`),
  reads('an item of its kind', ALL, VIEW, ({ id, kind }) => `/api/v2/${COLLECTION[kind]}/${id}/`),
  reads('a field of an item', ALL, VIEW, ({ id }) => `/api/v2/resources/${id}/keywords/`),
  reads('what is linked to it', ALL, VIEW, ({ id }) => `/api/v2/resources/${id}/linked_resources/`),
  withoutLinks(reads('its record', ALL, VIEW, ({ id }) => `/api/v2/metadata/instance/${id}/`)),
  withoutLinks(reads('an item of the first version', ALL, VIEW, ({ id }) => `/api/base/${id}/`)),
  ids('the list', ALL, '/api/v2/resources/?page_size=100', 'resources'),
  ids('a search', ALL, '/api/v2/resources/?page_size=100&search=matrix', 'resources'),
  ids('a filtered list', ALL, '/api/v2/resources/?page_size=100&filter{title.icontains}=matrix', 'resources'),
  ids('the list of maps', ['map'], '/api/v2/maps/?page_size=100', 'maps'),
  names('records', ALL, '/records/collections/catalogue/items?limit=100'),
  reads('who may do what', ALL, ['change_resourcebase_permissions'], ({ id }) => `/api/v2/resources/${id}/get_perms/`),
  reads(
    'levels',
    ALL,
    ['change_resourcebase_permissions'],
    ({ id, kind }) => `/api/v2/${COLLECTION[kind]}/${id}/permissions`,
  ),

  reads('a thumbnail', ALL, VIEW, ({ id }) => `/thumbs/${id}.png`),
  withoutLinks(reads('the viewer store', ['map'], OWN, ({ id }) => `/mapstore/rest/resources/${id}/`)),
  withoutLinks(reads('an upload', LAYERS, OWN, ({ upload }) => `/api/v2/uploads/${upload}/`)),
  withoutLinks(reads('files of an upload', LAYERS, OWN, ({ upload }) => `/api/v2/uploads/${upload}/uploadfile_set/`)),
  uploads('uploads', '/api/v2/uploads/?page_size=100'),
  reads('styles of a layer', LAYERS, VIEW, ({ id }) => `/api/v2/layers/${id}/styles/`),
  reads('attributes of a layer', LAYERS, VIEW, ({ id }) => `/api/v2/layers/${id}/attribute_set/`),
  names('layers of a map', LAYERS, ({ atlas }) => `/api/v2/maps/${atlas}/layers/`),
  names('a map with its layers', LAYERS, ({ atlas }) => `/api/v2/maps/${atlas}/?include[]=maplayers`),
  names(
    'a list by path',
    ALL,
    '/api/v2/resources/?page_size=100&filter{owner.username.in}=ada&filter{owner.username.in}=bob&filter{owner.username.in}=mia&filter{owner.username.in}=mel',
  ),
  names('records of DCAT', ALL, '/dcat/catalog.jsonld'),
  names(
    'records of CSW',
    ALL,
    '/csw?service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&resultType=results&elementSetName=full&maxRecords=100',
  ),
  withoutLinks(reads('the metadata page', LAYERS, VIEW, ({ name }) => `/datasets/${name}/metadata_detail`)),

  reads('a document', ['document'], ['download_resourcebase'], ({ id }) => `/documents/${id}/download`),
  {
    name: 'facets',
    kinds: ALL,
    needs: VIEW,
    takesLink: false,
    // Only a number is told; it has to be that of the list, which is held against the model by itself.
    all: async ({ portal }) => {
      const [facets, list] = await Promise.all([
        portal.get('/api/v2/resources/facets/'),
        portal.get('/api/v2/resources/?page_size=100'),
      ]);
      const { resources } = JSON.parse(String(list.body)) as {
        resources: readonly { pk: string; owner: { username: string } }[];
      };
      const owners = countedBy(resources.map(({ owner }) => owner.username));
      const told = ownersIn(JSON.parse(String(facets.body)));
      if (JSON.stringify(told) !== JSON.stringify(owners))
        throw new Error(`facets: ${JSON.stringify(told)}, list: ${JSON.stringify(owners)}`);
      return new Set(resources.map(({ pk }) => Number(pk)));
    },
  },

  reads('TileJSON', LAYERS, VIEW, ({ name }) => `/tiles/${name}.json`),
  reads('a tile', LAYERS, VIEW, ({ name }) => `/tiles/${name}/2/2/1.mvt`),
  reads('a tile of labels', LAYERS, VIEW, ({ name }) => `/tiles/${name}/labels/2/2/1.mvt`),
  reads('a style', LAYERS, VIEW, ({ name }) => `/styles/${name}`),
  reads('a collection', LAYERS, VIEW, ({ name }) => `/ogc/collections/${name}`),
  reads('queryables', LAYERS, VIEW, ({ name }) => `/ogc/collections/${name}/queryables`),
  reads('aggregates', LAYERS, VIEW, ({ name }) => `/ogc/collections/${name}/aggregates`),
  reads('one feature', LAYERS, VIEW, ({ name }) => `/ogc/collections/${name}/items/1`),
  reads('a map of a collection', LAYERS, VIEW, ({ name }) => `/ogc/collections/${name}/map?width=16&height=16`),
  reads('GetMap', LAYERS, VIEW, ({ name }) => `${WMS}&request=GetMap&layers=${name}&styles=&format=image/png`),
  reads(
    'GetFeatureInfo',
    LAYERS,
    VIEW,
    ({ name }) =>
      `${WMS}&request=GetFeatureInfo&layers=${name}&query_layers=${name}&styles=&format=image/png&info_format=application/json&i=16&j=16`,
  ),
  reads(
    'a legend',
    LAYERS,
    VIEW,
    ({ name }) => `/ows?service=WMS&version=1.3.0&request=GetLegendGraphic&layer=${name}&format=image/png`,
  ),
  reads('a tile of WMTS', LAYERS, VIEW, ({ name }) => `/wmts/1.0.0/${name}/default/WebMercatorQuad/2/1/2.png`),
  reads('DescribeFeatureType', LAYERS, VIEW, ({ name }) => `${WFS}&request=DescribeFeatureType&typeNames=${name}`),
  names('collections', LAYERS, '/ogc/collections?f=json'),
  byLink(names('capabilities of WMS', LAYERS, '/ows?service=WMS&version=1.3.0&request=GetCapabilities')),
  byLink(names('capabilities of WFS', LAYERS, `${WFS}&request=GetCapabilities`)),
  byLink(names('capabilities of WMTS', LAYERS, '/ows?service=WMTS&version=1.0.0&request=GetCapabilities')),

  reads('features', LAYERS, ROWS, ({ name }) => `/ogc/collections/${name}/items?f=json`),
  reads(
    'GetFeature',
    LAYERS,
    ROWS,
    ({ name }) => `${WFS}&request=GetFeature&typeNames=${name}&outputFormat=application/json`,
  ),
  reads('edits of a layer', LAYERS, ROWS, ({ name }) => `/ogc/collections/${name}/history`),
  reads('a download', LAYERS, ['download_resourcebase'], ({ name }) => `/download/${name}.geojson`),
  {
    name: 'rows by REST',
    kinds: LAYERS,
    needs: ROWS,
    takesLink: true,
    each: async ({ rest }, { name }) => {
      const { status, text } = await rest(`/${name}?select=fid`);
      if (status === 200 && text !== '[{"fid":1}]') throw new Error(`rows of ${name}: ${text}`);
      return isThere({ status, body: text }, `REST /${name}`);
    },
  },
  {
    name: 'a hint of REST',
    kinds: LAYERS,
    // Where names can be hidden, no hint tells any, not even to who may know them.
    needs: [],
    takesLink: false,
    each: async ({ rest }, { name }) => {
      const { status, text } = await rest(`/${name}s`);
      if (status !== 404) throw new Error(`REST /${name}s: ${status} ${text}`);
      return text.replaceAll(`${name}s`, '').includes(name);
    },
  },
  {
    name: 'the description of REST',
    kinds: LAYERS,
    needs: VIEW,
    takesLink: false,
    all: async ({ rest }, items) => {
      const { text } = await rest('/');
      return new Set(items.filter(({ name }) => text.includes(`/${name}"`)).map(({ id }) => id));
    },
  },
  {
    name: 'a change of the title',
    kinds: ALL,
    needs: ['change_resourcebase', 'change_resourcebase_metadata'],
    takesLink: false,
    each: async ({ portal }, { id, name }) =>
      isThere(
        await portal.patch(`/api/v2/resources/${id}/`, { title: `matrix ${name} ${nextTitle()}` }),
        `PATCH ${id}`,
      ),
  },
  {
    name: 'a change of a row',
    kinds: LAYERS,
    needs: ['change_layer_data'],
    takesLink: false,
    each: async ({ portal }, { name }) =>
      isThere(
        await portal.request('PATCH', `/ogc/collections/${name}/items/1`, {
          body: JSON.stringify({ type: 'Feature', properties: { label: 'same' } }),
          headers: { 'content-type': 'application/merge-patch+json' },
        }),
        `PATCH ${name}`,
      ),
  },
];

type Facets = {
  readonly total: number;
  readonly facets: readonly {
    readonly name: string;
    readonly entries: readonly { readonly value: string; readonly count: number }[];
  }[];
};

/** Whose items there are, and how many, by name. */
function ownersIn({ facets }: Facets): readonly (readonly [string, number])[] {
  const owners = facets.find(({ name }) => name === 'owner')?.entries ?? [];
  return owners.map(({ value, count }) => [value, count] as const).sort(([a], [b]) => a.localeCompare(b));
}

function countedBy(values: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

/** A title that it does not have yet: writing what stands there already changes nothing, and is nobody's right to refuse. */
let titles = 0;
const nextTitle = (): number => ++titles;

function isThere({ status, body }: Pick<Reply, 'status' | 'body'>, address: string): boolean {
  if (status >= 200 && status < 400) return true;
  if ([401, 403, 404].includes(status)) return false;
  // OGC services say it in a document of their own.
  if (status === 400 && /LayerNotDefined|InvalidParameterValue|not found|no layer|unknown/i.test(String(body)))
    return false;
  throw new Error(`${address}: ${status} ${String(body).slice(0, 300)}`);
}
