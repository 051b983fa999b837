// What the Web Feature Service 2.0 says of itself and of its types, in XML. Pure.

import type { VectorLayer } from '../../../layers/layer.ts';
import { columnClass } from '../../layers/column-class.ts';
import { propertiesOf } from '../../query/feature-query.ts';
import { escapeXml, xmlName } from '../../xml-text.ts';

export const XML = 'text/xml; charset=utf-8';
export const GML = 'application/gml+xml; version=3.2';
export const FORMATS: readonly string[] = [GML, 'text/xml; subtype=gml/3.2', 'application/json', 'text/csv'];
/** Features of an answer for which nothing was said. */
export const COUNT_DEFAULT = 100_000;
export const BY_ID = 'urn:ogc:def:query:OGC-WFS::GetFeatureById';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMES =
  'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema"';

/** Of the types; the same wherever the portal stands. */
export const NAMESPACE = 'urn:survest:layers';
export const PREFIX = 'portal';

/** Names of elements are narrower than names of layers: those that do not fit go by number. */
export function typeName({ name, id }: Pick<VectorLayer, 'name' | 'id'>): string {
  return xmlName(name) === name ? name : `layer_${id}`;
}

export function srsName(srid: number): string {
  return `urn:ogc:def:crs:EPSG::${srid}`;
}

export function exceptionReport(code: string, locator: string, said: string): string {
  return `${HEAD}<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1" version="2.0.0"><ows:Exception exceptionCode="${escapeXml(code)}" locator="${escapeXml(locator)}"><ows:ExceptionText>${escapeXml(said)}</ows:ExceptionText></ows:Exception></ows:ExceptionReport>\n`;
}

export function capabilities(url: string, layers: readonly VectorLayer[]): string {
  const operation = (name: string, parameters: string): string =>
    `<ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${escapeXml(url)}?"/><ows:Post xlink:href="${escapeXml(url)}"/></ows:HTTP></ows:DCP>${parameters}</ows:Operation>`;
  const allowed = (name: string, values: readonly string[]): string =>
    `<ows:Parameter name="${name}"><ows:AllowedValues>${values.map((value) => `<ows:Value>${escapeXml(value)}</ows:Value>`).join('')}</ows:AllowedValues></ows:Parameter>`;
  const constraint = (name: string, value: string): string =>
    `<ows:Constraint name="${name}"><ows:NoValues/><ows:DefaultValue>${value}</ows:DefaultValue></ows:Constraint>`;
  const can = [
    'ImplementsBasicWFS',
    'KVPEncoding',
    'XMLEncoding',
    'ImplementsResultPaging',
    'ImplementsSorting',
    'ImplementsMinStandardFilter',
    'ImplementsStandardFilter',
    'ImplementsMinSpatialFilter',
    'ImplementsSpatialFilter',
    'ImplementsResourceId',
    'ImplementsQuery',
    'ImplementsAdHocQuery',
    'ImplementsSimpleWFS',
  ];
  const cannot = [
    'ImplementsTransactionalWFS',
    'ImplementsLockingWFS',
    'SOAPEncoding',
    'ImplementsInheritance',
    'ImplementsRemoteResolve',
    'ImplementsStandardJoins',
    'ImplementsSpatialJoins',
    'ImplementsTemporalJoins',
    'ImplementsFeatureVersioning',
    'ManageStoredQueries',
    'ImplementsMinTemporalFilter',
    'ImplementsTemporalFilter',
    'ImplementsFunctions',
    'ImplementsExtendedOperators',
  ];
  const comparisons = [
    'PropertyIsEqualTo',
    'PropertyIsNotEqualTo',
    'PropertyIsLessThan',
    'PropertyIsGreaterThan',
    'PropertyIsLessThanOrEqualTo',
    'PropertyIsGreaterThanOrEqualTo',
    'PropertyIsLike',
    'PropertyIsNull',
    'PropertyIsNil',
    'PropertyIsBetween',
  ];
  const relations = [
    'BBOX',
    'Equals',
    'Disjoint',
    'Intersects',
    'Touches',
    'Crosses',
    'Within',
    'Contains',
    'Overlaps',
  ];
  const operands = [
    'gml:Envelope',
    'gml:Point',
    'gml:MultiPoint',
    'gml:LineString',
    'gml:MultiCurve',
    'gml:Polygon',
    'gml:MultiSurface',
  ];
  return `${HEAD}<wfs:WFS_Capabilities ${NAMES} xmlns:${PREFIX}="${NAMESPACE}" version="2.0.0" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd">
<ows:ServiceIdentification><ows:Title>Map services</ows:Title><ows:Abstract>The layers of this portal as features.</ows:Abstract><ows:ServiceType>WFS</ows:ServiceType><ows:ServiceTypeVersion>2.0.0</ows:ServiceTypeVersion><ows:Fees>NONE</ows:Fees><ows:AccessConstraints>NONE</ows:AccessConstraints></ows:ServiceIdentification>
<ows:ServiceProvider><ows:ProviderName>Survest</ows:ProviderName><ows:ServiceContact/></ows:ServiceProvider>
<ows:OperationsMetadata>
${operation('GetCapabilities', allowed('AcceptVersions', ['2.0.0']) + allowed('AcceptFormats', ['text/xml']))}
${operation('DescribeFeatureType', allowed('outputFormat', ['application/gml+xml; version=3.2']))}
${operation('GetFeature', allowed('resultType', ['results', 'hits']) + allowed('outputFormat', FORMATS) + constraint('PagingIsTransactionSafe', 'FALSE') + constraint('CountDefault', String(COUNT_DEFAULT)))}
${operation('ListStoredQueries', '')}
${operation('DescribeStoredQueries', '')}
<ows:Parameter name="version"><ows:AllowedValues><ows:Value>2.0.0</ows:Value></ows:AllowedValues></ows:Parameter>
${can.map((name) => constraint(name, 'TRUE')).join('')}${cannot.map((name) => constraint(name, 'FALSE')).join('')}
<ows:Constraint name="QueryExpressions"><ows:AllowedValues><ows:Value>wfs:Query</ows:Value><ows:Value>wfs:StoredQuery</ows:Value></ows:AllowedValues></ows:Constraint>
</ows:OperationsMetadata>
<wfs:FeatureTypeList>
${layers.map(featureType).join('\n')}
</wfs:FeatureTypeList>
<fes:Filter_Capabilities><fes:Conformance>${['Query', 'AdHocQuery', 'ResourceId', 'MinStandardFilter', 'StandardFilter', 'MinSpatialFilter', 'SpatialFilter', 'Sorting'].map((name) => `<fes:Constraint name="Implements${name}"><ows:NoValues/><ows:DefaultValue>TRUE</ows:DefaultValue></fes:Constraint>`).join('')}${['MinTemporalFilter', 'TemporalFilter', 'VersionNav', 'ExtendedOperators', 'MinimumXPath', 'SchemaElementFunc', 'Functions'].map((name) => `<fes:Constraint name="Implements${name}"><ows:NoValues/><ows:DefaultValue>FALSE</ows:DefaultValue></fes:Constraint>`).join('')}</fes:Conformance>
<fes:Id_Capabilities><fes:ResourceIdentifier name="fes:ResourceId"/></fes:Id_Capabilities>
<fes:Scalar_Capabilities><fes:LogicalOperators/><fes:ComparisonOperators>${comparisons.map((name) => `<fes:ComparisonOperator name="${name}"/>`).join('')}</fes:ComparisonOperators></fes:Scalar_Capabilities>
<fes:Spatial_Capabilities><fes:GeometryOperands>${operands.map((name) => `<fes:GeometryOperand name="${name}"/>`).join('')}</fes:GeometryOperands><fes:SpatialOperators>${relations.map((name) => `<fes:SpatialOperator name="${name}"/>`).join('')}</fes:SpatialOperators></fes:Spatial_Capabilities>
</fes:Filter_Capabilities>
</wfs:WFS_Capabilities>
`;
}

function featureType(layer: VectorLayer): string {
  const { extent, keywords } = layer;
  const others = [4326, 3857].filter((srid) => srid !== layer.srid);
  const words =
    keywords.length === 0
      ? ''
      : `<ows:Keywords>${keywords.map((word) => `<ows:Keyword>${escapeXml(word)}</ows:Keyword>`).join('')}</ows:Keywords>`;
  const box =
    extent === undefined
      ? ''
      : `<ows:WGS84BoundingBox><ows:LowerCorner>${extent.wgs84[0]} ${extent.wgs84[1]}</ows:LowerCorner><ows:UpperCorner>${extent.wgs84[2]} ${extent.wgs84[3]}</ows:UpperCorner></ows:WGS84BoundingBox>`;
  return `<wfs:FeatureType><wfs:Name>${PREFIX}:${typeName(layer)}</wfs:Name><wfs:Title>${escapeXml(layer.title)}</wfs:Title><wfs:Abstract>${escapeXml(layer.abstract)}</wfs:Abstract>${words}<wfs:DefaultCRS>${srsName(layer.srid)}</wfs:DefaultCRS>${others.map((srid) => `<wfs:OtherCRS>${srsName(srid)}</wfs:OtherCRS>`).join('')}<wfs:OutputFormats>${FORMATS.map((format) => `<wfs:Format>${format}</wfs:Format>`).join('')}</wfs:OutputFormats>${box}</wfs:FeatureType>`;
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

const GML_TYPES: Readonly<Record<string, string>> = {
  Point: 'gml:PointPropertyType',
  MultiPoint: 'gml:MultiPointPropertyType',
  LineString: 'gml:CurvePropertyType',
  MultiLineString: 'gml:MultiCurvePropertyType',
  Polygon: 'gml:SurfacePropertyType',
  MultiPolygon: 'gml:MultiSurfacePropertyType',
};

export function schemaDocument(layers: readonly VectorLayer[]): string {
  const types = layers.map((layer) => {
    const name = typeName(layer);
    const geometry = GML_TYPES[layer.geometry.type.replace(/(?:ZM|Z|M)$/, '')] ?? 'gml:GeometryPropertyType';
    const fields = propertiesOf(layer).map(
      ({ name: column, type }) =>
        `<xs:element name="${xmlName(column)}" type="${xsdType(type)}" minOccurs="0" nillable="true"/>`,
    );
    return `<xs:complexType name="${name}Type"><xs:complexContent><xs:extension base="gml:AbstractFeatureType"><xs:sequence>${fields.join('')}<xs:element name="${xmlName(layer.geometry.column)}" type="${geometry}" minOccurs="0" nillable="true"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
<xs:element name="${name}" type="${PREFIX}:${name}Type" substitutionGroup="gml:AbstractFeature"/>`;
  });
  return `${HEAD}<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:${PREFIX}="${NAMESPACE}" targetNamespace="${NAMESPACE}" elementFormDefault="qualified" version="1.0">
<xs:import namespace="http://www.opengis.net/gml/3.2" schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>
${types.join('\n')}
</xs:schema>
`;
}

export function collectionHead(
  url: string,
  type: string,
  counts: {
    readonly matched: number;
    readonly returned: number;
    readonly timeStamp: string;
    readonly next: string | undefined;
  },
): string {
  const schema = `${url}?service=WFS&version=2.0.0&request=DescribeFeatureType&typeNames=${PREFIX}:${type}`;
  return `${HEAD}<wfs:FeatureCollection ${NAMES} xmlns:${PREFIX}="${NAMESPACE}" xsi:schemaLocation="${NAMESPACE} ${escapeXml(schema)} http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd" timeStamp="${counts.timeStamp}" numberMatched="${counts.matched}" numberReturned="${counts.returned}"${counts.next === undefined ? '' : ` next="${escapeXml(counts.next)}"`}>\n`;
}

export function storedQueryList(): string {
  return `${HEAD}<wfs:ListStoredQueriesResponse ${NAMES}><wfs:StoredQuery id="${BY_ID}"><wfs:Title>Get feature by identifier</wfs:Title><wfs:ReturnFeatureType/></wfs:StoredQuery></wfs:ListStoredQueriesResponse>\n`;
}

export function storedQueryDescriptions(): string {
  return `${HEAD}<wfs:DescribeStoredQueriesResponse ${NAMES}><wfs:StoredQueryDescription id="${BY_ID}"><wfs:Title>Get feature by identifier</wfs:Title><wfs:Parameter name="ID" type="xs:string"/><wfs:QueryExpressionText isPrivate="true" language="urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression" returnFeatureTypes=""/></wfs:StoredQueryDescription></wfs:DescribeStoredQueriesResponse>\n`;
}

/** The opening of a single feature that stands alone. */
export const FEATURE_NAMES: string = `${NAMES} xmlns:${PREFIX}="${NAMESPACE}"`;
