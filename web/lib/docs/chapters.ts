// The table of contents: pages of the documentation in the order in which they are read.

/** `using` is for people in a browser, and translated; the others are in English. */
export const CHAPTERS = {
  using: ['first-steps', 'map-viewer', 'adding-data', 'calculating', 'analysis', 'dashboards', 'working-together'],
  portal: [
    'portal-pages',
    'uploads',
    'calculating-api',
    'processes',
    'maps-and-styles',
    'tiles-and-features',
    'portal-api',
    'clients',
    'programs',
  ],
  rest: [
    'start',
    'reading',
    'paging',
    'embedding',
    'aggregates',
    'spatial',
    'writing',
    'functions',
    'live',
    'agents',
    'types',
    'errors',
    'auth',
    'moving-from-postgrest',
  ],
  operation: [
    'install',
    'configuration',
    'operations',
    'security',
    'databases',
    'replicas',
    'scaling',
    'partitions',
    'performance',
  ],
} as const;

export type Chapter = keyof typeof CHAPTERS;

export const FIRST_PAGE = 'first-steps';
