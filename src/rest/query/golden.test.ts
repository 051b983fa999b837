// What a request becomes, as SQL, to be read: each file of golden/ is a chapter of requests and their statements with their
// parameters. Parser, plan, query and parameters are run as in the pipeline, over a schema written by hand; nobody asks a
// database. What has no SQL shows its answer, and what is refused shows why. A request may begin with settings, each on a line
// such as `# db-max-rows = 3`. `npm run bless` rewrites the SQL.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  column,
  manyToOne,
  parameter,
  routine,
  schemaCache,
  table,
} from '../../../test/fixtures/rest/hand-made-cache.ts';
import type { Param } from '../../pg/driver.ts';
import type { Rendered } from '../../sql/index.ts';
import { raiseRules } from '../pipeline/result-check.ts';
import { makePlan } from '../plan/make-plan.ts';
import { parseRequest } from '../request/parse-request.ts';
import { fillParams } from '../run/fill-params.ts';
import type { MediaHandler, Relationship, SchemaCache, Table } from '../schema-cache/schema-cache.ts';
import type { Bind } from './bind.ts';
import { buildQuery } from './main-query.ts';

const FOLDER = join(import.meta.dirname, 'golden');

const director = table('director', [column('id', 'integer'), column('name', 'text')], { primaryKey: ['id'] });
const film = table(
  'film',
  [
    column('id', 'integer'),
    column('title', 'text'),
    column('year', 'integer'),
    column('rating', 'numeric'),
    column('tags', 'text[]'),
    column('facts', 'jsonb'),
    column('shown', 'daterange'),
    column('words', 'tsvector'),
    column('director_id', 'integer'),
  ],
  { primaryKey: ['id'] },
);
const actor = table('actor', [column('id', 'integer'), column('name', 'text')], { primaryKey: ['id'] });
const role = table('role', [column('film_id', 'integer'), column('actor_id', 'integer'), column('part', 'text')], {
  primaryKey: ['film_id', 'actor_id'],
});

const toDirector = manyToOne(film, 'director_id', director, 'id');

const person = table(
  'person',
  [column('id', 'integer'), column('name', 'text'), column('boss_id', 'integer'), column('notes', 'json')],
  { primaryKey: ['id'] },
);
const passport = table('passport', [column('person_id', 'integer'), column('number', 'text')], {
  primaryKey: ['person_id'],
});
const city = table('city', [column('land', 'text'), column('name', 'text')], { primaryKey: ['land', 'name'] });
const home = table('home', [column('person_id', 'integer'), column('land', 'text'), column('city', 'text')]);
const letter = table(
  'letter',
  [
    column('id', 'integer'),
    column('sender_id', 'integer'),
    column('receiver_id', 'integer'),
    column('land', 'text'),
    column('city', 'text'),
  ],
  { primaryKey: ['id'] },
);
/** A view of persons: keys that end at a person end here as well. */
const adult = table('adult', [column('id', 'integer'), column('name', 'text')], { kind: 'view', insertable: false });
/** A table whose columns have domains that read and show themselves; one only shows, one only reads. */
const paint = table(
  'paint',
  [
    column('shade', 'integer', { nominalType: 'test.shade', representation: 'shade', default: '0' }),
    column('id', 'integer', { default: "nextval('paint_id_seq')" }),
    column('gloss', 'integer', { nominalType: 'test.gloss', representation: 'gloss', default: '1' }),
    column('label', 'text', { nominalType: 'test.label', representation: 'label' }),
    column('facts', 'jsonb', { nominalType: 'test.facts', representation: 'shade' }),
  ],
  { primaryKey: ['shade', 'id', 'gloss'] },
);
const place = table(
  'place',
  [
    column('id', 'integer'),
    column('name', 'text'),
    column('point', 'gis.geometry', { nominalType: 'gis.geometry(Point,4326)' }),
    column('plot', 'gis.geometry', { nominalType: 'gis.geometry(Polygon,3857)' }),
    column('spot', 'gis.geography', { nominalType: 'gis.geography(Point,4326)' }),
    column('shape', 'gis.geometry'),
    column('words', 'tsvector'),
    column('embedding', 'vec.vector'),
    column('low', 'integer'),
    column('high', 'integer'),
  ],
  { primaryKey: ['id'] },
);
const report = table('report', [column('text', 'text')], { insertable: false, updatable: false, deletable: false });
const filmstrip = table('filmstrip', [column('text', 'text')]);
const log = table('log', [column('text', 'text')], { updatable: false, deletable: false });

const toBoss = manyToOne(person, 'boss_id', person, 'id');
const toSender = manyToOne(letter, 'sender_id', person, 'id');
const toReceiver = manyToOne(letter, 'receiver_id', person, 'id');
const toPerson = manyToOne(passport, 'person_id', person, 'id');
const toCity: Relationship = {
  ...ends(letter, city),
  kind: 'many-to-one',
  constraint: 'letter_city_fkey',
  columns: [
    ['land', 'land'],
    ['city', 'name'],
  ],
};
const relationships: readonly Relationship[] = [
  toDirector,
  turned(toDirector, film, director),
  turned(manyToOne(role, 'film_id', film, 'id'), role, film),
  turned(manyToOne(role, 'actor_id', actor, 'id'), role, actor),
  manyToOne(role, 'film_id', film, 'id'),
  manyToOne(role, 'actor_id', actor, 'id'),
  {
    kind: 'many-to-many',
    ...ends(film, actor),
    junction: { schema: role.schema, name: role.name },
    constraint: 'role_film_id_fkey',
    foreignConstraint: 'role_actor_id_fkey',
    columns: [['id', 'film_id']],
    foreignColumns: [['id', 'actor_id']],
  },
  {
    kind: 'many-to-many',
    ...ends(actor, film),
    junction: { schema: role.schema, name: role.name },
    constraint: 'role_actor_id_fkey',
    foreignConstraint: 'role_film_id_fkey',
    columns: [['id', 'actor_id']],
    foreignColumns: [['id', 'film_id']],
  },
  toBoss,
  turned(toBoss, person, person),
  toSender,
  toReceiver,
  { ...toSender, foreign: { schema: adult.schema, name: adult.name }, foreignIsView: true },
  turned(toSender, letter, person),
  turned(toReceiver, letter, person),
  toCity,
  ...(toPerson.kind === 'many-to-one'
    ? [
        { ...toPerson, kind: 'one-to-one' as const, holdsKey: true },
        { ...turned(toPerson, passport, person), kind: 'one-to-one' as const, holdsKey: false } as Relationship,
      ]
    : []),
  ...[home, letter].map(
    (junction): Relationship => ({
      kind: 'many-to-many',
      ...ends(person, city),
      junction: { schema: junction.schema, name: junction.name },
      constraint: `${junction.name}_person_fkey`,
      foreignConstraint: `${junction.name}_city_fkey`,
      columns: [['id', junction === home ? 'person_id' : 'sender_id']],
      foreignColumns: [
        ['land', 'land'],
        ['name', 'city'],
      ],
    }),
  ),
  { kind: 'computed', ...ends(person, person), routine: { schema: 'test', name: 'rival' }, toOne: true },
  { kind: 'computed', ...ends(person, film), routine: { schema: 'test', name: 'favourites' }, toOne: false },
];

const FILMS = { kind: 'composite', relation: { schema: film.schema, name: film.name }, isAlias: false } as const;
const PERSONS = { kind: 'composite', relation: { schema: person.schema, name: person.name }, isAlias: false } as const;
const SPOT_COLUMNS = new Map(
  ['x', 'shade'].map((name) => [
    name,
    { name, baseType: 'integer', nominalType: 'integer', representation: name === 'x' ? null : 'shade' },
  ]),
);

const tables = [
  film,
  director,
  actor,
  role,
  person,
  passport,
  city,
  home,
  letter,
  adult,
  paint,
  report,
  log,
  filmstrip,
  place,
];
const written = schemaCache({
  tables,
  mediaTypes: new Map([
    ['image/png', 'poster'],
    ['*/*', 'download'],
  ]),
  relationships,
  routines: [
    routine('add', [parameter('a', 'integer'), parameter('b', 'integer', { required: false })], {
      returns: { set: false, shape: { kind: 'scalar', type: 'integer' } },
      volatility: 'immutable',
    }),
    routine('films_of', [parameter('name', 'text')], {
      returns: { set: true, shape: FILMS },
      volatility: 'stable',
    }),
    routine('forget', [parameter('title', 'text')], { returns: { set: false, shape: { kind: 'void' } } }),
    routine('sum_of', [parameter('numbers', 'integer[]', { variadic: true })], {
      returns: { set: false, shape: { kind: 'scalar', type: 'integer' } },
    }),
    routine('keep', [parameter('', 'json')], { returns: { set: false, shape: { kind: 'scalar', type: 'json' } } }),
    routine('years', [], { returns: { set: true, shape: { kind: 'scalar', type: 'integer' } }, volatility: 'stable' }),
    routine('newest', [], { returns: { set: false, shape: FILMS } }),
    routine('staff', [], { returns: { set: true, shape: PERSONS } }),
    routine('spots', [], {
      returns: {
        set: true,
        shape: {
          kind: 'composite',
          relation: { schema: 'hidden', name: 'spot' },
          isAlias: false,
          columns: SPOT_COLUMNS,
        },
      },
    }),
    routine('bounds', [], { returns: { set: false, shape: { kind: 'record', columns: SPOT_COLUMNS } } }),
    routine('anything', [], { returns: { set: false, shape: { kind: 'record' } } }),
    routine('poster', []),
    routine('download', []),
    routine('note', [parameter('', 'text')]),
    routine('note', [parameter('', 'integer', { castType: 'integer' })], { unlisted: true }),
    routine('store', [parameter('', 'bytea')]),
    routine('count_of', [parameter('', 'integer[]', { variadic: true })], { unlisted: true }),
    routine('half', [parameter('n', 'integer')]),
    routine('half', [parameter('n', 'numeric')]),
    routine('half', [parameter('n', 'numeric'), parameter('digits', 'integer')]),
  ],
});
const near = (names: readonly string[], asked: string): string | undefined =>
  names.find((name) => name.startsWith(asked.slice(0, 3)));
const names = tables.map(({ name }) => name);
const handlers: readonly MediaHandler[] = [
  { mediaType: 'text/xml', aggregate: { schema: 'test', name: 'to_xml' } },
  {
    mediaType: 'text/html',
    relation: { schema: film.schema, name: film.name },
    aggregate: { schema: 'test', name: 'film_page' },
  },
];
const cache: SchemaCache = {
  ...written,
  representations: new Map([
    ['shade', { toJson: '"test"."shade_json"', fromText: '"test"."shade_of"', fromJson: '"test"."shade_read"' }],
    ['gloss', { toJson: '"test"."gloss_json"', fromText: null, fromJson: null }],
    ['label', { toJson: null, fromText: '"test"."label_of"', fromJson: '"test"."label_read"' }],
  ]),
  computedType: (relation, name) => (relation.name === 'person' && name === 'full_name' ? 'text' : undefined),
  mediaHandlers: handlers,
  mediaHandler: (relation, mediaType) =>
    handlers.find(
      (one) => one.mediaType === mediaType && (one.relation === undefined || one.relation.name === relation?.name),
    ),
  undescribed: (_schema, name) => (name === 'odd' ? 'a column has no type' : undefined),
  nearestTable: (_schema, name) => near(names, name),
  nearestRelatedTable: (_schema, name) => near(names, name),
  nearestRoutine: (_schema, name) => near(['films_of', 'sum_of'], name),
  nearestOf: near,
};

const config = {
  dbSchemas: ['test'],
  dbTxEnd: 'commit',
  dbPreparedStatements: true,
  dbRootSpec: undefined,
  openapiMode: 'follow-privileges',
  dbAggregatesEnabled: true,
  dbMaxRows: undefined,
  dbPlanEnabled: true,
  dbLive: 'auto',
} as const;

describe.each(readdirSync(FOLDER).sort())('%s', (file) => {
  const path = join(FOLDER, file);
  const text = readFileSync(path, 'utf8');
  if (process.env['BLESS'] === '1')
    writeFileSync(
      path,
      text.replaceAll(CASE, (_case, ...parts) => blessed(parts)),
    );
  const cases = [...readFileSync(path, 'utf8').matchAll(CASE)];

  test('has cases', () => expect(cases.length).toBeGreaterThan(0));

  test.each(cases.map(([, title = '', , request = '', sql = '']) => [title, request, sql]))(
    '%s',
    (_title, request, sql) => {
      expect(sqlOf(request)).toBe(sql);
    },
  );
});

/** A heading, perhaps some words, the request, the SQL. */
const CASE = /^## (.*)\n((?:(?!^## |^```)[^\n]*\n)*)```http\n([\s\S]*?)```\n\n```sql\n([\s\S]*?)```$/gm;

function blessed(parts: readonly unknown[]): string {
  const [title, words, request] = parts as readonly string[];
  return `## ${title}\n${words}\`\`\`http\n${request}\`\`\`\n\n\`\`\`sql\n${sqlOf(request ?? '')}\`\`\``;
}

/** Settings, request line, headers, an empty line, the body. */
function sqlOf(text: string): string {
  const [head = '', body = ''] = text.trimEnd().split('\n\n');
  const all = head.split('\n');
  const settings = all.filter((line) => line.startsWith('# ')).map(settingOf);
  const [line = '', ...lines] = all.filter((one) => !one.startsWith('# '));
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const headers = Object.fromEntries(
    lines.map((header) => header.split(': ')).map(([k = '', v]) => [k.toLowerCase(), v]),
  );
  const http = { method, path, query, headers, body: Buffer.from(body) };
  const request = parseRequest(http, config, cache.timezones);
  if (!request.ok) throw new Error(JSON.stringify(request.error));
  const plan = makePlan(request.value, { cache, config: { ...config, ...Object.fromEntries(settings) } });
  if (!plan.ok) return `-- refused: ${JSON.stringify(plan.error, candidateNames)}\n`;
  if (plan.value.kind === 'info') return `-- Allow: ${plan.value.allow}\n`;
  if (plan.value.kind === 'describe')
    return `-- the document ${plan.value.document}${plan.value.headOnly ? ', its headers alone' : ''}\n`;
  const { contentType, singular } = plan.value.media;
  const answer = `${contentType}${singular ? ', exactly one row' : ''}`;
  const { main, before, estimate, levels, copy } = buildQuery(plan.value, raiseRules(request.value, plan.value));
  const shown = ({ text: sql, params }: Rendered<Bind>): string =>
    `${broken(sql)}\n${fillParams(params, request.value).map(parameterLine).join('')}`;
  return [
    ...(answer === JSON_TYPE ? [] : [`-- answers ${answer}\n`]),
    ...(before === undefined ? [] : [shown(before), '\n']),
    shown(main),
    ...(levels === undefined ? [] : ['\n-- level by level\n', shown(levels.statement)]),
    ...(copy === undefined ? [] : ['\n-- as COPY\n', shown(copy.statement), shown(copy.response)]),
    ...(estimate === undefined ? [] : ['\n', shown(estimate)]),
  ].join('');
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** `# db-max-rows = 3` */
function settingOf(line: string): readonly [string, unknown] {
  const [name = '', value = ''] = line.slice(2).split(' = ');
  return [name.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase()), JSON.parse(value)];
}

/** Of things to choose from, enough to tell them apart. */
function candidateNames(key: string, value: unknown): unknown {
  if (key !== 'candidates' || !Array.isArray(value)) return value;
  return value.map((one) => `${one.kind ?? one.name} ${one.constraint ?? one.parameters?.map(typeOf)}`);
}

function typeOf({ type }: { readonly type: string }): string {
  return type;
}

function parameterLine(param: Param, at: number): string {
  const isBinary = typeof param === 'object' && param !== null && 'binary' in param;
  const value = isBinary ? param.binary : param;
  const text = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
  return `-- $${at + 1} = ${text}${isBinary ? ' (bytes)' : ''}\n`;
}

/** A line for each clause, so that a difference is one of a clause. */
function broken(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(
      /(?<!distinct) (?=(?:from|where|group by|order by|limit|offset|left join|inner join|returning|on conflict|set|select)\b)/gi,
      '\n  ',
    );
}

function ends(from: Table, to: Table) {
  return {
    table: { schema: from.schema, name: from.name },
    tableIsView: false,
    foreign: { schema: to.schema, name: to.name },
    foreignIsView: false,
    isSelf: from === to,
  };
}

/** The same key from its other end. */
function turned(key: Relationship, from: Table, to: Table): Relationship {
  if (key.kind !== 'many-to-one') throw new Error('a key of many');
  return {
    kind: 'one-to-many',
    ...ends(to, from),
    constraint: key.constraint,
    columns: key.columns.map(([own, foreign]) => [foreign, own]),
  };
}
