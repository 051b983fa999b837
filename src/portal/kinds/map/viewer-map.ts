// The viewer's configuration of a map → what the catalogue keeps of it: where it looks, and its layers. Pure.

import { isMembers } from '../../operations/write/body-forms.ts';

export type MapView = {
  readonly zoom: number;
  readonly projection: string;
  readonly center_x: number;
  readonly center_y: number;
};

/** One row of a map's layers; `name` finds the portal's own. */
export type ViewerLayer = {
  readonly n: number;
  readonly name: string | null;
  readonly format: string | null;
  readonly opacity: number;
  readonly styles: string | null;
  readonly transparent: boolean;
  readonly fixed: boolean;
  readonly group: string | null;
  readonly visibility: boolean;
  readonly ows_url: string | null;
  readonly layer_params: string;
  readonly source_params: string;
  /** Its id in the configuration. */
  readonly viewer_id: string | null;
};

const MAX_LAYERS = 1000;

type Json = Readonly<Record<string, unknown>>;

/** `data` is the configuration, with `map` in it or being the map itself. */
export function mapOf(data: unknown): Json {
  const whole = isMembers(data) ? data : {};
  const { map } = whole;
  return isMembers(map) ? map : whole;
}

export function viewOf(map: Json): MapView {
  const { center, zoom, projection } = map;
  const at = isMembers(center) ? center : {};
  return {
    zoom: Math.round(numberIn(zoom, 0, 30, 0)),
    projection: textIn(projection, 32) ?? 'EPSG:3857',
    center_x: numberIn(at['x'], -1e9, 1e9, 0),
    center_y: numberIn(at['y'], -1e9, 1e9, 0),
  };
}

/** A complaint, or the layers; a map may have none. */
export function layersOf(map: Json): readonly ViewerLayer[] | string {
  const { layers = [] } = map;
  if (!Array.isArray(layers)) return 'The layers of a map are a list.';
  if (layers.length > MAX_LAYERS) return `A map has ${MAX_LAYERS} layers at most.`;
  if (!layers.every(isMembers)) return 'Every layer of a map is an object.';
  const hidden = hiddenGroups(map['groups']);
  return layers.map((layer, n) => ({
    n,
    name: textIn(layer['name'], 255) ?? null,
    format: textIn(layer['format'], 255) ?? null,
    opacity: numberIn(layer['opacity'], 0, 1, 1),
    styles: textIn(layer['style'], 1000) ?? textIn(layer['styles'], 1000) ?? null,
    transparent: flagIn(layer['transparent'], true),
    fixed: flagIn(layer['fixed'], false),
    group: textIn(layer['group'], 255) ?? null,
    visibility: flagIn(layer['visibility'], true) && !hidden.has(layer['group']),
    ows_url: addressIn(layer['url']) ?? null,
    layer_params: JSON.stringify(layer),
    source_params: JSON.stringify({ type: layer['type'] ?? null, url: layer['url'] ?? null }),
    viewer_id: textIn(layer['id'], 255) ?? null,
  }));
}

/** The ids of groups whose layers are not shown. */
function hiddenGroups(groups: unknown): ReadonlySet<unknown> {
  if (!Array.isArray(groups)) return new Set();
  return new Set(groups.filter((one) => isMembers(one) && one['visibility'] === false).map(({ id }) => id));
}

export type Attribute = {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly value: unknown;
};

const ATTRIBUTE_TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'binary'];
const MAX_ATTRIBUTES = 100;

/** A complaint, or the attributes. */
export function parseAttributes(value: unknown): readonly Attribute[] | string {
  if (!Array.isArray(value)) return 'Expected a list of attributes.';
  if (value.length > MAX_ATTRIBUTES) return `A map has ${MAX_ATTRIBUTES} attributes at most.`;
  const attributes: Attribute[] = [];
  for (const item of value) {
    const { name, type = 'string', label, value: content = null } = isMembers(item) ? item : {};
    if (typeof name !== 'string' || name === '' || name.length > 255) return 'Every attribute needs a name.';
    if (typeof type !== 'string' || !ATTRIBUTE_TYPES.includes(type)) {
      return `The type of an attribute is one of ${ATTRIBUTE_TYPES.join(', ')}.`;
    }
    attributes.push({ name, type, label: textIn(label, 255) ?? name, value: content });
  }
  return attributes;
}

/** The text of one of them. */
export function attributeText(attributes: readonly Attribute[], name: string): string | undefined {
  const found = attributes.find((attribute) => attribute.name === name)?.value;
  return typeof found === 'string' && found.trim() !== '' ? found.trim() : undefined;
}

function textIn(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && value !== '' && !value.includes('\0')
    ? [...value].slice(0, max).join('')
    : undefined;
}

function numberIn(value: unknown, min: number, max: number, usual: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : usual;
}

function flagIn(value: unknown, usual: boolean): boolean {
  return typeof value === 'boolean' ? value : usual;
}

/** Several addresses of one service are a list. */
function addressIn(value: unknown): string | undefined {
  return textIn(Array.isArray(value) ? value[0] : value, 4096);
}
