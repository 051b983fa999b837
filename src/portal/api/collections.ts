// The nine collections of the API, by their path.

export const COLLECTIONS = [
  'documents',
  'geoapps',
  'geostories',
  'groups',
  'layers',
  'maps',
  'resources',
  'uploads',
  'users',
] as const;
