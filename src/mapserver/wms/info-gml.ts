// What was found at a place → a feature collection in GML 2, the form in which QGIS, ArcGIS and GDAL read GetFeatureInfo.
// Positions have x first, as GML 2 always has them. Pure.

import type { GeoGeometry, GeoPosition } from '../../geo/geojson.ts';
import { exactText } from '../../kernel/exact-numbers.ts';
import { NAMESPACE, PREFIX, typeName } from '../features/wfs/wfs-documents.ts';
import { escapeXml, xmlName } from '../xml-text.ts';
import type { FoundFeature } from './feature-info.ts';
import { shortCrs } from './wms-request.ts';

export function writeInfoGml(features: readonly FoundFeature[], srid: number): string {
  const members = features.map((feature) => `<gml:featureMember>${member(feature, srid)}</gml:featureMember>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" xmlns:${PREFIX}="${NAMESPACE}">
<gml:boundedBy><gml:null>unknown</gml:null></gml:boundedBy>
${members.join('')}</wfs:FeatureCollection>
`;
}

function member({ layer, id, geometry, properties }: FoundFeature, srid: number): string {
  const type = `${PREFIX}:${typeName(layer)}`;
  const element = (name: string, content: string): string => {
    const tag = `${PREFIX}:${xmlName(name)}`;
    return `<${tag}>${content}</${tag}>`;
  };
  const values = Object.entries(properties)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => element(name, escapeXml(exactText(value))));
  const shape = geometry === undefined ? undefined : (JSON.parse(geometry) as GeoGeometry);
  const place =
    shape === undefined || layer.kind !== 'vector'
      ? ''
      : element(layer.geometry.column, gmlGeometry(shape, ` srsName="${shortCrs(srid)}"`));
  const fid = escapeXml(`${typeName(layer)}${id === '' ? '' : `.${id}`}`);
  return `<${type} fid="${fid}">${values.join('')}${place}</${type}>`;
}

/** `attributes`: of the outermost element. */
function gmlGeometry(shape: GeoGeometry, attributes = ''): string {
  switch (shape.type) {
    case 'Point':
      return element('Point', coordinates([shape.coordinates]), attributes);
    case 'LineString':
      return element('LineString', coordinates(shape.coordinates), attributes);
    case 'Polygon':
      return element('Polygon', rings(shape.coordinates), attributes);
    case 'MultiPoint':
      return many('MultiPoint', 'pointMember', shape.coordinates, 'Point', attributes);
    case 'MultiLineString':
      return many('MultiLineString', 'lineStringMember', shape.coordinates, 'LineString', attributes);
    case 'MultiPolygon':
      return many('MultiPolygon', 'polygonMember', shape.coordinates, 'Polygon', attributes);
    case 'GeometryCollection':
      return element(
        'MultiGeometry',
        shape.geometries.map((one) => element('geometryMember', gmlGeometry(one))).join(''),
        attributes,
      );
  }
}

function many(
  name: string,
  role: string,
  parts: readonly unknown[],
  type: 'Point' | 'LineString' | 'Polygon',
  attributes: string,
): string {
  const members = parts.map((part) => element(role, gmlGeometry({ type, coordinates: part } as GeoGeometry)));
  return element(name, members.join(''), attributes);
}

function rings([outer = [], ...holes]: readonly (readonly GeoPosition[])[]): string {
  const ring = (role: string, positions: readonly GeoPosition[]): string =>
    element(role, element('LinearRing', coordinates(positions)));
  return ring('outerBoundaryIs', outer) + holes.map((hole) => ring('innerBoundaryIs', hole)).join('');
}

function coordinates(positions: readonly GeoPosition[]): string {
  const text = positions.map(([x, y]) => `${x},${y}`).join(' ');
  return element('coordinates', text, ' decimal="." cs="," ts=" "');
}

function element(name: string, content: string, attributes = ''): string {
  return `<gml:${name}${attributes}>${content}</gml:${name}>`;
}
