// What the Web Feature Service 2.0 says of itself and of its types. Pure.

import type { VectorLayer } from '../../../layer-ports/layer.ts';
import { withQuery } from '../../with-query.ts';
import { escapeXml } from '../../xml-text.ts';
import { type Offer, SPATIAL } from './offer.ts';
import { DIALECTS, namesOf, srsName } from './wfs-dialect.ts';
import { COUNT_DEFAULT, HEAD, NAMESPACE, PREFIX, typeName } from './wfs-documents.ts';
import { VERSIONS } from './wfs-version.ts';

const DIALECT = DIALECTS['2.0.0'];
const FORMATS = DIALECT.formats;

type Methods = readonly ('Get' | 'Post')[];

export async function* capabilities20({ url, canEdit, pages }: Offer): AsyncGenerator<string> {
  const operation = (name: string, parameters: string, methods: Methods = ['Get', 'Post']): string =>
    `<ows:Operation name="${name}"><ows:DCP><ows:HTTP>${methods.map((method) => `<ows:${method} xlink:href="${escapeXml(method === 'Get' ? withQuery(url) : url)}"/>`).join('')}</ows:HTTP></ows:DCP>${parameters}</ows:Operation>`;
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
  if (canEdit) can.push('ImplementsTransactionalWFS');
  const cannot = [
    ...(canEdit ? [] : ['ImplementsTransactionalWFS']),
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
  const operands = [
    'gml:Envelope',
    'gml:Point',
    'gml:MultiPoint',
    'gml:LineString',
    'gml:MultiCurve',
    'gml:Polygon',
    'gml:MultiSurface',
  ];
  yield `${HEAD}<wfs:WFS_Capabilities ${namesOf(DIALECT)} xmlns:${PREFIX}="${NAMESPACE}" version="2.0.0" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd">
<ows:ServiceIdentification><ows:Title>Map services</ows:Title><ows:Abstract>The layers of this portal as features.</ows:Abstract><ows:ServiceType>WFS</ows:ServiceType>${[
    ...VERSIONS,
  ]
    .reverse()
    .map((version) => `<ows:ServiceTypeVersion>${version}</ows:ServiceTypeVersion>`)
    .join('')}<ows:Fees>NONE</ows:Fees><ows:AccessConstraints>NONE</ows:AccessConstraints></ows:ServiceIdentification>
<ows:ServiceProvider><ows:ProviderName>Survest</ows:ProviderName><ows:ServiceContact/></ows:ServiceProvider>
<ows:OperationsMetadata>
${operation('GetCapabilities', allowed('AcceptVersions', [...VERSIONS].reverse()) + allowed('AcceptFormats', ['text/xml']))}
${operation('DescribeFeatureType', allowed('outputFormat', ['application/gml+xml; version=3.2']))}
${operation('GetFeature', allowed('resultType', ['results', 'hits']) + allowed('outputFormat', FORMATS) + constraint('PagingIsTransactionSafe', 'FALSE') + constraint('CountDefault', String(COUNT_DEFAULT)))}
${canEdit ? `${operation('Transaction', allowed('inputFormat', [FORMATS[0] ?? '']) + constraint('AutomaticDataLocking', 'FALSE'), ['Post'])}\n` : ''}${operation('ListStoredQueries', '')}
${operation('DescribeStoredQueries', '')}
${allowed('version', [...VERSIONS].reverse())}
${can.map((name) => constraint(name, 'TRUE')).join('')}${cannot.map((name) => constraint(name, 'FALSE')).join('')}
<ows:Constraint name="QueryExpressions"><ows:AllowedValues><ows:Value>wfs:Query</ows:Value><ows:Value>wfs:StoredQuery</ows:Value></ows:AllowedValues></ows:Constraint>
</ows:OperationsMetadata>
<wfs:FeatureTypeList>
`;
  for await (const { layers } of pages) yield layers.map(featureType).join('');
  yield `</wfs:FeatureTypeList>
<fes:Filter_Capabilities><fes:Conformance>${['Query', 'AdHocQuery', 'ResourceId', 'MinStandardFilter', 'StandardFilter', 'MinSpatialFilter', 'SpatialFilter', 'Sorting'].map((name) => `<fes:Constraint name="Implements${name}"><ows:NoValues/><ows:DefaultValue>TRUE</ows:DefaultValue></fes:Constraint>`).join('')}${['MinTemporalFilter', 'TemporalFilter', 'VersionNav', 'ExtendedOperators', 'MinimumXPath', 'SchemaElementFunc', 'Functions'].map((name) => `<fes:Constraint name="Implements${name}"><ows:NoValues/><ows:DefaultValue>FALSE</ows:DefaultValue></fes:Constraint>`).join('')}</fes:Conformance>
<fes:Id_Capabilities><fes:ResourceIdentifier name="fes:ResourceId"/></fes:Id_Capabilities>
<fes:Scalar_Capabilities><fes:LogicalOperators/><fes:ComparisonOperators>${comparisons.map((name) => `<fes:ComparisonOperator name="${name}"/>`).join('')}</fes:ComparisonOperators></fes:Scalar_Capabilities>
<fes:Spatial_Capabilities><fes:GeometryOperands>${operands.map((name) => `<fes:GeometryOperand name="${name}"/>`).join('')}</fes:GeometryOperands><fes:SpatialOperators>${SPATIAL.map((name) => `<fes:SpatialOperator name="${name}"/>`).join('')}</fes:SpatialOperators></fes:Spatial_Capabilities>
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
  return `<wfs:FeatureType><wfs:Name>${PREFIX}:${typeName(layer)}</wfs:Name><wfs:Title>${escapeXml(layer.title)}</wfs:Title><wfs:Abstract>${escapeXml(layer.abstract)}</wfs:Abstract>${words}<wfs:DefaultCRS>${srsName(DIALECT, layer.srid)}</wfs:DefaultCRS>${others.map((srid) => `<wfs:OtherCRS>${srsName(DIALECT, srid)}</wfs:OtherCRS>`).join('')}<wfs:OutputFormats>${FORMATS.map((format) => `<wfs:Format>${format}</wfs:Format>`).join('')}</wfs:OutputFormats>${box}</wfs:FeatureType>\n`;
}
