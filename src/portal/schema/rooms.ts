/** The rooms of the portal's database in the order in which they are applied: a table stands behind those it refers to. */
export const ROOMS: readonly string[] = [
  'settings',
  'text',
  'jobs',
  'caller',
  'accounts',
  'groups',
  'code-lists',
  'items',
  'keywords',
  'sign-in',
  'second-factor',
  'mail',
  'permissions',
  'styles',
  'layers',
  'tables',
  'columns',
  'maps',
  'documents',
  'links',
  'thumbnails',
  'files',
  'uploads',
  'search',
  'tallies',
  'history',
  'versions',
  'bin',
  'share-links',
  'social',
  'notifications',
  'remote',
  'provenance',
  'overviews',
  'live',
  'audit',
  'basemaps',
  'geocoding',
  'sql-console',
  'operation',
];

/** What a database without a portal can have as well, by the file that begins with it. */
export const BEGINNINGS: Readonly<Record<string, URL>> = {
  'live/functions.sql': new URL('../../pg/change-log/sql/install.sql', import.meta.url),
};

/** Schemas of the database in which the files make functions, views, policies and triggers. In `layers` they make nothing, and in `jobs` is what pg-boss makes. */
export const SCHEMAS: readonly string[] = ['portal', 'portal_private', 'staging', 'survest_live'];

/** The number of the tables' first form; changes have higher ones. */
export const BASELINE = 1000;
