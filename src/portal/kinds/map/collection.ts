// The collection of maps.

import type { BlobStore } from '../../../blobs/blob-store.ts';
import type { Collection } from '../../operations/collection.ts';
import { contentCollection } from '../item/content-collection.ts';
import { map } from './fields.ts';
import { withLayersOfConfig, withViewOfConfig } from './map-config.ts';

export function maps(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/maps',
      about: 'Maps: layers on top of each other, and how to look at them.',
      recordType: map,
      type: 'map',
      hasExtent: true,
      valuePaths: { data: 'MapData' },
      writer: { complete: withViewOfConfig, prepare: async (draft) => withLayersOfConfig(draft) },
    },
    blobs,
  );
}
