// The collections of the API, and what its OpenAPI document tells of them: made once, for the paths and for the document alike.

import type { BlobStore } from '../../blobs/blob-store.ts';
import { geoapps, geostories } from '../kinds/app/collection.ts';
import { documents } from '../kinds/document/collection.ts';
import { facets } from '../kinds/facet/collections.ts';
import { datasets, layers } from '../kinds/layer/collection.ts';
import { maps } from '../kinds/map/collection.ts';
import { groups, users } from '../kinds/people/collections.ts';
import { resources } from '../kinds/resources.ts';
import { thesauri } from '../kinds/thesaurus/collections.ts';
import { uploads } from '../kinds/upload/collection.ts';
import { viewerResources, viewerUsers } from '../kinds/viewer/viewer-collections.ts';
import type { Collection } from '../operations/collection.ts';
import type { ApiOptions } from '../operations/exchange.ts';
import type { COLLECTIONS } from './collections.ts';
import type { DescribedCollection } from './openapi/collection-paths.ts';

export type PortalCollections = {
  readonly all: Readonly<Record<(typeof COLLECTIONS)[number], Collection>>;
  /** Layers, under the path that newer clients ask for. */
  readonly datasets: Collection;
  /** Every collection below `/api/v2`. */
  readonly served: readonly Collection[];
};

export function portalCollections(blobs: BlobStore): PortalCollections {
  const all = {
    documents: documents(blobs),
    geoapps: geoapps(blobs),
    geostories: geostories(blobs),
    groups,
    layers: layers(blobs),
    maps: maps(blobs),
    resources: resources(blobs),
    uploads,
    users,
  };
  const asDatasets = datasets(blobs);
  return { all, datasets: asDatasets, served: [...Object.values(all), asDatasets, ...facets, ...thesauri] };
}

/** What the document tells of. */
export function describedCollections(
  { enableBulkUpdate, enablePatchAll, blobs }: Pick<ApiOptions, 'enableBulkUpdate' | 'enablePatchAll' | 'blobs'>,
  { served }: PortalCollections,
): readonly DescribedCollection[] {
  const viewer = [viewerResources('/mapviewer/rest/resources', blobs), viewerUsers('/mapviewer/rest/users')];
  return [...served, ...viewer].map((collection) => ({
    ...collection,
    hasBulk: enableBulkUpdate,
    hasPatchAll: enablePatchAll,
  }));
}
