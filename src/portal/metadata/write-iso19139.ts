// Metadata record → ISO 19139 (the XML of ISO 19115:2003), as one `gmd:MD_Metadata`. The order of elements is that of the schema.

import { insideWorld } from '../../geo/bbox.ts';
import type { Contact, MetadataLink, MetadataRecord } from './metadata-record.ts';
import { dayOf, element, emptyElement, textElement, XML_HEAD } from './xml.ts';

const CODES = 'http://standards.iso.org/iso/19139/resources/gmxCodelists.xml';

const NAMESPACES: Readonly<Record<string, string>> = {
  'xmlns:gmd': 'http://www.isotc211.org/2005/gmd',
  'xmlns:gco': 'http://www.isotc211.org/2005/gco',
  'xmlns:gml': 'http://www.opengis.net/gml/3.2',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': 'http://www.isotc211.org/2005/gmd http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd',
};

/** The document. */
export function writeIso19139(record: MetadataRecord): string {
  return `${XML_HEAD}${iso19139Element(record)}`;
}

/** The same to stand inside another document. */
export function iso19139Element(record: MetadataRecord): string {
  const author = record.contacts.find(({ role }) => role === 'author') ?? record.contacts[0];
  return element(
    'gmd:MD_Metadata',
    [
      characters('gmd:fileIdentifier', record.uuid),
      language(record),
      code('gmd:characterSet', 'MD_CharacterSetCode', 'utf8'),
      code('gmd:hierarchyLevel', 'MD_ScopeCode', scopeOf(record)),
      responsible('gmd:contact', author ?? { role: 'pointOfContact', name: 'Unknown' }),
      element('gmd:dateStamp', textElement('gco:DateTime', secondsOf(record.updated))),
      characters('gmd:metadataStandardName', 'ISO 19115:2003 - Geographic information - Metadata'),
      characters('gmd:metadataStandardVersion', 'ISO 19115:2003'),
      characters('gmd:dataSetURI', record.page),
      referenceSystem(record),
      element('gmd:identificationInfo', identification(record)),
      element('gmd:distributionInfo', distribution(record)),
      element('gmd:dataQualityInfo', quality(record)),
    ].join(''),
    NAMESPACES,
  );
}

function identification(record: MetadataRecord): string {
  return element(
    'gmd:MD_DataIdentification',
    [
      element('gmd:citation', citation(record)),
      element('gmd:abstract', textElement('gco:CharacterString', record.abstract) || NOT_GIVEN),
      characters('gmd:purpose', record.purpose),
      characters('gmd:credit', record.attribution),
      record.contacts.map((contact) => responsible('gmd:pointOfContact', contact)).join(''),
      element(
        'gmd:resourceMaintenance',
        element(
          'gmd:MD_MaintenanceInformation',
          record.maintenance === undefined
            ? ''
            : code('gmd:maintenanceAndUpdateFrequency', 'MD_MaintenanceFrequencyCode', record.maintenance),
        ),
      ),
      element('gmd:graphicOverview', element('gmd:MD_BrowseGraphic', characters('gmd:fileName', record.thumbnail))),
      keywords(record.keywords, 'theme'),
      ...record.thesauri.map(({ title, words }) =>
        keywords(
          words.map(({ name }) => name),
          'theme',
          title,
        ),
      ),
      keywords(record.regions, 'place'),
      constraints(record),
      record.representation === undefined
        ? ''
        : code('gmd:spatialRepresentationType', 'MD_SpatialRepresentationTypeCode', record.representation),
      language(record),
      code('gmd:characterSet', 'MD_CharacterSetCode', 'utf8'),
      element('gmd:topicCategory', textElement('gmd:MD_TopicCategoryCode', record.category)),
      element('gmd:extent', extent(record)),
      characters('gmd:supplementalInformation', record.supplement),
    ].join(''),
  );
}

/** Said to be missing, where the schema wants an element. */
const NOT_GIVEN = '<gco:CharacterString/>';

function citation({ title, alternate, date, edition, uuid, doi }: MetadataRecord): string {
  const identifier = (text: string): string =>
    element('gmd:identifier', element('gmd:MD_Identifier', characters('gmd:code', text)));
  return element(
    'gmd:CI_Citation',
    [
      characters('gmd:title', title),
      characters('gmd:alternateTitle', alternate),
      element(
        'gmd:date',
        element(
          'gmd:CI_Date',
          element('gmd:date', textElement('gco:Date', dayOf(date.value))) +
            code('gmd:dateType', 'CI_DateTypeCode', date.type),
        ),
      ),
      characters('gmd:edition', edition),
      identifier(uuid),
      doi === undefined ? '' : identifier(doi),
    ].join(''),
  );
}

function responsible(name: string, { role, name: person }: Contact): string {
  return element(
    name,
    element(
      'gmd:CI_ResponsibleParty',
      characters('gmd:individualName', person) + code('gmd:role', 'CI_RoleCode', role),
    ),
  );
}

function keywords(words: readonly string[], type: 'theme' | 'place', thesaurus?: string): string {
  if (words.length === 0) return '';
  return element(
    'gmd:descriptiveKeywords',
    element(
      'gmd:MD_Keywords',
      words.map((word) => characters('gmd:keyword', word)).join('') +
        code('gmd:type', 'MD_KeywordTypeCode', type) +
        (thesaurus === undefined ? '' : element('gmd:thesaurusName', thesaurusCitation(thesaurus))),
    ),
  );
}

/** A citation has a date, which nobody has told. */
function thesaurusCitation(title: string): string {
  return element(
    'gmd:CI_Citation',
    characters('gmd:title', title) + emptyElement('gmd:date', { 'gco:nilReason': 'unknown' }),
  );
}

/** Restrictions by the code list of the standard; one that it does not have is an "other", in words. */
function constraints({ restriction, constraints: other, license }: MetadataRecord): string {
  const named = restriction === 'limitation not listed' ? 'otherRestrictions' : restriction;
  const words = [license?.name, license?.url, other].filter((text) => text !== undefined);
  if (named === undefined && words.length === 0) return '';
  return element(
    'gmd:resourceConstraints',
    element(
      'gmd:MD_LegalConstraints',
      [
        named === undefined ? '' : code('gmd:accessConstraints', 'MD_RestrictionCode', named),
        license === undefined ? '' : code('gmd:useConstraints', 'MD_RestrictionCode', 'license'),
        words.length > 0 && license === undefined && named !== 'otherRestrictions'
          ? code('gmd:useConstraints', 'MD_RestrictionCode', 'otherRestrictions')
          : '',
        ...words.map((text) => characters('gmd:otherConstraints', text)),
      ].join(''),
    ),
  );
}

function extent({ extent: where, period }: MetadataRecord): string {
  const box = where === undefined ? undefined : insideWorld(where);
  const side = (name: string, degrees: number): string => element(name, textElement('gco:Decimal', degrees));
  const place =
    box === undefined
      ? ''
      : element(
          'gmd:geographicElement',
          element(
            'gmd:EX_GeographicBoundingBox',
            side('gmd:westBoundLongitude', box[0]) +
              side('gmd:eastBoundLongitude', box[2]) +
              side('gmd:southBoundLatitude', box[1]) +
              side('gmd:northBoundLatitude', box[3]),
          ),
        );
  const moment = (name: string, time: string | undefined): string =>
    time === undefined ? emptyElement(name, { indeterminatePosition: 'unknown' }) : textElement(name, secondsOf(time));
  const time =
    period === undefined
      ? ''
      : element(
          'gmd:temporalElement',
          element(
            'gmd:EX_TemporalExtent',
            element(
              'gmd:extent',
              element(
                'gml:TimePeriod',
                moment('gml:beginPosition', period.start) + moment('gml:endPosition', period.end),
                { 'gml:id': 'period' },
              ),
            ),
          ),
        );
  return element('gmd:EX_Extent', place + time);
}

/** Documents and stories are nowhere in particular, whatever the column says. */
function referenceSystem({ type, srid }: MetadataRecord): string {
  if (type !== 'layer' && type !== 'map') return '';
  const [authority = '', number = ''] = srid.split(':');
  return element(
    'gmd:referenceSystemInfo',
    element(
      'gmd:MD_ReferenceSystem',
      element(
        'gmd:referenceSystemIdentifier',
        element('gmd:RS_Identifier', characters('gmd:code', number) + characters('gmd:codeSpace', authority)),
      ),
    ),
  );
}

function distribution(record: MetadataRecord): string {
  const page: MetadataLink = { type: 'html', name: 'Page', mime: 'text/html', url: record.page };
  return element(
    'gmd:MD_Distribution',
    element(
      'gmd:transferOptions',
      element(
        'gmd:MD_DigitalTransferOptions',
        [page, ...record.links].map((link) => element('gmd:onLine', onlineResource(link, record))).join(''),
      ),
    ),
  );
}

function onlineResource({ type, name, url }: MetadataLink, { alternate, title }: MetadataRecord): string {
  const isService = type.startsWith('OGC:');
  const isFile = type === 'data' || type === 'uploaded' || type === 'original';
  return element(
    'gmd:CI_OnlineResource',
    [
      element('gmd:linkage', textElement('gmd:URL', url)),
      characters(
        'gmd:protocol',
        isService ? type : `WWW:${isFile ? 'DOWNLOAD' : 'LINK'}-1.0-http--${isFile ? 'download' : 'link'}`,
      ),
      // Clients look up the layer of a service by this name.
      characters('gmd:name', isService && alternate !== undefined ? alternate : name),
      characters('gmd:description', `${title} (${name})`),
      code('gmd:function', 'CI_OnLineFunctionCode', isFile ? 'download' : 'information'),
    ].join(''),
  );
}

function quality(record: MetadataRecord): string {
  return element(
    'gmd:DQ_DataQuality',
    record.quality === undefined
      ? ''
      : element('gmd:scope', element('gmd:DQ_Scope', code('gmd:level', 'MD_ScopeCode', scopeOf(record)))) +
          element('gmd:lineage', element('gmd:LI_Lineage', characters('gmd:statement', record.quality))),
  );
}

function scopeOf({ type }: MetadataRecord): string {
  return type === 'layer' || type === 'map' ? 'dataset' : 'nonGeographicDataset';
}

function language({ language: code639 }: MetadataRecord): string {
  return element(
    'gmd:language',
    element('gmd:LanguageCode', code639, {
      codeList: 'http://www.loc.gov/standards/iso639-2/',
      codeListValue: code639,
    }),
  );
}

function characters(name: string, text: string | undefined): string {
  return element(name, textElement('gco:CharacterString', text));
}

function code(name: string, list: string, value: string): string {
  return element(name, element(`gmd:${list}`, value, { codeList: `${CODES}#${list}`, codeListValue: value }));
}

/** Times of XML have fractions of seconds, but readers of metadata do not expect them. */
function secondsOf(time: string): string {
  return `${time.slice(0, 19)}Z`;
}
