// A basemap that an administrator adds by its address: the form as an entry of the portal, with an id of its own. Pure.

export const BASEMAP_TYPES = ['xyz', 'style', 'wmts', 'wms', 'pmtiles'] as const;
export type BasemapType = (typeof BASEMAP_TYPES)[number];

export type BasemapEntry = { readonly title: string; readonly type: BasemapType } & Readonly<Record<string, string>>;

export function readEntry(form: FormData): BasemapEntry {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const type = BASEMAP_TYPES.find((one) => one === text('type')) ?? 'xyz';
  const layer = text('layer');
  const named = type === 'wms' ? { layers: layer } : type === 'wmts' && layer !== '' ? { layer } : {};
  const attribution = text('attribution');
  return {
    title: text('title'),
    type,
    url: text('url'),
    ...named,
    ...(attribution === '' ? {} : { attribution }),
  };
}

const MAX_ID = 40;

/** Small letters, digits and hyphens, as the portal wants it; none that is taken. */
export function newBasemapId(title: string, taken: readonly string[]): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter(Boolean)
    .join('-');
  const base = plain.slice(0, MAX_ID - 4) || 'basemap';
  const isFree = (id: string): boolean => !taken.includes(id) && !RESERVED.has(id);
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (isFree(id)) return id;
  }
}

/** Of the packaged map. */
const RESERVED: ReadonlySet<string> = new Set(['world', 'light', 'dark', 'none']);

/** `tiles.example.org` of an address, also of one with places such as `{z}` in it. */
export function hostOf(address: string): string {
  return /^https?:\/\/([^/?#]+)/i.exec(address)?.[1] ?? '';
}
