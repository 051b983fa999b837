// The catalogue queries, read once from the files beside this one.

import { readFileSync } from 'node:fs';

type CatalogueQuery =
  | 'scope'
  | 'relations'
  | 'defaults'
  | 'comments'
  | 'keys'
  | 'views'
  | 'viewQueries'
  | 'types'
  | 'routines'
  | 'composites'
  | 'mediaHandlers'
  | 'representations'
  | 'timezones'
  | 'updatable'
  | 'rowSecurity'
  | 'extensions'
  | 'textSearch'
  | 'roleLimits'
  | 'moreChanged'
  | 'namedTypes';

export const catalogueSql: Readonly<Record<CatalogueQuery, string>> = {
  scope: read('scope'),
  relations: read('relations'),
  defaults: read('defaults'),
  comments: read('comments'),
  keys: read('keys'),
  views: read('views'),
  viewQueries: read('view-queries'),
  types: read('types'),
  routines: read('routines'),
  composites: read('composites'),
  mediaHandlers: read('media-handlers'),
  representations: read('representations'),
  timezones: read('timezones'),
  updatable: read('updatable'),
  rowSecurity: read('row-security'),
  extensions: read('extensions'),
  textSearch: read('text-search'),
  roleLimits: read('role-limits'),
  moreChanged: read('more-changed'),
  namedTypes: read('named-types'),
};

function read(name: string): string {
  return readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8');
}
