// The parts of the OpenAPI 3.1 document that are the same for every database: how to filter, select, order and page, what
// can be preferred, which headers come back, what an error looks like.

import { bothSpellings, ERROR_CODES } from '../../errors/error-codes.ts';
import { LONGEST_CURSOR } from '../../request/keyset-cursor.ts';
import { pointerTo } from './json-pointer.ts';
import type { JsonText, JsonValue, Member } from './json-text.ts';
import { json } from './json-text.ts';

export function componentRef(
  kind: 'schemas' | 'parameters' | 'responses' | 'headers' | 'requestBodies',
  name: string,
): { $ref: string } {
  return { $ref: pointerTo('components', kind, name) };
}

const OPERATORS = [
  ['eq, neq, gt, gte, lt, lte', 'comparison: `eq.5`, `gte.2024-01-31`'],
  ['like, ilike', 'pattern, `*` for any characters: `ilike.*road*`'],
  ['match, imatch', 'POSIX regular expression: `match.^A`'],
  ['in', 'one of a list: `in.(1,2,3)`, quoted where a value has a comma: `in.("a,b",c)`'],
  ['is', '`is.null`, `is.not_null`, `is.true`, `is.false`, `is.unknown`'],
  ['isdistinct', 'differs, null counting as a value'],
  ['fts, plfts, phfts, wfts', 'full-text search, optionally in a language: `fts(english).cat`'],
  ['cs, cd, ov', 'contains, contained in, overlaps (arrays, ranges, JSON): `cs.{1,2}`'],
  ['sl, sr, nxl, nxr, adj', 'ranges: strictly left, strictly right, not left of, not right of, adjacent'],
  [
    'st_intersects, st_within, st_contains, st_covers, st_coveredby, st_touches, st_crosses, st_overlaps, st_equals',
    'with PostGIS, a geometry as GeoJSON or WKT: `st_within.POLYGON((…))`',
  ],
  [
    'st_dwithin, bbox',
    'with PostGIS: `st_dwithin(1000).POINT(7 51)`, in metres; `bbox.6,50,8,52`, or with an SRID behind',
  ],
  ['similar', 'with pg_trgm, alike: `similar.dortmund`'],
] as const;

const FILTER_HELP = [
  'A condition on the column: `operator.value`, negated by `not.` in front. Repeated parameters must all hold.',
  '',
  ...OPERATORS.map(([operators, meaning]) => `- \`${operators}\`: ${meaning}`),
  '',
  'Comparison and pattern operators take `(any)` or `(all)` with a list: `eq(any).{1,2}`, and `(col)` with another column: `gt(col).other`.',
].join('\n');

/** Both spellings: which one is sent is a setting, and clients are written for either. */
const CODE_HELP = [
  'SQLSTATE of the database, a custom code that a function raised, or a code of this service:',
  '',
  ...ERROR_CODES.map(({ code, status, meaning }) => `- ${bothSpellings(code)} (${status}): ${meaning}`),
].join('\n');

export const SHARED_SCHEMAS: readonly Member[] = [
  [
    'Survest.Error',
    json({
      type: 'object',
      description: 'What went wrong.',
      required: ['code', 'details', 'hint', 'message'],
      properties: {
        code: {
          type: 'string',
          description: CODE_HELP,
        },
        message: { type: 'string' },
        details: {
          type: ['string', 'array', 'null'],
          description: 'An array when a request is ambiguous: one item for each reading of it.',
        },
        hint: { type: ['string', 'null'] },
      },
    }),
  ],
  [
    'Survest.Filter',
    json({
      type: 'string',
      description: FILTER_HELP,
      pattern: String.raw`^(not\.)?(eq|neq|gt|gte|lt|lte|like|ilike|match|imatch|in|is|isdistinct|fts|plfts|phfts|wfts|cs|cd|ov|sl|sr|nxr|nxl|adj|st_[a-z]+|bbox|similar)(\([^)]+\))?\.`,
      examples: ['eq.5', 'not.is.null', 'in.(1,2,3)'],
    }),
  ],
  [
    'Survest.Query',
    json({
      type: 'object',
      description: 'Parameters by name; a list stands for a parameter that comes several times.',
      additionalProperties: {
        anyOf: [
          { type: ['string', 'number', 'boolean'] },
          { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
        ],
      },
      examples: [{ id: 'in.(1,2,3)', select: 'id,name', limit: 10 }],
    }),
  ],
  [
    'Survest.JsonPatch',
    json({
      type: 'array',
      description: 'Operations of RFC 6902 on json columns. When one fails on a row, nothing is changed (409).',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['op', 'path'],
        properties: {
          op: { enum: ['add', 'remove', 'replace', 'test'] },
          path: { type: 'string', pattern: '^/', description: 'The column, then the way into it: `/facts/list/0`.' },
          value: {},
        },
      },
    }),
  ],
  [
    'Survest.Geometry',
    json({
      type: 'object',
      description: 'A GeoJSON geometry.',
      required: ['type'],
      properties: {
        type: {
          enum: [
            'Point',
            'MultiPoint',
            'LineString',
            'MultiLineString',
            'Polygon',
            'MultiPolygon',
            'GeometryCollection',
          ],
        },
        coordinates: { type: 'array' },
        geometries: { type: 'array', items: { $ref: '#/components/schemas/Survest.Geometry' } },
        crs: { type: 'object' },
      },
    }),
  ],
];

function query(
  name: string,
  description: string,
  schema: JsonValue,
  more: { readonly [key: string]: JsonValue } = {},
): JsonText {
  return json({ name, in: 'query', description, schema, ...more });
}

function prefer(description: string, preferences: readonly string[]): JsonText {
  return json({
    name: 'Prefer',
    in: 'header',
    description: `${description} Several are separated by commas: ${preferences.map((one) => `\`${one}\``).join(', ')}.`,
    schema: { type: 'string' },
  });
}

const COUNTS = ['count=exact', 'count=planned', 'count=estimated'];
const RETURNS = ['return=minimal', 'return=headers-only', 'return=representation'];
const MISSING = ['missing=default', 'missing=null'];
const EVERYWHERE = [
  'handling=strict',
  'handling=lenient',
  'timezone=<name>',
  'consistency=session',
  'consistency=strong',
];
/** Of relations, not of functions. */
const OF_RELATIONS = [...EVERYWHERE, 'explain=access'];
const WHOLE = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string' };

export const SHARED_PARAMETERS: readonly Member[] = [
  [
    'select',
    query(
      'select',
      [
        'Columns to return, with renaming `alias:column`, casts `column::text`, JSON paths `data->>key`, related rows `relation(column,…)`,',
        'functions of a column `day.trunc(month)`, `price.bucket(10)`, `geom.st_area()`, `body.ts_headline(query)`, and, where they are enabled, aggregates `amount.sum()`, `count()`,',
        '`count().filter(state.eq.paid)` and window functions `rank().over(partition(a),order(b))`.',
      ].join(' '),
      TEXT,
      {
        examples: { columns: { value: 'id,name' } },
      },
    ),
  ],
  [
    'order',
    query(
      'order',
      'Sorting: `column.asc`, `column.desc`, each with `.nullsfirst` or `.nullslast`, separated by commas; also by functions `geom.nearest(POINT(7 51))`, `words.ts_rank(query).desc`, by aggregates `amount.sum().desc` and by the number of related rows `relation(count)`.',
      TEXT,
    ),
  ],
  ['limit', query('limit', 'The most rows to return.', WHOLE)],
  ['offset', query('offset', 'How many rows to pass over.', WHOLE)],
  [
    'distinct',
    query(
      'distinct',
      'Rows that are alike once; with columns, the first row of each. Needs `db-aggregates-enabled`.',
      TEXT,
      { allowEmptyValue: true },
    ),
  ],
  [
    'having',
    query(
      'having',
      'Conditions on groups: `(amount.sum().gt.100,count().gte.2)`, `or(…)`, `not.and(…)`. Needs `db-aggregates-enabled`.',
      TEXT,
    ),
  ],
  [
    'after',
    query(
      'after',
      'Keyset pages: empty for the first page, then the cursor that `Next-Cursor` and `Link` of the page before name.',
      { type: 'string', maxLength: LONGEST_CURSOR },
      { allowEmptyValue: true },
    ),
  ],
  [
    'and',
    query(
      'and',
      'Conditions that must all hold: `(column.operator.value,…)`; can contain `or(…)` and `not.and(…)`.',
      TEXT,
    ),
  ],
  [
    'or',
    query(
      'or',
      'Conditions of which one must hold: `(column.operator.value,…)`; can contain `and(…)` and `not.or(…)`.',
      TEXT,
    ),
  ],
  ['columns', query('columns', 'Keys of the body to use, separated by commas; the others are ignored.', TEXT)],
  [
    'on_conflict',
    query(
      'on_conflict',
      'Columns that decide which row is meant: of the unique constraint that makes a duplicate, or of a list of rows to change; the primary key when left out.',
      TEXT,
    ),
  ],
  [
    'range',
    json({
      name: 'Range',
      in: 'header',
      description: 'Rows to return, counted from zero: `0-9`, or `10-` for all from there on.',
      schema: { type: 'string', pattern: '^\\d+-\\d*$' },
    }),
  ],
  [
    'rangeUnit',
    json({
      name: 'Range-Unit',
      in: 'header',
      description: 'What `Range` counts.',
      schema: { const: 'items', default: 'items' },
    }),
  ],
  ['preferRead', prefer('How to read.', [...COUNTS, ...OF_RELATIONS])],
  [
    'preferInsert',
    prefer('How to insert, and what to return.', [
      ...RETURNS,
      'resolution=merge-duplicates',
      'resolution=ignore-duplicates',
      ...MISSING,
      'missing=delete',
      'missing=keep',
      ...COUNTS,
      ...OF_RELATIONS,
    ]),
  ],
  [
    'preferUpdate',
    prefer('How to change rows, and what to return.', [
      ...RETURNS,
      ...MISSING,
      'missing=error',
      ...COUNTS,
      'max-affected=<rows>',
      ...OF_RELATIONS,
    ]),
  ],
  ['preferPut', prefer('What to return.', [...RETURNS, ...OF_RELATIONS])],
  [
    'preferDelete',
    prefer('How to delete rows, and what to return.', [...RETURNS, ...COUNTS, 'max-affected=<rows>', ...OF_RELATIONS]),
  ],
  ['preferCall', prefer('How to call.', [...COUNTS, 'max-affected=<rows>', ...EVERYWHERE])],
];

function header(description: string, schema: JsonValue = TEXT): JsonText {
  return json({ description, schema });
}

export const SHARED_HEADERS: readonly Member[] = [
  [
    'Content-Range',
    header(
      'Rows returned and how many there are: `0-9/42`, `0-9/*` when they were not counted, `*/0` when there are none.',
    ),
  ],
  ['Range-Unit', header('What `Content-Range` counts.', { const: 'items' })],
  ['Preference-Applied', header('Preferences that were followed.')],
  ['Link', header('Other pages: `<…>; rel="next"`.')],
  ['Next-Cursor', header('The cursor of the keyset page behind this one, when it was asked for by `after`.')],
  [
    'Access-Explanation',
    header('Which grants and policies decided, as a JSON array of sentences, when `explain=access` was followed.'),
  ],
  [
    'Consistency-Token',
    header(
      'After a write with `consistency=session`, where there are replicas: a read that sends it back sees the write.',
    ),
  ],
  ['Location', header('The inserted row, when it is one and `return=headers-only` was preferred.')],
  ['Proxy-Status', header('Carries the error code, also where there is no body: `Survest; error=<code>`.')],
  ['WWW-Authenticate', header('On 401: what is wrong with the token.')],
];

/** Of what may be one page of several. */
export const PAGE_HEADERS: JsonValue = {
  'Content-Range': componentRef('headers', 'Content-Range'),
  'Range-Unit': componentRef('headers', 'Range-Unit'),
  'Preference-Applied': componentRef('headers', 'Preference-Applied'),
  'Access-Explanation': componentRef('headers', 'Access-Explanation'),
  Link: componentRef('headers', 'Link'),
  'Next-Cursor': componentRef('headers', 'Next-Cursor'),
};

export const ROW_HEADERS: JsonValue = {
  'Content-Range': componentRef('headers', 'Content-Range'),
  'Range-Unit': componentRef('headers', 'Range-Unit'),
  'Preference-Applied': componentRef('headers', 'Preference-Applied'),
  'Access-Explanation': componentRef('headers', 'Access-Explanation'),
};

/** The parameters of a GET in a body: `QUERY`, or `POST` to `…/query`. */
export const SHARED_REQUEST_BODIES: readonly Member[] = [
  [
    'Survest.Query',
    json({
      description: [
        'The parameters that a GET of the same thing takes in its address (filters, `select`, `order`, `limit` …), for questions that',
        'are longer than an address may be. A name stands in the address or in the body, not in both. The same body goes with the',
        'method `QUERY` to the address without `/query`.',
      ].join(' '),
      content: {
        'application/json': { schema: componentRef('schemas', 'Survest.Query') },
        'application/x-www-form-urlencoded': { schema: componentRef('schemas', 'Survest.Query') },
      },
    }),
  ],
];

export const SHARED_RESPONSES: readonly Member[] = [
  ['Survest.Done', json({ description: 'Done; there is nothing to return.', headers: ROW_HEADERS })],
  [
    'Survest.Error',
    json({
      description: 'The request was refused or failed.',
      headers: {
        'Proxy-Status': componentRef('headers', 'Proxy-Status'),
        'WWW-Authenticate': componentRef('headers', 'WWW-Authenticate'),
      },
      content: { 'application/json': { schema: componentRef('schemas', 'Survest.Error') } },
    }),
  ],
];

const FAILED = json(componentRef('responses', 'Survest.Error'));

/** Statuses of a request that came to nothing; 300 is the answer to an ambiguous one. */
export const FAILURES: readonly Member[] = [
  ['4XX', FAILED],
  ['5XX', FAILED],
];
export const AMBIGUOUS: Member = ['300', FAILED];
export const DONE: Member = ['204', json(componentRef('responses', 'Survest.Done'))];
