// Metadata record → Atom (RFC 4287), as one `entry` document, with its place as GeoRSS.

import type { MetadataRecord } from './metadata-record.ts';
import { element, emptyElement, textElement, XML_HEAD } from './xml.ts';

export function writeAtom(record: MetadataRecord): string {
  return `${XML_HEAD}${atomEntry(record)}`;
}

/** The same to stand inside a feed. */
function atomEntry(record: MetadataRecord): string {
  const owner = record.contacts.find(({ role }) => role === 'owner') ?? record.contacts[0];
  const words = [...record.keywords, ...(record.category === undefined ? [] : [record.category])];
  const named = record.thesauri.flatMap(({ words: found }) =>
    found.map(({ name, uri }) => ({ term: uri ?? name, label: name })),
  );
  return element(
    'entry',
    [
      textElement('id', `urn:uuid:${record.uuid}`),
      textElement('title', record.title),
      textElement('updated', record.updated),
      textElement('published', record.created),
      element('author', textElement('name', owner?.name ?? 'Unknown')),
      textElement('summary', record.abstract),
      textElement('rights', record.license?.name ?? record.constraints),
      ...words.map((term) => emptyElement('category', { term })),
      ...named.map(({ term, label }) => emptyElement('category', { term, label })),
      emptyElement('link', { rel: 'alternate', type: 'text/html', href: record.page }),
      ...record.links.map(({ type, mime, name, url }) =>
        emptyElement('link', { rel: type === 'data' ? 'enclosure' : 'related', type: mime, title: name, href: url }),
      ),
      // GeoRSS has latitude first.
      record.extent === undefined
        ? ''
        : textElement('georss:box', `${record.extent[1]} ${record.extent[0]} ${record.extent[3]} ${record.extent[2]}`),
    ].join(''),
    { xmlns: 'http://www.w3.org/2005/Atom', 'xmlns:georss': 'http://www.georss.org/georss' },
  );
}
