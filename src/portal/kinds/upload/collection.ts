// Imports of layers, as records. How files get in and layers come out is the upload's own business.

import { empty, raw, sql } from '../../../sql/index.ts';
import type { BoundValue } from '../../fields/bound-value.ts';
import type { Collection } from '../../operations/collection.ts';
import { upload } from './fields.ts';

export const uploads: Collection = {
  path: '/api/v2/uploads',
  list: upload.plural,
  item: upload.name,
  about: 'Imports of layers: one’s own, and all of them to administrators.',
  recordType: upload,
  source: {
    row: 'u',
    table: raw('portal.upload u'),
    joins: empty,
    key: raw('u.id'),
    where: [],
    order: { value: raw('u.date'), isDescending: true },
    isCatalogue: false,
  },
  rules: { recordType: upload, searched: ['name'], hasExtent: false, hasFavourites: false, full: ['layer', 'session'] },
  visitors: 'see-no-items',
  listed: [],
  valuePaths: {},
  writer: {
    table: 'portal.upload',
    fixed: {},
    touched: 'name',
    blobs: (ids) => sql<BoundValue>`select f.blob from portal.upload_file f where f.upload_id in (${ids})`,
  },
};
