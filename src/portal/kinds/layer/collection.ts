// Layers, under the two names that clients know them by: `layers` and `datasets`.

import type { BlobStore } from '../../../blobs/blob-store.ts';
import type { Collection } from '../../operations/collection.ts';
import { contentCollection } from '../item/content-collection.ts';
import { layer } from './fields.ts';

export function layers(blobs: BlobStore): Collection {
  return contentCollection(
    { path: '/api/v2/layers', about: 'Layers: features or pixels.', recordType: layer, type: 'layer', hasExtent: true },
    blobs,
  );
}

/** Layers under the name that later clients know them by. */
export function datasets(blobs: BlobStore): Collection {
  return { ...layers(blobs), path: '/api/v2/datasets', list: 'datasets', item: 'dataset' };
}
