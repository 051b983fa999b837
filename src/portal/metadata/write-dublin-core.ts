// Metadata record → Dublin Core, as the records of OGC catalogue services (CSW 2.0.2) carry it. A brief and a summary record have fewer
// elements, in the order of their schema.

import type { MetadataRecord } from './metadata-record.ts';
import { attributesText, dayOf, element, textElement, XML_HEAD } from './xml.ts';

export type ElementSet = 'brief' | 'summary' | 'full';

const CSW_NAMESPACES: Readonly<Record<string, string>> = {
  'xmlns:csw': 'http://www.opengis.net/cat/csw/2.0.2',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:dct': 'http://purl.org/dc/terms/',
  'xmlns:ows': 'http://www.opengis.net/ows',
};

/** What a full record can have, by the names that requests use. */
export const DUBLIN_CORE_ELEMENTS = [
  'dc:identifier',
  'dc:title',
  'dc:type',
  'dc:subject',
  'dc:format',
  'dc:relation',
  'dct:modified',
  'dct:abstract',
  'dct:spatial',
  'dc:creator',
  'dc:publisher',
  'dc:contributor',
  'dc:date',
  'dc:description',
  'dc:language',
  'dc:source',
  'dct:created',
  'dc:rights',
  'dct:license',
  'dct:temporal',
  'dct:references',
  'ows:BoundingBox',
] as const;
export type DublinCoreName = (typeof DUBLIN_CORE_ELEMENTS)[number];

const NAMES: Readonly<Record<ElementSet, string>> = {
  brief: 'csw:BriefRecord',
  summary: 'csw:SummaryRecord',
  full: 'csw:Record',
};

/** The document. */
export function writeDublinCore(record: MetadataRecord): string {
  return `${XML_HEAD}${dublinCoreElement(record, 'full')}`;
}

/** One record to stand inside another document: a set of elements, or those that were named. */
export function dublinCoreElement(record: MetadataRecord, asked: ElementSet | readonly DublinCoreName[]): string {
  if (typeof asked === 'string')
    return element(NAMES[asked], [...members(record, asked), boundingBox(record)].join(''), CSW_NAMESPACES);
  const all = [...members(record, 'full'), boundingBox(record)];
  const named = all.filter((one) => asked.some((name) => one.startsWith(`<${name}>`) || one.startsWith(`<${name} `)));
  return `<csw:Record${attributesText(CSW_NAMESPACES)}>${named.join('')}</csw:Record>`;
}

function members(record: MetadataRecord, set: ElementSet): readonly string[] {
  const head = [
    textElement('dc:identifier', record.uuid),
    textElement('dc:title', record.title),
    textElement('dc:type', typeOf(record)),
  ];
  if (set === 'brief') return head;
  const subjects = [
    ...record.keywords,
    ...wordsOf(record),
    ...(record.category === undefined ? [] : [record.category]),
  ];
  const summary = [
    ...head,
    ...subjects.map((word) => textElement('dc:subject', word)),
    ...formatsOf(record).map((mime) => textElement('dc:format', mime)),
    textElement('dc:relation', record.page),
    textElement('dct:modified', dayOf(record.updated)),
    textElement('dct:abstract', record.abstract),
    ...record.regions.map((region) => textElement('dct:spatial', region)),
  ];
  if (set === 'summary') return summary;
  const person = (role: string): string | undefined => record.contacts.find((one) => one.role === role)?.name;
  return [
    ...summary,
    textElement('dc:creator', person('owner')),
    textElement('dc:publisher', person('pointOfContact')),
    textElement('dc:contributor', person('author')),
    textElement('dc:date', dayOf(record.date.value)),
    textElement('dc:description', record.abstract),
    textElement('dc:language', record.language),
    textElement('dc:source', record.doi),
    textElement('dct:created', dayOf(record.created)),
    textElement('dc:rights', record.attribution),
    textElement('dc:rights', record.restriction),
    textElement('dc:rights', record.constraints),
    textElement('dct:license', record.license?.url ?? record.license?.name),
    textElement('dct:temporal', periodText(record)),
    ...record.links.map(({ type, url }) => element('dct:references', textInside(url), { scheme: type })),
  ];
}

function wordsOf({ thesauri }: MetadataRecord): readonly string[] {
  return thesauri.flatMap(({ words }) => words.map(({ name }) => name));
}

function textInside(text: string): string {
  return textElement('x', text).slice(3, -4);
}

function typeOf({ type }: MetadataRecord): string {
  return type === 'layer' ? 'dataset' : type;
}

/** Of what can be downloaded, each once. */
function formatsOf({ links }: MetadataRecord): readonly string[] {
  return [...new Set(links.filter(({ type }) => type === 'data').map(({ mime }) => mime))];
}

function periodText({ period }: MetadataRecord): string | undefined {
  if (period === undefined) return undefined;
  const part = (name: string, time: string | undefined): string =>
    time === undefined ? '' : `${name}=${dayOf(time)};`;
  return `${part('start', period.start)}${part('end', period.end)}scheme=W3C-DTF;`;
}

/** Latitude first, as the coordinate system has it by its full name. */
function boundingBox({ extent }: MetadataRecord): string {
  if (extent === undefined) return '';
  const [west, south, east, north] = extent;
  return element(
    'ows:BoundingBox',
    textElement('ows:LowerCorner', `${south} ${west}`) + textElement('ows:UpperCorner', `${north} ${east}`),
    { crs: 'urn:ogc:def:crs:EPSG::4326', dimensions: '2' },
  );
}
