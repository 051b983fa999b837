// The collections of apps: geoapps and geostories.

import type { BlobStore } from '../../../blobs/blob-store.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { Collection } from '../../operations/collection.ts';
import { contentCollection, titledByName } from '../item/content-collection.ts';
import { geoapp, geostory } from './fields.ts';

const NO_NAME: PortalError = {
  kind: 'invalid-request',
  messages: ["No valid data: 'name' and 'owner' are mandatory fields!"],
};

/** An app without a name is told so in the words its clients know; the owner is who makes it, if nobody else is named. */
function namelessApp(element: Readonly<Record<string, unknown>>): PortalError | undefined {
  return Object.hasOwn(element, 'name') ? undefined : NO_NAME;
}

export function geoapps(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/geoapps',
      about: 'Apps whose content is one JSON document.',
      recordType: geoapp,
      type: 'geoapp',
      hasExtent: true,
      valuePaths: { data: 'GeoAppData' },
      writer: { complain: namelessApp, prepare: (draft, mode) => titledByName(draft, mode, geoapp) },
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
      writer: { complain: namelessApp, prepare: (draft, mode) => titledByName(draft, mode, geostory) },
    },
    blobs,
  );
}
