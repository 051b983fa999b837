// What the Web Feature Service says of its types and collections, in XML, in each of its versions. Pure.

import type { VectorLayer } from '../../../layer-ports/layer.ts';
import { columnClass } from '../../columns/column-class.ts';
import { propertiesOf } from '../../query/feature-query.ts';
import { withQuery } from '../../with-query.ts';
import { columnOfXmlName, escapeXml, xmlName } from '../../xml-text.ts';
import { DIALECTS, type Dialect, namesOf } from './wfs-dialect.ts';
import type { WfsVersion } from './wfs-version.ts';

export const XML = 'text/xml; charset=utf-8';
/** Features of an answer for which nothing was said. */
export const COUNT_DEFAULT = 100_000;
export const BY_ID = 'urn:ogc:def:query:OGC-WFS::GetFeatureById';

export const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Of the types; the same wherever the portal stands. */
export const NAMESPACE = 'urn:survest:layers';
export const PREFIX = 'portal';

/** Names of elements are narrower than names of layers: those that do not fit go by number. */
export function typeName({ name, id }: Pick<VectorLayer, 'name' | 'id'>): string {
  return xmlName(name) === name ? name : `layer_${id}`;
}

/** `places.5`. Keys can be any text, ids in XML cannot: what does not fit is encoded, as in names. */
export function featureId(layer: Pick<VectorLayer, 'name' | 'id'>, key: string): string {
  return `${typeName(layer)}.${xmlName(`k${key}`).slice(1)}`;
}

/** The key of a feature by its id; undefined: it is the id of another type. */
export function keyOfId(layer: Pick<VectorLayer, 'name' | 'id'>, id: string): string | undefined {
  const prefix = [`${typeName(layer)}.`, `${layer.name}.`].find((one) => id.startsWith(one));
  return prefix === undefined ? undefined : columnOfXmlName(id.slice(prefix.length));
}

export type Exception = { readonly code: string; readonly locator: string; readonly said: string };

export function exceptionReport(version: WfsVersion, { code, locator, said }: Exception): string {
  const at = locator === '' ? '' : ` locator="${escapeXml(locator)}"`;
  const text = escapeXml(said);
  if (version === '1.0.0')
    return `${HEAD}<ServiceExceptionReport xmlns="http://www.opengis.net/ogc" version="1.2.0"><ServiceException code="${escapeXml(code)}"${at}>${text}</ServiceException></ServiceExceptionReport>\n`;
  const report = version === '1.1.0' ? '1.0.0' : '2.0.0';
  return `${HEAD}<ows:ExceptionReport xmlns:ows="${DIALECTS[version].ows}" version="${report}"><ows:Exception exceptionCode="${escapeXml(code)}"${at}><ows:ExceptionText>${text}</ows:ExceptionText></ows:Exception></ows:ExceptionReport>\n`;
}

const XSD = {
  integer: 'xs:int',
  number: 'xs:double',
  boolean: 'xs:boolean',
  text: 'xs:string',
  json: 'xs:string',
  time: 'xs:dateTime',
  date: 'xs:date',
  bytes: 'xs:hexBinary',
} as const;

function xsdType(type: string): string {
  if (type === 'bigint') return 'xs:long';
  if (type.startsWith('numeric')) return 'xs:decimal';
  return XSD[columnClass(type)];
}

const GML3_TYPES: Readonly<Record<string, string>> = {
  Point: 'gml:PointPropertyType',
  MultiPoint: 'gml:MultiPointPropertyType',
  LineString: 'gml:CurvePropertyType',
  MultiLineString: 'gml:MultiCurvePropertyType',
  Polygon: 'gml:SurfacePropertyType',
  MultiPolygon: 'gml:MultiSurfacePropertyType',
};

const GML2_TYPES: Readonly<Record<string, string>> = {
  Point: 'gml:PointPropertyType',
  MultiPoint: 'gml:MultiPointPropertyType',
  LineString: 'gml:LineStringPropertyType',
  MultiLineString: 'gml:MultiLineStringPropertyType',
  Polygon: 'gml:PolygonPropertyType',
  MultiPolygon: 'gml:MultiPolygonPropertyType',
};

/** The schema of types: DescribeFeatureType. */
export async function* schemaDocument(
  { gml, gmlSchema, gmlVersion, version }: Dialect,
  pages: AsyncIterable<readonly VectorLayer[]>,
): AsyncGenerator<string> {
  const geometries = gmlVersion === 2 ? GML2_TYPES : GML3_TYPES;
  const feature = version === '2.0.0' ? 'gml:AbstractFeature' : 'gml:_Feature';
  const typeOf = (layer: VectorLayer): string => {
    const name = typeName(layer);
    const geometry = geometries[layer.geometry.type.replace(/(?:ZM|Z|M)$/, '')] ?? 'gml:GeometryPropertyType';
    const fields = propertiesOf(layer).map(
      ({ name: column, type }) =>
        `<xs:element name="${xmlName(column)}" type="${xsdType(type)}" minOccurs="0" nillable="true"/>`,
    );
    return `<xs:complexType name="${name}Type"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:sequence>${fields.join('')}<xs:element name="${xmlName(layer.geometry.column)}" type="${geometry}" minOccurs="0" nillable="true"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
<xs:element name="${name}" type="${PREFIX}:${name}Type" substitutionGroup="${feature}"/>\n`;
  };
  yield `${HEAD}<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gml="${gml}" xmlns:${PREFIX}="${NAMESPACE}" targetNamespace="${NAMESPACE}" elementFormDefault="qualified" version="1.0">
<xs:import namespace="${gml}" schemaLocation="${gmlSchema}"/>
`;
  for await (const layers of pages) yield layers.map(typeOf).join('');
  yield '</xs:schema>\n';
}

export type Counts = {
  readonly matched: number;
  readonly returned: number;
  readonly timeStamp: string;
  readonly next: string | undefined;
  readonly isHits: boolean;
};

/** The beginning of a collection, up to its first member. */
export function collectionHead(dialect: Dialect, url: string, type: string, counts: Counts): string {
  const { version, wfs, wfsSchema, typeParameter } = dialect;
  const schema = `${withQuery(url)}service=WFS&version=${version}&request=DescribeFeatureType&${typeParameter}=${PREFIX}:${type}`;
  const open = `${HEAD}<wfs:FeatureCollection ${namesOf(dialect)} xmlns:${PREFIX}="${NAMESPACE}" xsi:schemaLocation="${NAMESPACE} ${escapeXml(schema)} ${wfs} ${wfsSchema}"`;
  switch (version) {
    case '1.0.0':
      // GML 2 wants an extent, or that it is not known.
      return `${open}><gml:boundedBy><gml:null>unknown</gml:null></gml:boundedBy>\n`;
    case '1.1.0':
      return `${open} timeStamp="${counts.timeStamp}" numberOfFeatures="${counts.isHits ? counts.matched : counts.returned}">\n`;
    case '2.0.0':
      return `${open} timeStamp="${counts.timeStamp}" numberMatched="${counts.matched}" numberReturned="${counts.returned}"${counts.next === undefined ? '' : ` next="${escapeXml(counts.next)}"`}>\n`;
  }
}

const NAMES_2: string = namesOf(DIALECTS['2.0.0']);

/** The one stored query finds a feature of any type by its id, so each type is one that it can return. */
export async function* storedQueryList(pages: AsyncIterable<readonly VectorLayer[]>): AsyncGenerator<string> {
  const returned = (layer: VectorLayer): string =>
    `<wfs:ReturnFeatureType>${PREFIX}:${typeName(layer)}</wfs:ReturnFeatureType>`;
  yield `${HEAD}<wfs:ListStoredQueriesResponse ${NAMES_2} xmlns:${PREFIX}="${NAMESPACE}"><wfs:StoredQuery id="${BY_ID}"><wfs:Title>Get feature by identifier</wfs:Title>`;
  for await (const layers of pages) yield layers.map(returned).join('');
  yield '</wfs:StoredQuery></wfs:ListStoredQueriesResponse>\n';
}

export async function* storedQueryDescriptions(pages: AsyncIterable<readonly VectorLayer[]>): AsyncGenerator<string> {
  yield `${HEAD}<wfs:DescribeStoredQueriesResponse ${NAMES_2} xmlns:${PREFIX}="${NAMESPACE}"><wfs:StoredQueryDescription id="${BY_ID}"><wfs:Title>Get feature by identifier</wfs:Title><wfs:Parameter name="ID" type="xs:string"/><wfs:QueryExpressionText isPrivate="true" language="urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression" returnFeatureTypes="`;
  let between = '';
  for await (const layers of pages)
    for (const layer of layers) {
      yield `${between}${PREFIX}:${typeName(layer)}`;
      between = ' ';
    }
  yield '"/></wfs:StoredQueryDescription></wfs:DescribeStoredQueriesResponse>\n';
}
