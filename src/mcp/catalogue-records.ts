// Records of the portal's catalogue, as its API answers them to the caller: what a model is told of an item, and the terms under which its data may be used.

import type { Answered } from './asking.ts';
import type { PortalParts } from './mcp-context.ts';
import type { Source } from './tool-result.ts';

export type ItemRecord = Readonly<Record<string, unknown>>;

const BRIEF = [
  'pk',
  'title',
  'resource_type',
  'abstract',
  'name',
  'owner',
  'license',
  'attribution',
  'extent',
  'detail_url',
];
const MORE = [
  'alternate',
  'category',
  'constraints_other',
  'date',
  'doi',
  'href',
  'keywords',
  'language',
  'last_updated',
  'maplayers',
  'mime_type',
  'purpose',
  'regions',
  'remote',
  'supplemental_information',
  'temporal_extent_end',
  'temporal_extent_start',
];

/** Parameters of an address of the API that answers with what a model needs. */
export function askedFields(detail: 'brief' | 'full'): URLSearchParams {
  const pairs = new URLSearchParams({ 'exclude[]': '*' });
  for (const field of detail === 'brief' ? BRIEF : [...BRIEF, ...MORE]) pairs.append('include[]', field);
  return pairs;
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  layer: 'layers',
  dataset: 'layers',
  map: 'maps',
  document: 'documents',
  geoapp: 'geoapps',
  geostory: 'geostories',
};

export type Found = { readonly item: ItemRecord } | { readonly answered: Answered };

/** An item by its number, as its own collection shows it. */
export async function itemById({ ask }: PortalParts, id: number): Promise<Found> {
  const brief = await ask({ method: 'GET', path: `/api/v2/resources/${id}/?${askedFields('brief')}` });
  const resource = recordIn(brief, 'resource');
  if (resource === undefined) return { answered: brief };
  const type = String(resource['resource_type']);
  const path = `/api/v2/${COLLECTIONS[type] ?? 'resources'}/${id}/?${askedFields('full')}`;
  const full = await ask({ method: 'GET', path });
  const item = onlyMember(full);
  return item === undefined ? { answered: full } : { item: { resource_type: type, ...item } };
}

/** The layer whose table has this name; undefined: the caller sees none. */
export async function layerNamed({ ask }: PortalParts, name: string): Promise<ItemRecord | undefined> {
  const pairs = askedFields('brief');
  pairs.set('filter{name}', name);
  pairs.set('page_size', '1');
  const { status, body, isWhole } = await ask({ method: 'GET', path: `/api/v2/layers/?${pairs}` });
  if (status !== 200 || !isWhole) return undefined;
  const { layers = [] } = JSON.parse(body.toString('utf8')) as { readonly layers?: readonly ItemRecord[] };
  return layers[0];
}

export function sourceOfLayer({ address }: PortalParts, layer: ItemRecord): Source {
  const { title, owner, license, attribution, pk, detail_url: page } = layer;
  return {
    title,
    owner: nameOf(owner),
    license: nameOf(license) ?? 'none is stated',
    ...(attribution === null || attribution === undefined ? {} : { attribution }),
    page: page ?? `${address}/layers/${String(pk)}`,
  };
}

/** Owners and entries of code lists are objects; a model needs what people call them. */
function nameOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const { username, name, gn_description: description, identifier } = value as Record<string, unknown>;
  return username ?? name ?? description ?? identifier;
}

/** A record for a model: names in place of objects, and nothing that is empty. */
export function plainRecord(item: ItemRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(item)
      .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      .map(([key, value]) => [
        key,
        PLAIN.has(key) ? (Array.isArray(value) ? value.map(nameOf) : nameOf(value)) : value,
      ]),
  );
}

const PLAIN: ReadonlySet<string> = new Set(['owner', 'license', 'category', 'keywords', 'regions']);

function recordIn({ status, body, isWhole }: Answered, member: string): ItemRecord | undefined {
  if (status !== 200 || !isWhole) return undefined;
  return (JSON.parse(body.toString('utf8')) as Readonly<Record<string, ItemRecord>>)[member];
}

function onlyMember({ status, body, isWhole }: Answered): ItemRecord | undefined {
  if (status !== 200 || !isWhole) return undefined;
  return Object.values(JSON.parse(body.toString('utf8')) as Readonly<Record<string, ItemRecord>>)[0];
}
