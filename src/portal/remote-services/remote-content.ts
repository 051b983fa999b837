// What a service answered → what a page may be given of it: pictures by their first bytes, whatever the service says they are; features and facts
// as JSON of a known form. Everything else (HTML, SVG, scripts) is none of it. Pure.

import { parseCrs } from '../../geo/crs.ts';
import { parseXml, textOf, type XmlElement } from '../../geo/style/xml-tree.ts';
import type { RemoteReply } from '../../http/outbound/remote-fetch.ts';
import { MAX_FEATURES } from './remote-request.ts';

/** Its media type; undefined: it is no picture that maps are made of. */
export function pictureType(body: Buffer): string | undefined {
  if (body.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (body[0] === 0xff && body[1] === 0xd8 && body[2] === 0xff) return 'image/jpeg';
  const head = body.subarray(0, 12).toString('latin1');
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp';
  return undefined;
}

type Json = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined: it is no JSON object. */
export function jsonOf(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export type RemoteFeatures = {
  readonly type: 'FeatureCollection';
  readonly features: readonly Json[];
  /** There are more in the box than these. */
  readonly truncated: boolean;
};

export function featuresOf(body: Buffer): RemoteFeatures | undefined {
  const answer = jsonOf(body);
  const list = answer?.['features'];
  if (answer === undefined || answer['type'] !== 'FeatureCollection' || !Array.isArray(list)) return undefined;
  const features = list.filter(isObject).slice(0, MAX_FEATURES);
  if (!isInDegrees(answer['crs'])) return undefined;
  const { numberMatched, exceededTransferLimit, properties } = answer;
  const exceeded = isObject(properties) ? properties['exceededTransferLimit'] : exceededTransferLimit;
  return {
    type: 'FeatureCollection',
    features: features.map(({ id, geometry, properties: about }) => ({
      type: 'Feature',
      ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
      geometry: isObject(geometry) ? geometry : null,
      properties: isObject(about) ? about : {},
    })),
    truncated:
      exceeded === true ||
      (typeof numberMatched === 'number' ? numberMatched > features.length : list.length >= MAX_FEATURES),
  };
}

/** Older GeoJSON may name its system; without a name it is in degrees. */
function isInDegrees(crs: unknown): boolean {
  const named = isObject(crs) && isObject(crs['properties']) ? crs['properties']['name'] : undefined;
  return typeof named !== 'string' || parseCrs(named.slice(0, 200))?.srid === 4326;
}

/** What lies at a place, each with its attributes as text. */
export type RemoteFacts = readonly Readonly<Record<string, string>>[];

const MAX_FACTS = 10;
const MAX_ATTRIBUTES = 100;
const MAX_VALUE = 2000;

export function factsOf({ type, body }: RemoteReply): RemoteFacts | undefined {
  const answer = jsonOf(body);
  if (answer !== undefined) return jsonFacts(answer);
  const text = body.toString('utf8');
  if (type.includes('xml') || type.includes('gml') || text.trimStart().startsWith('<?xml')) {
    const tree = parseXml(text);
    return tree.ok && !tree.value.name.startsWith('ServiceException') ? gmlFacts(tree.value) : undefined;
  }
  if (type !== 'text/plain') return undefined;
  const said = text.trim().slice(0, MAX_VALUE);
  return said === '' ? [] : [{ '': said }];
}

/** GeoJSON, or `results` of ArcGIS. */
function jsonFacts(answer: Json): RemoteFacts | undefined {
  const found = answer['features'] ?? answer['results'];
  if (!Array.isArray(found)) return undefined;
  return found.slice(0, MAX_FACTS).flatMap((one: unknown) => {
    const about = isObject(one) ? (one['properties'] ?? one['attributes']) : undefined;
    return isObject(about) ? [attributes(Object.entries(about))] : [];
  });
}

/** Features are what `featureMember` holds, MapServer's `…_feature`, and ArcGIS's `FIELDS`, which has its values in attributes. */
function gmlFacts(tree: XmlElement): RemoteFacts {
  const facts: Record<string, string>[] = [];
  const visit = (one: XmlElement, isMember: boolean): void => {
    if (facts.length >= MAX_FACTS) return;
    const parts = one.children.filter((part): part is XmlElement => typeof part !== 'string');
    if (isMember || one.name.endsWith('_feature')) {
      const plain = parts.filter(({ children }) => children.every((child) => typeof child === 'string'));
      facts.push(attributes(plain.map((part) => [part.name, textOf(part)])));
    } else if (one.name === 'FIELDS') facts.push(attributes(Object.entries(one.attributes)));
    else for (const part of parts) visit(part, /^(?:featureMembers?|member)$/.test(one.name));
  };
  visit(tree, false);
  return facts;
}

function attributes(entries: readonly (readonly [string, unknown])[]): Record<string, string> {
  return Object.fromEntries(
    entries
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .slice(0, MAX_ATTRIBUTES)
      .map(([name, value]) => [
        name.slice(0, 200),
        (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, MAX_VALUE),
      ]),
  );
}

export type RemoteLegend = readonly { readonly label: string; readonly picture: string }[];

/** Of ArcGIS: pictures as text, which are looked at before they are handed on. */
export function legendOf(body: Buffer, name: string): RemoteLegend | undefined {
  const layers = jsonOf(body)?.['layers'];
  if (!Array.isArray(layers)) return undefined;
  const layer = layers.find((one: unknown) => isObject(one) && String(one['layerId']) === name);
  const entries = isObject(layer) ? layer['legend'] : [];
  if (!Array.isArray(entries)) return undefined;
  return entries.slice(0, 100).flatMap((one: unknown) => {
    if (!isObject(one) || typeof one['imageData'] !== 'string' || one['imageData'].length > 100_000) return [];
    const picture = Buffer.from(one['imageData'], 'base64');
    const type = pictureType(picture);
    if (type === undefined) return [];
    const { label } = one;
    return [
      {
        label: typeof label === 'string' ? label.slice(0, 200) : '',
        picture: `data:${type};base64,${picture.toString('base64')}`,
      },
    ];
  });
}
