// Metadata record → Dublin Core, as the records of OGC catalogue services (CSW 2.0.2) carry it. A brief and a summary record have fewer
// elements, in the order of their schema.

import type { MetadataRecord } from './metadata-record.ts';
import { dayOf, element, textElement, XML_HEAD } from './xml.ts';

export type ElementSet = 'brief' | 'summary' | 'full';

const CSW_NAMESPACES: Readonly<Record<string, string>> = {
  'xmlns:csw': 'http://www.opengis.net/cat/csw/2.0.2',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:dct': 'http://purl.org/dc/terms/',
  'xmlns:ows': 'http://www.opengis.net/ows',
};

const NAMES: Readonly<Record<ElementSet, string>> = {
  brief: 'csw:BriefRecord',
  summary: 'csw:SummaryRecord',
  full: 'csw:Record',
};

/** The document. */
export function writeDublinCore(record: MetadataRecord): string {
  return `${XML_HEAD}${dublinCoreElement(record, 'full')}`;
}

/** One record to stand inside another document. */
export function dublinCoreElement(record: MetadataRecord, set: ElementSet): string {
  return element(NAMES[set], members(record, set) + boundingBox(record), CSW_NAMESPACES);
}

function members(record: MetadataRecord, set: ElementSet): string {
  const head = [
    textElement('dc:identifier', record.uuid),
    textElement('dc:title', record.title),
    textElement('dc:type', typeOf(record)),
  ];
  if (set === 'brief') return head.join('');
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
  if (set === 'summary') return summary.join('');
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
  ].join('');
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
