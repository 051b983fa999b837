// The formats that metadata can be had in: how each is written, and where. Adding a format is adding a line.

import type { MetadataRecord } from './metadata-record.ts';
import { writeAtom } from './write-atom.ts';
import { writeDcat } from './write-dcat.ts';
import { writeDublinCore } from './write-dublin-core.ts';
import { writeFgdc } from './write-fgdc.ts';
import { writeIso19139 } from './write-iso19139.ts';

export type MetadataFormat = {
  /** `/metadata/{id}.{ending}`. */
  readonly ending: string;
  readonly mediaType: string;
  readonly write: (record: MetadataRecord) => string;
};

export const METADATA_FORMATS: readonly MetadataFormat[] = [
  { ending: 'iso19139.xml', mediaType: 'text/xml', write: writeIso19139 },
  { ending: 'dc.xml', mediaType: 'text/xml', write: writeDublinCore },
  { ending: 'fgdc.xml', mediaType: 'text/xml', write: writeFgdc },
  { ending: 'atom.xml', mediaType: 'application/atom+xml', write: writeAtom },
  { ending: 'dcat.jsonld', mediaType: 'application/ld+json', write: writeDcat },
];
