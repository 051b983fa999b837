// What the catalogue service (CSW 2.0.2) answers, as XML. Pure.

import { escapeXml } from '../../kernel/escape-xml.ts';
import type { MetadataRecord } from '../metadata/metadata-record.ts';
import { type DublinCoreName, dublinCoreElement, type ElementSet } from '../metadata/write-dublin-core.ts';
import { iso19139Element } from '../metadata/write-iso19139.ts';
import { XML_HEAD } from '../metadata/xml.ts';
import { CSW_PARAMETERS, CSW_SCHEMAS } from './csw-parameters.ts';
import type { CswFault, OutputSchema } from './csw-request.ts';

const NAMES =
  'xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/" xmlns:ows="http://www.opengis.net/ows" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const DISCOVERY = 'http://schemas.opengis.net/csw/2.0.2/CSW-discovery.xsd';

export function cswException({ code, locator, text }: CswFault): string {
  return `${XML_HEAD}<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows" version="1.2.0" language="en"><ows:Exception exceptionCode="${escapeXml(code)}" locator="${escapeXml(locator)}"><ows:ExceptionText>${escapeXml(text)}</ows:ExceptionText></ows:Exception></ows:ExceptionReport>\n`;
}

const QUERYABLES: readonly string[] = [
  'csw:AnyText',
  'dc:title',
  'dct:abstract',
  'dc:identifier',
  'dc:type',
  'dc:subject',
  'dc:date',
  'dct:modified',
  'dc:language',
  'dc:source',
  'ows:BoundingBox',
];

export function cswCapabilities(url: string): string {
  const href = escapeXml(url);
  const list = (tag: string, name: string, values: readonly string[]): string =>
    `<ows:${tag} name="${name}">${values.map((value) => `<ows:Value>${value}</ows:Value>`).join('')}</ows:${tag}>`;
  const constraints: Readonly<Record<string, string>> = {
    GetRecords: list('Constraint', 'SupportedDublinCoreQueryables', QUERYABLES),
  };
  const operation = ([name, parameters]: [string, Readonly<Record<string, readonly string[]>>]): string =>
    `<ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${href}"/><ows:Post xlink:href="${href}">${list('Constraint', 'PostEncoding', ['XML'])}</ows:Post></ows:HTTP></ows:DCP>${Object.entries(
      parameters,
    )
      .map(([parameter, values]) => list('Parameter', parameter, values))
      .join('')}${constraints[name] ?? ''}</ows:Operation>`;
  const comparisons = [
    'EqualTo',
    'NotEqualTo',
    'LessThan',
    'GreaterThan',
    'LessThanEqualTo',
    'GreaterThanEqualTo',
    'Like',
    'NullCheck',
    'Between',
  ];
  return `${XML_HEAD}<csw:Capabilities ${NAMES} version="2.0.2" xsi:schemaLocation="http://www.opengis.net/cat/csw/2.0.2 ${DISCOVERY}"><ows:ServiceIdentification><ows:Title>Catalogue</ows:Title><ows:Abstract>Records of everything in the portal that the caller sees.</ows:Abstract><ows:ServiceType>CSW</ows:ServiceType><ows:ServiceTypeVersion>2.0.2</ows:ServiceTypeVersion><ows:Fees>NONE</ows:Fees><ows:AccessConstraints>NONE</ows:AccessConstraints></ows:ServiceIdentification><ows:ServiceProvider><ows:ProviderName>Survest</ows:ProviderName><ows:ServiceContact/></ows:ServiceProvider><ows:OperationsMetadata>${Object.entries(CSW_PARAMETERS).map(operation).join('')}${list('Parameter', 'service', ['http://www.opengis.net/cat/csw/2.0.2'])}${list('Parameter', 'version', ['2.0.2'])}</ows:OperationsMetadata><ogc:Filter_Capabilities><ogc:Spatial_Capabilities><ogc:GeometryOperands><ogc:GeometryOperand>gml:Envelope</ogc:GeometryOperand></ogc:GeometryOperands><ogc:SpatialOperators>${['BBOX', 'Intersects', 'Within', 'Contains', 'Disjoint', 'Equals'].map((name) => `<ogc:SpatialOperator name="${name}"/>`).join('')}</ogc:SpatialOperators></ogc:Spatial_Capabilities><ogc:Scalar_Capabilities><ogc:LogicalOperators/><ogc:ComparisonOperators>${comparisons.map((name) => `<ogc:ComparisonOperator>${name}</ogc:ComparisonOperator>`).join('')}</ogc:ComparisonOperators></ogc:Scalar_Capabilities><ogc:Id_Capabilities><ogc:EID/></ogc:Id_Capabilities></ogc:Filter_Capabilities></csw:Capabilities>\n`;
}

/** Where the schemas of records stand: their own documents are named, not repeated. */
export function describeRecord(schemas: readonly OutputSchema[]): string {
  const component = (schema: OutputSchema): string =>
    `<csw:SchemaComponent schemaLanguage="http://www.w3.org/XML/Schema" targetNamespace="${CSW_SCHEMAS[schema]}"><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${CSW_SCHEMAS[schema]}"><xs:include schemaLocation="${SCHEMA_FILES[schema]}"/></xs:schema></csw:SchemaComponent>`;
  return `${XML_HEAD}<csw:DescribeRecordResponse ${NAMES}>${schemas.map(component).join('')}</csw:DescribeRecordResponse>\n`;
}

const SCHEMA_FILES: Readonly<Record<OutputSchema, string>> = {
  csw: 'http://schemas.opengis.net/csw/2.0.2/record.xsd',
  gmd: 'http://www.isotc211.org/2005/gmd/gmd.xsd',
};

function recordElement(
  record: MetadataRecord,
  asked: ElementSet | readonly DublinCoreName[],
  schema: OutputSchema,
): string {
  return schema === 'gmd' ? iso19139Element(record) : dublinCoreElement(record, asked);
}

export type RecordsAnswer = {
  readonly total: number;
  readonly start: number;
  readonly records: readonly MetadataRecord[];
  /** Undefined: the elements that were named. */
  readonly set: ElementSet | undefined;
  readonly elements: readonly DublinCoreName[];
  readonly schema: OutputSchema;
  readonly now: string;
};

/**
 * Of a request that was to be looked at and not to be answered. Its address alone is repeated: a document that somebody's page makes a browser send
 * would come back from this site, with scripts in it.
 */
export function acknowledgement(method: string, url: string, now: string): string {
  const tag = method === 'POST' ? 'ows:Post' : 'ows:Get';
  return `${XML_HEAD}<csw:Acknowledgement ${NAMES} timeStamp="${now}" xsi:schemaLocation="http://www.opengis.net/cat/csw/2.0.2 ${DISCOVERY}"><csw:EchoedRequest><${tag} xlink:href="${escapeXml(url)}"/></csw:EchoedRequest></csw:Acknowledgement>\n`;
}

export function getRecordsResponse({ total, start, records, set, elements, schema, now }: RecordsAnswer): string {
  // 0: there are none behind these.
  const next = start + records.length > total ? 0 : start + records.length;
  return `${XML_HEAD}<csw:GetRecordsResponse ${NAMES} version="2.0.2" xsi:schemaLocation="http://www.opengis.net/cat/csw/2.0.2 ${DISCOVERY}"><csw:SearchStatus timestamp="${now}"/><csw:SearchResults numberOfRecordsMatched="${total}" numberOfRecordsReturned="${records.length}" nextRecord="${next}" recordSchema="${CSW_SCHEMAS[schema]}"${set === undefined ? '' : ` elementSet="${set}"`}>${records.map((record) => recordElement(record, set ?? elements, schema)).join('')}</csw:SearchResults></csw:GetRecordsResponse>\n`;
}

export function getRecordByIdResponse(
  records: readonly MetadataRecord[],
  set: ElementSet,
  schema: OutputSchema,
): string {
  return `${XML_HEAD}<csw:GetRecordByIdResponse ${NAMES} xsi:schemaLocation="http://www.opengis.net/cat/csw/2.0.2 ${DISCOVERY}">${records.map((record) => recordElement(record, set, schema)).join('')}</csw:GetRecordByIdResponse>\n`;
}

export type Domain = {
  readonly kind: 'property' | 'parameter';
  readonly name: string;
  /** Undefined: any, or too many to be listed. */
  readonly values: readonly string[] | undefined;
};

export function getDomainResponse(domains: readonly Domain[]): string {
  const values = domains.map(({ kind, name, values: list }) => {
    const inside =
      list === undefined
        ? ''
        : `<csw:ListOfValues>${list.map((value) => `<csw:Value>${escapeXml(value)}</csw:Value>`).join('')}</csw:ListOfValues>`;
    const tag = kind === 'property' ? 'csw:PropertyName' : 'csw:ParameterName';
    return `<csw:DomainValues type="csw:Record"><${tag}>${escapeXml(name)}</${tag}>${inside}</csw:DomainValues>`;
  });
  return `${XML_HEAD}<csw:GetDomainResponse ${NAMES}>${values.join('')}</csw:GetDomainResponse>\n`;
}
