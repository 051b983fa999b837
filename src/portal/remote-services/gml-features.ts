// A collection of features as a WFS writes it (GML 3.2, 3.1, 2) → GeoJSON of the form that pages are given. Pure.

import { GML_GEOMETRIES, gmlGeometry } from '../../geo/gml.ts';
import { childrenOf, parseXml, textOf, type XmlElement, type XmlLimits } from '../../geo/style/xml-tree.ts';
import type { RemoteFeatures } from './remote-content.ts';
import { MAX_FEATURES } from './remote-request.ts';

const LIMITS: XmlLimits = { bytes: 20_000_000, elements: 400_000, depth: 60 };
const MAX_PROPERTIES = 200;
const MAX_VALUE = 10_000;
const MEMBERS: readonly string[] = ['member', 'featureMember', 'featureMembers'];

/** `srs`: the system that was asked for. Undefined: it is no collection, or too large a one. */
export function gmlFeatures(body: Buffer, srs: string): RemoteFeatures | undefined {
  const text = body.toString('utf8');
  if (!text.trimStart().startsWith('<')) return undefined;
  const tree = parseXml(text, LIMITS);
  if (!tree.ok || tree.value.name !== 'FeatureCollection') return undefined;
  const members = childrenOf(tree.value, ...MEMBERS).flatMap((member) => childrenOf(member));
  const features = members.slice(0, MAX_FEATURES).map((one) => featureOf(one, srs));
  const matched = Number(tree.value.attributes['numberMatched'] ?? Number.NaN);
  return {
    type: 'FeatureCollection',
    features,
    truncated: Number.isFinite(matched) ? matched > features.length : members.length >= MAX_FEATURES,
  };
}

function featureOf(one: XmlElement, srs: string): Readonly<Record<string, unknown>> {
  const properties: Record<string, string> = Object.create(null) as Record<string, string>;
  let geometry: unknown = null;
  let count = 0;
  for (const part of childrenOf(one)) {
    if (part.name === 'boundedBy') continue;
    const [inner] = childrenOf(part);
    if (inner === undefined) {
      const value = textOf(part);
      if (value !== '' && count++ < MAX_PROPERTIES) properties[part.name.slice(0, 200)] = value.slice(0, MAX_VALUE);
    } else if (geometry === null && GML_GEOMETRIES.has(inner.name)) geometry = gmlGeometry(inner, srs) ?? null;
  }
  const id = one.attributes['id'] ?? one.attributes['fid'];
  return { type: 'Feature', ...(id === undefined ? {} : { id: id.slice(0, 500) }), geometry, properties };
}
