// Metadata record → FGDC CSDGM (Content Standard for Digital Geospatial Metadata, 1998), as one `metadata` document. What the standard
// wants and nobody has told is said to be unknown, as it asks for.

import { insideWorld } from '../../geo/bbox.ts';
import type { MetadataRecord } from './metadata-record.ts';
import { dayOf, element, textElement, XML_HEAD } from './xml.ts';

export function writeFgdc(record: MetadataRecord): string {
  const { contacts, updated } = record;
  const name = (role: string): string => contacts.find((one) => one.role === role)?.name ?? UNKNOWN;
  return `${XML_HEAD}${element(
    'metadata',
    [
      element('idinfo', identification(record, name)),
      element('distinfo', distribution(record, name('pointOfContact'))),
      element(
        'metainfo',
        [
          textElement('metd', compactDay(updated)),
          element('metc', contact(name('author'))),
          textElement('metstdn', 'FGDC Content Standard for Digital Geospatial Metadata'),
          textElement('metstdv', 'FGDC-STD-001-1998'),
        ].join(''),
      ),
    ].join(''),
  )}`;
}

const UNKNOWN = 'Unknown';

function identification(record: MetadataRecord, name: (role: string) => string): string {
  const { restriction, constraints, license } = record;
  const extent = record.extent === undefined ? undefined : insideWorld(record.extent);
  const use = [license?.name, license?.url, constraints].filter((text) => text !== undefined).join('; ');
  return [
    element(
      'citation',
      element(
        'citeinfo',
        [
          textElement('origin', record.attribution ?? name('owner')),
          textElement('pubdate', compactDay(record.date.value)),
          textElement('title', record.title),
          textElement('edition', record.edition),
          textElement('geoform', formOf(record)),
          textElement('onlink', record.page),
          ...record.links.map(({ url }) => textElement('onlink', url)),
        ].join(''),
      ),
    ),
    element(
      'descript',
      [
        textElement('abstract', record.abstract || UNKNOWN),
        textElement('purpose', record.purpose ?? UNKNOWN),
        textElement('supplinf', record.supplement),
      ].join(''),
    ),
    element('timeperd', timePeriod(record)),
    element('status', textElement('progress', 'Complete') + textElement('update', record.maintenance ?? UNKNOWN)),
    extent === undefined
      ? ''
      : element(
          'spdom',
          element(
            'bounding',
            [
              textElement('westbc', extent[0]),
              textElement('eastbc', extent[2]),
              textElement('northbc', extent[3]),
              textElement('southbc', extent[1]),
            ].join(''),
          ),
        ),
    element('keywords', keywords(record)),
    textElement('accconst', restriction ?? 'None'),
    textElement('useconst', use || 'None'),
    element('ptcontac', contact(name('pointOfContact'))),
    record.thumbnail === undefined
      ? ''
      : element(
          'browse',
          textElement('browsen', record.thumbnail) +
            textElement('browsed', 'Small picture of the data') +
            textElement('browset', 'PNG'),
        ),
  ].join('');
}

function timePeriod({ period, date }: MetadataRecord): string {
  const day = (time: string | undefined): string => (time === undefined ? UNKNOWN : compactDay(time));
  const info =
    period === undefined
      ? element('sngdate', textElement('caldate', compactDay(date.value)))
      : element('rngdates', textElement('begdate', day(period.start)) + textElement('enddate', day(period.end)));
  return (
    element('timeinfo', info) + textElement('current', period === undefined ? `${date.type} date` : 'ground condition')
  );
}

function keywords({ keywords: words, thesauri, regions, category }: MetadataRecord): string {
  const list = (name: string, thesaurus: string, found: readonly string[]): string =>
    found.length === 0
      ? ''
      : element(
          name,
          textElement(`${name}kt`, thesaurus) + found.map((word) => textElement(`${name}key`, word)).join(''),
        );
  const named = thesauri.map(({ title, words: found }) =>
    list(
      'theme',
      title,
      found.map(({ name }) => name),
    ),
  );
  const themes = [
    list('theme', 'None', words),
    ...named,
    list('theme', 'ISO 19115 Topic Category', category === undefined ? [] : [category]),
  ].join('');
  // The standard wants one theme at least.
  return (themes || list('theme', 'None', [UNKNOWN])) + list('place', 'None', regions);
}

function contact(person: string): string {
  return element(
    'cntinfo',
    [
      element('cntperp', textElement('cntper', person)),
      element('cntaddr', ['addrtype', 'city', 'state', 'postal'].map((part) => textElement(part, UNKNOWN)).join('')),
      textElement('cntvoice', UNKNOWN),
    ].join(''),
  );
}

function distribution({ links, page }: MetadataRecord, person: string): string {
  const files = links.filter(({ type }) => type === 'data');
  const offered = files.length === 0 ? [{ mime: 'text/html', url: page }] : files;
  return [
    element('distrib', contact(person)),
    textElement('distliab', 'None'),
    element(
      'stdorder',
      offered
        .map(({ mime, url }) =>
          element(
            'digform',
            element('digtinfo', textElement('formname', mime)) +
              element(
                'digtopt',
                element('onlinopt', element('computer', element('networka', textElement('networkr', url)))),
              ),
          ),
        )
        .join('') + textElement('fees', 'None'),
    ),
  ].join('');
}

function formOf({ type, subtype }: MetadataRecord): string {
  if (type === 'map') return 'map';
  if (type !== 'layer') return 'document';
  return subtype === 'raster' ? 'raster digital data' : 'vector digital data';
}

/** `20200301` */
function compactDay(time: string): string {
  return dayOf(time).replaceAll('-', '');
}
