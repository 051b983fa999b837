// Metadata record → a DCAT 2 dataset, as an object of JSON-LD. A catalogue puts many of them under one context.

import type { MetadataLink, MetadataRecord } from './metadata-record.ts';

export const DCAT_CONTEXT: Readonly<Record<string, unknown>> = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  geosparql: 'http://www.opengis.net/ont/geosparql#',
};

const FREQUENCY_LIST = 'http://publications.europa.eu/resource/authority/frequency/';

/** Entries of the EU's code list, by the words of ISO 19115. */
const FREQUENCIES: Readonly<Record<string, string>> = {
  annually: 'ANNUAL',
  asNeeded: 'AS_NEEDED',
  biannually: 'ANNUAL_2',
  continual: 'CONT',
  daily: 'DAILY',
  fortnightly: 'BIWEEKLY',
  irregular: 'IRREG',
  monthly: 'MONTHLY',
  notPlanned: 'NOT_PLANNED',
  quarterly: 'QUARTERLY',
  unknown: 'UNKNOWN',
  weekly: 'WEEKLY',
};

/** The document. */
export function writeDcat(record: MetadataRecord): string {
  return JSON.stringify({ '@context': DCAT_CONTEXT, ...dcatDataset(record) });
}

/** The same to stand inside a catalogue. */
export function dcatDataset(record: MetadataRecord): Readonly<Record<string, unknown>> {
  const contact = record.contacts.find(({ role }) => role === 'pointOfContact') ?? record.contacts[0];
  const owner = record.contacts.find(({ role }) => role === 'owner');
  const words = record.thesauri.flatMap((thesaurus) => thesaurus.words);
  const keywords = [...record.keywords, ...words.flatMap(({ name, uri }) => (uri === undefined ? [name] : []))];
  const category =
    record.category === undefined
      ? []
      : [`http://inspire.ec.europa.eu/metadata-codelist/TopicCategory/${record.category}`];
  const themes = [...category, ...words.flatMap(({ uri }) => uri ?? [])].map((uri) => ({ '@id': uri }));
  const frequency = FREQUENCIES[record.maintenance ?? ''];
  return known({
    '@id': `urn:uuid:${record.uuid}`,
    '@type': 'dcat:Dataset',
    'dct:identifier': record.uuid,
    'dct:title': record.title,
    'dct:description': record.abstract || undefined,
    'dct:issued': moment(record.created),
    'dct:modified': moment(record.updated),
    'dct:accrualPeriodicity': frequency === undefined ? undefined : { '@id': `${FREQUENCY_LIST}${frequency}` },
    'dct:provenance': provenanceOf(record),
    'dct:language': { '@id': `http://id.loc.gov/vocabulary/iso639-2/${record.language}` },
    'dcat:keyword': keywords.length === 0 ? undefined : keywords,
    'dcat:theme': themes.length === 0 ? undefined : themes,
    'dct:publisher': owner === undefined ? undefined : { '@type': 'foaf:Agent', 'foaf:name': owner.name },
    'dcat:contactPoint': contact === undefined ? undefined : { '@type': 'vcard:Kind', 'vcard:fn': contact.name },
    'dct:license':
      record.license === undefined
        ? undefined
        : record.license.url === undefined
          ? record.license.name
          : { '@id': record.license.url },
    'dct:accessRights': record.constraints,
    'dct:spatial':
      record.extent === undefined
        ? undefined
        : { '@type': 'dct:Location', 'dcat:bbox': { '@type': 'geosparql:wktLiteral', '@value': wkt(record.extent) } },
    'dct:temporal':
      record.period === undefined
        ? undefined
        : known({
            '@type': 'dct:PeriodOfTime',
            'dcat:startDate': record.period.start === undefined ? undefined : moment(record.period.start),
            'dcat:endDate': record.period.end === undefined ? undefined : moment(record.period.end),
          }),
    'dcat:landingPage': { '@id': record.page },
    'foaf:depiction': record.thumbnail === undefined ? undefined : { '@id': record.thumbnail },
    'dcat:distribution': record.links.filter(({ type }) => type !== 'metadata').map(distribution),
  });
}

function distribution({ type, name, mime, url }: MetadataLink): Readonly<Record<string, unknown>> {
  return known({
    '@type': 'dcat:Distribution',
    'dct:title': name,
    'dcat:mediaType': mime,
    'dcat:accessURL': { '@id': url },
    'dcat:downloadURL': type === 'data' ? { '@id': url } : undefined,
  });
}

/** Undefined: nothing is known of how the data came about. */
function provenanceOf({ dataUpdated, freshness }: MetadataRecord): Readonly<Record<string, unknown>> | undefined {
  if (dataUpdated === undefined) return undefined;
  const label = `Data renewed last at ${dataUpdated}${freshness === undefined ? '' : ` (${freshness})`}`;
  return { '@type': 'dct:ProvenanceStatement', 'rdfs:label': label };
}

function moment(time: string): Readonly<Record<string, string>> {
  return { '@type': 'xsd:dateTime', '@value': time };
}

function wkt([west, south, east, north]: NonNullable<MetadataRecord['extent']>): string {
  return `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`;
}

/** Without the members that nobody has told. */
function known(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
