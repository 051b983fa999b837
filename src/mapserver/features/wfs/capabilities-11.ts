// What the Web Feature Service 1.1 says of itself and of its types. Pure.

import type { VectorLayer } from '../../../layer-ports/layer.ts';
import { withQuery } from '../../with-query.ts';
import { escapeXml } from '../../xml-text.ts';
import { COMPARISONS, type Offer, SPATIAL, systemsOf } from './offer.ts';
import { DIALECTS, namesOf, srsName } from './wfs-dialect.ts';
import { HEAD, NAMESPACE, PREFIX, typeName } from './wfs-documents.ts';
import { VERSIONS } from './wfs-version.ts';

const DIALECT = DIALECTS['1.1.0'];
const [GML = ''] = DIALECT.formats;
const OPERANDS = [
  'Envelope',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'MultiCurve',
  'MultiSurface',
];

export async function* capabilities11({ url, canEdit, pages }: Offer): AsyncGenerator<string> {
  const parameter = (name: string, values: readonly string[]): string =>
    `<ows:Parameter name="${name}">${values.map((value) => `<ows:Value>${escapeXml(value)}</ows:Value>`).join('')}</ows:Parameter>`;
  const operation = (name: string, parameters: string, hasGet = true): string =>
    `<ows:Operation name="${name}"><ows:DCP><ows:HTTP>${hasGet ? `<ows:Get xlink:href="${escapeXml(withQuery(url))}"/>` : ''}<ows:Post xlink:href="${escapeXml(url)}"/></ows:HTTP></ows:DCP>${parameters}</ows:Operation>`;
  const operations = [
    operation('GetCapabilities', parameter('AcceptVersions', VERSIONS) + parameter('AcceptFormats', ['text/xml'])),
    operation('DescribeFeatureType', parameter('outputFormat', [GML])),
    operation('GetFeature', parameter('resultType', ['results', 'hits']) + parameter('outputFormat', DIALECT.formats)),
    ...(canEdit
      ? [operation('Transaction', parameter('inputFormat', [GML]) + parameter('releaseAction', ['ALL']), false)]
      : []),
  ];
  const comparison = (name: string): string => `<ogc:ComparisonOperator>${name}</ogc:ComparisonOperator>`;
  yield `${HEAD}<wfs:WFS_Capabilities ${namesOf(DIALECT)} xmlns:${PREFIX}="${NAMESPACE}" version="1.1.0" xsi:schemaLocation="${DIALECT.wfs} ${DIALECT.wfsSchema}">
<ows:ServiceIdentification><ows:Title>Map services</ows:Title><ows:Abstract>The layers of this portal as features.</ows:Abstract><ows:ServiceType>WFS</ows:ServiceType><ows:ServiceTypeVersion>1.1.0</ows:ServiceTypeVersion><ows:Fees>NONE</ows:Fees><ows:AccessConstraints>NONE</ows:AccessConstraints></ows:ServiceIdentification>
<ows:ServiceProvider><ows:ProviderName>Survest</ows:ProviderName><ows:ServiceContact/></ows:ServiceProvider>
<ows:OperationsMetadata>
${operations.join('\n')}
</ows:OperationsMetadata>
<wfs:FeatureTypeList><wfs:Operations><wfs:Operation>Query</wfs:Operation></wfs:Operations>
`;
  for await (const { layers, editable } of pages)
    yield layers.map((layer) => featureType(layer, editable.has(layer.id))).join('');
  yield `</wfs:FeatureTypeList>
<ogc:Filter_Capabilities><ogc:Spatial_Capabilities><ogc:GeometryOperands>${OPERANDS.map((name) => `<ogc:GeometryOperand>gml:${name}</ogc:GeometryOperand>`).join('')}</ogc:GeometryOperands><ogc:SpatialOperators>${SPATIAL.map((name) => `<ogc:SpatialOperator name="${name}"/>`).join('')}</ogc:SpatialOperators></ogc:Spatial_Capabilities>
<ogc:Scalar_Capabilities><ogc:LogicalOperators/><ogc:ComparisonOperators>${COMPARISONS.map(comparison).join('')}</ogc:ComparisonOperators><ogc:ArithmeticOperators><ogc:SimpleArithmetic/></ogc:ArithmeticOperators></ogc:Scalar_Capabilities>
<ogc:Id_Capabilities><ogc:FID/></ogc:Id_Capabilities></ogc:Filter_Capabilities>
</wfs:WFS_Capabilities>
`;
}

function featureType(layer: VectorLayer, canEdit: boolean): string {
  const { keywords } = layer;
  // The schema wants a box; a layer without features is anywhere.
  const [west, south, east, north] = layer.extent?.wgs84 ?? [-180, -90, 180, 90];
  const [own = layer.srid, ...others] = systemsOf(layer);
  const words =
    keywords.length === 0
      ? ''
      : `<ows:Keywords>${keywords.map((word) => `<ows:Keyword>${escapeXml(word)}</ows:Keyword>`).join('')}</ows:Keywords>`;
  const operations = canEdit ? ['Query', 'Insert', 'Update', 'Delete'] : ['Query'];
  return `<wfs:FeatureType><wfs:Name>${PREFIX}:${typeName(layer)}</wfs:Name><wfs:Title>${escapeXml(layer.title)}</wfs:Title><wfs:Abstract>${escapeXml(layer.abstract)}</wfs:Abstract>${words}<wfs:DefaultSRS>${srsName(DIALECT, own)}</wfs:DefaultSRS>${others.map((srid) => `<wfs:OtherSRS>${srsName(DIALECT, srid)}</wfs:OtherSRS>`).join('')}<wfs:Operations>${operations.map((name) => `<wfs:Operation>${name}</wfs:Operation>`).join('')}</wfs:Operations><wfs:OutputFormats>${DIALECT.formats.map((format) => `<wfs:Format>${format}</wfs:Format>`).join('')}</wfs:OutputFormats><ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox></wfs:FeatureType>\n`;
}
