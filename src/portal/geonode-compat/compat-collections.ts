// The collections that answers at built-in addresses are made of.

import type { Collection } from '../operations/collection.ts';

export type BuiltInCollections = Readonly<
  Record<
    | 'resources'
    | 'layers'
    | 'maps'
    | 'documents'
    | 'geoapps'
    | 'users'
    | 'groups'
    | 'owners'
    | 'categories'
    | 'keywords'
    | 'regions'
    | 'tkeywords',
    Collection
  >
>;
