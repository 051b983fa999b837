// Records of API v2 → objects of API v1, as the lists at `/api/…` have them. Pure: JSON in, JSON out.

export type Json = Readonly<Record<string, unknown>>;

export type V1List =
  | 'base'
  | 'layers'
  | 'maps'
  | 'documents'
  | 'categories'
  | 'keywords'
  | 'regions'
  | 'owners'
  | 'profiles'
  | 'groups';

export function v1Record(list: V1List, record: Json): Json {
  const id = Number(record['pk']);
  const uri = { id, resource_uri: `/api/${list}/${id}/` };
  switch (list) {
    case 'base':
    case 'layers':
    case 'maps':
    case 'documents':
      return { ...item(record), ...uri };
    case 'categories':
      return {
        ...plain(record),
        ...uri,
        gn_description: record['description'],
        gn_description_en: record['description'],
        is_choice: true,
      };
    case 'keywords':
      return { ...plain(record), ...uri };
    case 'regions':
      return { ...plain(record), ...uri, name_en: record['name'] };
    case 'owners':
    case 'profiles':
      return { ...plain(record), ...uri, ...person(record) };
    case 'groups':
      return {
        ...plain(record),
        ...uri,
        group_profile: { title: record['title'], slug: record['slug'] },
        name: record['slug'],
      };
  }
}

/** Without what is of API v2 alone. */
function plain({ pk: _pk, link: _link, perms: _perms, ...rest }: Json): Json {
  return rest;
}

function person(record: Json): Json {
  const username = String(record['username'] ?? '');
  return {
    full_name: fullName(record),
    avatar_100: record['avatar'],
    profile_detail_url: `/people/profile/${encodeURIComponent(username)}/`,
  };
}

function fullName(person: Json): string {
  const full = `${person['first_name'] ?? ''} ${person['last_name'] ?? ''}`.trim();
  return full === '' ? String(person['username'] ?? '') : full;
}

function item(record: Json): Json {
  const owner = members(record['owner']);
  const category = members(record['category']);
  const box = extent(record['ll_bbox_polygon'] ?? record['bbox_polygon']);
  const type = record['resource_type'];
  return {
    ...COPIED.reduce<Record<string, unknown>>((copy, name) => {
      if (record[name] !== undefined) copy[name] = record[name];
      return copy;
    }, {}),
    type,
    ...storeOf(record),
    date: withoutZone(record['date']),
    temporal_extent_start: withoutZone(record['temporal_extent_start']),
    temporal_extent_end: withoutZone(record['temporal_extent_end']),
    detail_url: pathOf(record['detail_url']),
    owner__username: owner['username'] ?? null,
    owner_name: Object.keys(owner).length === 0 ? null : fullName(owner),
    category: category['identifier'] ?? null,
    category__gn_description: category['gn_description'] ?? category['identifier'] ?? null,
    keywords: list(record['keywords']).map(({ name }) => name),
    regions: list(record['regions']).map(({ name }) => name),
    csw_type: type === 'layer' ? 'dataset' : type,
    csw_wkt_geometry: box === undefined ? null : polygon(box),
    bbox_x0: box?.[0] ?? null,
    bbox_y0: box?.[1] ?? null,
    bbox_x1: box?.[2] ?? null,
    bbox_y1: box?.[3] ?? null,
    default_style: members(record['default_style'])['name'] ?? null,
  };
}

/** Lists of all items do not tell it of layers; their kind does. */
function storeOf({ storeType, subtype }: Json): Json {
  const kind = typeof subtype === 'string' ? subtype.split('_', 1)[0] : undefined;
  const store = storeType ?? (kind === 'raster' ? 'coverageStore' : kind === 'vector' ? 'dataStore' : null);
  return { storeType: store, store_type: store };
}

const COPIED = [
  'uuid',
  'title',
  'abstract',
  'raw_abstract',
  'alternate',
  'name',
  'workspace',
  'store',
  'subtype',
  'resource_type',
  'date_type',
  'srid',
  'thumbnail_url',
  'language',
  'supplemental_information',
  'popular_count',
  'share_count',
  'rating',
  'featured',
  'is_approved',
  'is_published',
  'metadata_only',
  'has_time',
  'doc_url',
  'doc_type',
  'extension',
] as const;

/** API v1 wrote times without fractions and zone, and clients read them so. */
function withoutZone(time: unknown): string | null {
  return typeof time === 'string' ? time.slice(0, 19) : null;
}

function pathOf(url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function members(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(members) : [];
}

type Box = readonly [number, number, number, number];

function extent(geometry: unknown): Box | undefined {
  const { coordinates } = members(geometry);
  const points = (
    Array.isArray(coordinates) ? coordinates.flat(Array.isArray(coordinates[0]?.[0]?.[0]) ? 2 : 1) : []
  ) as unknown[];
  const xs = points.map((point) => Number((point as readonly unknown[])[0])).filter(Number.isFinite);
  const ys = points.map((point) => Number((point as readonly unknown[])[1])).filter(Number.isFinite);
  if (xs.length === 0 || ys.length === 0) return undefined;
  const low = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b));
  const high = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b));
  return [low(xs), low(ys), high(xs), high(ys)];
}

function polygon([x0, y0, x1, y1]: Box): string {
  return `POLYGON((${x0} ${y0},${x0} ${y1},${x1} ${y1},${x1} ${y0},${x0} ${y0}))`;
}
