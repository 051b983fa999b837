// Groups of points in SLD. Clusters are the transformation `vec:PointStacker`, which GeoServer has too; its groups call their number `count`. A honeycomb
// has no such name anywhere: it is an option of ours, and other programs draw the features. Pure.

import { escapeXml } from '../../kernel/escape-xml.ts';
import { CLUSTER_SIZES, COUNT, type Group, groupOf, parseGroup, SHORT_COUNT } from './group.ts';
import { type Json, METADATA, type StyleLayer } from './style-layer.ts';
import { childOf, childrenOf, textOf, type XmlElement } from './xml-tree.ts';

const STACKER = 'vec:PointStacker';
const STACKED_COUNT = 'count';
const HEXAGONS = 'survest-hexagons';

/** What stands before and after the rules of a FeatureTypeStyle; and the layer in the words of that transformation. */
export function writeSldGroup(layer: StyleLayer): {
  readonly before: string;
  readonly after: string;
  readonly layer: StyleLayer;
} {
  const group = groupOf(layer);
  if (group === undefined) return { before: '', after: '', layer };
  if (group.kind === 'hexagon') {
    const { kind: _kind, ...option } = group;
    return {
      before: '<!-- hexagons: drawn by Survest alone -->',
      after: `<VendorOption name="${HEXAGONS}">${escapeXml(JSON.stringify(option))}</VendorOption>`,
      layer,
    };
  }
  const parameter = (name: string, value: string): string =>
    `<ogc:Function name="parameter"><ogc:Literal>${name}</ogc:Literal>${value}</ogc:Function>`;
  const env = (name: string): string => `<ogc:Function name="env"><ogc:Literal>${name}</ogc:Literal></ogc:Function>`;
  const parameters = [
    parameter('data', ''),
    parameter('cellSize', `<ogc:Literal>${group.size}</ogc:Literal>`),
    parameter('outputBBOX', env('wms_bbox')),
    parameter('outputWidth', env('wms_width')),
    parameter('outputHeight', env('wms_height')),
  ];
  return {
    before: `<Transformation><ogc:Function name="${STACKER}">${parameters.join('')}</ogc:Function></Transformation>`,
    after: '',
    layer: renamed(layer, (name) => (name === COUNT || name === SHORT_COUNT ? STACKED_COUNT : name)),
  };
}

/** The group of a FeatureTypeStyle, and the transformations and options of it that are understood. */
export function readSldGroup(
  style: XmlElement,
  warn: (message: string) => void,
): { readonly group: Group | undefined; readonly read: ReadonlySet<XmlElement> } {
  for (const option of childrenOf(style, 'VendorOption')) {
    if (option.attributes['name'] !== HEXAGONS) continue;
    const group = parseGroup({ kind: 'hexagon', ...parsedJson(textOf(option)) });
    if (typeof group === 'string') warn(`VendorOption ${HEXAGONS}: ${group}.`);
    else return { group, read: new Set([option]) };
  }
  const transformation = childOf(style, 'Transformation');
  const stacker = childOf(transformation, 'Function');
  if (transformation === undefined || stacker?.attributes['name'] !== STACKER)
    return { group: undefined, read: new Set() };
  const cell = childrenOf(stacker, 'Function')
    .map((parameter) => childrenOf(parameter, 'Literal').map(textOf))
    .find(([name]) => name === 'cellSize')?.[1];
  const wanted = Number(cell ?? 64);
  const size = [...CLUSTER_SIZES].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? 64;
  if (size !== wanted) warn(`${STACKER}: cells are ${size} pixels wide.`);
  return { group: { kind: 'cluster', size }, read: new Set([transformation]) };
}

/** Layers of a FeatureTypeStyle, as layers of its groups. */
export function asGrouped(layer: StyleLayer, group: Group): StyleLayer {
  const metadata = { ...layer.metadata, [METADATA.group]: group as unknown as Json };
  if (group.kind === 'hexagon') return { ...layer, metadata };
  const own = renamed(layer, (name) => (name === STACKED_COUNT ? COUNT : name));
  const field = own.layout?.['text-field'];
  const isCount = JSON.stringify(field) === JSON.stringify(['get', COUNT]);
  return {
    ...own,
    ...(isCount ? { layout: { ...own.layout, 'text-field': ['get', SHORT_COUNT] } } : {}),
    metadata,
  };
}

function parsedJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The same with other names of attributes. */
function renamed(layer: StyleLayer, rename: (name: string) => string): StyleLayer {
  const walk = (value: Json): Json => {
    if (!Array.isArray(value)) return value;
    const [operator, name, ...rest] = value as readonly Json[];
    if ((operator === 'get' || operator === 'has') && typeof name === 'string')
      return [operator, rename(name), ...rest];
    return (value as readonly Json[]).map(walk);
  };
  const each = (part: StyleLayer['paint']): StyleLayer['paint'] =>
    part === undefined
      ? undefined
      : Object.fromEntries(Object.entries(part).map(([name, value]) => [name, walk(value)]));
  const [paint, layout] = [each(layer.paint), each(layer.layout)];
  return {
    ...layer,
    ...(paint === undefined ? {} : { paint }),
    ...(layout === undefined ? {} : { layout }),
    ...(layer.filter === undefined ? {} : { filter: walk(layer.filter) }),
  };
}
