// Which suites run on the embedded engine (PGlite) as well as on PostgreSQL: those in which the two can differ, each with the reason.
// The others test code that does not know its engine, and run on PostgreSQL alone; `npm run test:all` runs every suite on both.

type EmbeddedSuites = {
  readonly why: string;
  /** Test files or folders, by the beginning of their paths. */
  readonly files: readonly string[];
};

export const EMBEDDED_SUITES: readonly EmbeddedSuites[] = [
  {
    why: 'the driver contract, on which everything above relies, and the code that speaks to the driver directly',
    files: [
      'src/pg/',
      'src/jobs/',
      'src/auth/',
      'src/rest/lifecycle/',
      'src/rest/run/',
      'test/feature/driver-contract',
      'test/feature/embedded-database',
      'test/testkit/',
    ],
  },
  {
    why: 'types and their text: another version of PostgreSQL, another C library, another machine word',
    files: [
      'test/feature/rest/aggregates',
      'test/feature/rest/client-types',
      'test/feature/rest/columnar',
      'test/feature/rest/csv',
      'test/feature/rest/function-arguments',
      'test/feature/rest/function-results',
      'test/feature/rest/geojson',
      'test/feature/rest/json-paths',
      'test/feature/rest/range-operators',
      'test/feature/rest/representations',
      'test/feature/rest/world',
    ],
  },
  {
    why: 'errors: messages, codes and positions come from the engine',
    files: ['test/feature/rest/custom-errors', 'test/feature/rest/errors', 'test/feature/portal/accounts-errors'],
  },
  {
    why: 'cancelling and limits of time and size: one session for all, in a thread that cannot be signalled',
    files: [
      'test/feature/rest/connections',
      'test/feature/rest/limits',
      'test/feature/rest/open-streams',
      'test/feature/rest/owner-limits',
      'test/feature/rest/request-limits',
      'test/feature/rest/streaming',
      'test/feature/mapserver/slow-readers',
    ],
  },
  {
    why: 'concurrency, transactions, notifications and COPY: callers take turns on one session',
    files: [
      'test/feature/rest/batch',
      'test/feature/rest/bulk-insert',
      'test/feature/rest/copied-inserts',
      'test/feature/rest/function-transactions',
      'test/feature/rest/large-inserts',
      'test/feature/rest/live',
      'test/feature/rest/procedures',
      'test/feature/rest/settings-and-schema',
      'test/feature/rest/transactions',
      'test/feature/portal/operation',
      'test/feature/portal/sign-ins',
    ],
  },
  {
    why: 'the catalogue of another version of PostgreSQL',
    files: [
      'src/rest/schema-cache/',
      'src/rest/response/openapi/',
      'test/feature/rest/views-and-triggers',
      'test/fuzz/',
    ],
  },
  {
    why: 'roles, grants and row security, where the session belongs to the superuser',
    files: [
      'test/access/definers',
      'test/access/escalation',
      'test/access/grants',
      'test/access/hygiene',
      'test/access/settings',
      'test/feature/rest/authentication',
      'test/feature/rest/row-security',
      'test/feature/rest/tenants',
      'test/feature/portal/permission-levels',
      'test/feature/portal/share-links',
    ],
  },
  {
    why: 'import: COPY, advisory locks, the job queue and files beside the database; here files are read by the packaged GDAL, there by that of the machine',
    files: [
      'src/mapserver/import/',
      'test/feature/uploads/bad-input',
      'test/feature/uploads/commands',
      'test/feature/uploads/first-import',
      'test/feature/uploads/geocoding',
      'test/feature/uploads/last-attempt',
      'test/feature/uploads/outcomes',
      'test/feature/uploads/preview',
      'test/feature/uploads/processes',
      'test/feature/uploads/questions',
      'test/feature/uploads/raster-processes',
      'test/feature/uploads/sql-results',
      'test/feature/uploads/table-bounds',
    ],
  },
  {
    why: 'search and order: dictionaries, collations and trigrams of the engine',
    files: [
      'test/feature/rest/full-text',
      'test/feature/portal/discovery',
      'test/feature/portal/facets',
      'test/feature/portal/lists',
      'test/feature/portal/order-of-text',
      'test/feature/portal/word-search',
    ],
  },
  {
    why: 'PostGIS of another version',
    files: [
      'test/feature/mapserver/calculating',
      'test/feature/mapserver/exact-filters',
      'test/feature/mapserver/features',
      'test/feature/mapserver/long-answers',
      'test/feature/mapserver/query-plans',
      'test/feature/mapserver/statistics',
      'test/feature/mapserver/tiles',
      'test/feature/mapserver/wfs-transaction',
    ],
  },
  {
    why: 'backups: a backup of one engine is restored on the other',
    files: ['test/feature/backup/backup', 'test/feature/schema/'],
  },
  {
    why: 'what a newcomer does first',
    files: [
      'test/feature/portal/accounts-first-admin',
      'test/feature/portal/accounts-sign-in',
      'test/feature/portal/create',
      'test/feature/portal/delete',
      'test/feature/rest/start',
    ],
  },
];

export function isEmbeddedSuite(testPath: string | undefined): boolean {
  const path = testPath?.replaceAll('\\', '/') ?? '';
  return EMBEDDED_SUITES.some(({ files }) => files.some((file) => path.includes(`/${file}`)));
}
