// The collections of apps: geoapps and geostories.

import type { BlobStore } from '../../../blobs/blob-store.ts';
import { err, type Result } from '../../../kernel/result.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { RecordType } from '../../fields/field.ts';
import type { Collection, Writer } from '../../operations/collection.ts';
import { type Draft, givenText } from '../../operations/write/draft.ts';
import type { WriteMode } from '../../operations/write/parse-element.ts';
import { contentCollection, titledByName } from '../item/content-collection.ts';
import { dashboardFault } from './dashboard-data.ts';
import { geoapp, geostory } from './fields.ts';

const NO_NAME: PortalError = {
  kind: 'invalid-request',
  messages: ["No valid data: 'name' and 'owner' are mandatory fields!"],
};

/** An app without a name is told so in the words its clients know; the owner is who makes it, if nobody else is named. */
function namelessApp(element: Readonly<Record<string, unknown>>): PortalError | undefined {
  return Object.hasOwn(element, 'name') ? undefined : NO_NAME;
}

async function prepareApp(draft: Draft, mode: WriteMode, recordType: RecordType): Promise<Result<Draft, PortalError>> {
  for (const name of ['data', 'blob']) {
    const text = givenText(draft, name);
    const fault = typeof text === 'string' ? dashboardFault(JSON.parse(text)) : undefined;
    if (fault !== undefined) return err({ kind: 'invalid-fields', fields: { [name]: [fault] } });
  }
  return titledByName(draft, mode, recordType);
}

const writerOf = (recordType: RecordType): Partial<Writer> => ({
  complain: namelessApp,
  prepare: (draft, mode) => prepareApp(draft, mode, recordType),
});

export function geoapps(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/geoapps',
      about: 'Apps whose content is one JSON document.',
      recordType: geoapp,
      type: 'geoapp',
      hasExtent: true,
      valuePaths: { data: 'GeoAppData' },
      writer: writerOf(geoapp),
    },
    blobs,
  );
}

export function geostories(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/geostories',
      about: 'Stories told with maps, pictures and text.',
      recordType: geostory,
      type: 'geostory',
      hasExtent: false,
      valuePaths: { data: 'GeoAppData' },
      writer: writerOf(geostory),
    },
    blobs,
  );
}
