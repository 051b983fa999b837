// What the Web Feature Service 1.0 says of itself and of its types. Pure.

import type { VectorLayer } from '../../../layer-ports/layer.ts';
import { withQuery } from '../../with-query.ts';
import { escapeXml } from '../../xml-text.ts';
import { type Offer, SPATIAL } from './offer.ts';
import { DIALECTS, srsName } from './wfs-dialect.ts';
import { HEAD, NAMESPACE, PREFIX, typeName } from './wfs-documents.ts';

const DIALECT = DIALECTS['1.0.0'];

export async function* capabilities10({ url, canEdit, pages }: Offer): AsyncGenerator<string> {
  const get = `<DCPType><HTTP><Get onlineResource="${escapeXml(withQuery(url))}"/></HTTP></DCPType>`;
  const post = `<DCPType><HTTP><Post onlineResource="${escapeXml(url)}"/></HTTP></DCPType>`;
  const transaction = canEdit ? `<Transaction>${post}</Transaction>` : '';
  const spatial = SPATIAL.map((name) => `<ogc:${name === 'Intersects' ? 'Intersect' : name}/>`).join('');
  yield `${HEAD}<WFS_Capabilities xmlns="${DIALECT.wfs}" xmlns:ogc="${DIALECT.filter}" xmlns:${PREFIX}="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.0.0" xsi:schemaLocation="${DIALECT.wfs} http://schemas.opengis.net/wfs/1.0.0/WFS-capabilities.xsd">
<Service><Name>WFS</Name><Title>Map services</Title><Abstract>The layers of this portal as features.</Abstract><Keywords>maps, features</Keywords><OnlineResource>${escapeXml(url)}</OnlineResource><Fees>NONE</Fees><AccessConstraints>NONE</AccessConstraints></Service>
<Capability><Request>
<GetCapabilities>${get}${post}</GetCapabilities>
<DescribeFeatureType><SchemaDescriptionLanguage><XMLSCHEMA/></SchemaDescriptionLanguage>${get}${post}</DescribeFeatureType>
<GetFeature><ResultFormat><GML2/></ResultFormat>${get}${post}</GetFeature>
${transaction}</Request></Capability>
<FeatureTypeList><Operations><Query/></Operations>
`;
  for await (const { layers, editable } of pages)
    yield layers.map((layer) => featureType(layer, editable.has(layer.id))).join('');
  yield `</FeatureTypeList>
<ogc:Filter_Capabilities><ogc:Spatial_Capabilities><ogc:Spatial_Operators>${spatial}</ogc:Spatial_Operators></ogc:Spatial_Capabilities>
<ogc:Scalar_Capabilities><ogc:Logical_Operators/><ogc:Comparison_Operators><ogc:Simple_Comparisons/><ogc:Like/><ogc:Between/><ogc:NullCheck/></ogc:Comparison_Operators><ogc:Arithmetic_Operators><ogc:Simple_Arithmetic/></ogc:Arithmetic_Operators></ogc:Scalar_Capabilities></ogc:Filter_Capabilities>
</WFS_Capabilities>
`;
}

function featureType(layer: VectorLayer, canEdit: boolean): string {
  const { extent, keywords } = layer;
  const words = keywords.length === 0 ? '' : `<Keywords>${escapeXml(keywords.join(', '))}</Keywords>`;
  const operations = canEdit ? '<Query/><Insert/><Update/><Delete/>' : '<Query/>';
  const box =
    extent === undefined
      ? ''
      : `<LatLongBoundingBox minx="${extent.wgs84[0]}" miny="${extent.wgs84[1]}" maxx="${extent.wgs84[2]}" maxy="${extent.wgs84[3]}"/>`;
  return `<FeatureType><Name>${PREFIX}:${typeName(layer)}</Name><Title>${escapeXml(layer.title)}</Title><Abstract>${escapeXml(layer.abstract)}</Abstract>${words}<SRS>${srsName(DIALECT, layer.srid)}</SRS><Operations>${operations}</Operations>${box}</FeatureType>\n`;
}
