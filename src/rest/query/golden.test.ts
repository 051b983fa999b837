// What a request becomes, as SQL, to be read: each file of golden/ is a chapter of requests and their statements with their
// parameters. Parser, plan, query and parameters are run as in the pipeline, over a schema written by hand; nobody asks a
// database. `npm run bless` rewrites the SQL.

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
import { makePlan } from '../plan/make-plan.ts';
import { parseRequest } from '../request/parse-request.ts';
import { fillParams } from '../run/fill-params.ts';
import type { Relationship, Table } from '../schema-cache/schema-cache.ts';
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
];

const cache = schemaCache({
  tables: [film, director, actor, role],
  relationships,
  routines: [
    routine('add', [parameter('a', 'integer'), parameter('b', 'integer', { required: false })], {
      returns: { set: false, shape: { kind: 'scalar', type: 'integer' } },
      volatility: 'immutable',
    }),
    routine('films_of', [parameter('name', 'text')], {
      returns: {
        set: true,
        shape: { kind: 'composite', relation: { schema: film.schema, name: film.name }, isAlias: false },
      },
      volatility: 'stable',
    }),
    routine('forget', [parameter('title', 'text')], { returns: { set: false, shape: { kind: 'void' } } }),
    routine('sum_of', [parameter('numbers', 'integer[]', { variadic: true })], {
      returns: { set: false, shape: { kind: 'scalar', type: 'integer' } },
    }),
    routine('keep', [parameter('', 'json')], { returns: { set: false, shape: { kind: 'scalar', type: 'json' } } }),
  ],
});

const config = {
  dbSchemas: ['test'],
  dbTxEnd: 'commit',
  dbRootSpec: undefined,
  openapiMode: 'follow-privileges',
  dbAggregatesEnabled: true,
  dbMaxRows: undefined,
  dbPlanEnabled: true,
} as const;

describe.each(readdirSync(FOLDER).sort())('%s', (file) => {
  const path = join(FOLDER, file);
  const text = readFileSync(path, 'utf8');
  if (process.env['BLESS'] === '1')
    writeFileSync(
      path,
      text.replaceAll(CASE, (_case, ...parts) => written(parts)),
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

function written(parts: readonly unknown[]): string {
  const [title, words, request] = parts as readonly string[];
  return `## ${title}\n${words}\`\`\`http\n${request}\`\`\`\n\n\`\`\`sql\n${sqlOf(request ?? '')}\`\`\``;
}

/** Request line, headers, an empty line, the body. */
function sqlOf(text: string): string {
  const [head = '', body = ''] = text.trimEnd().split('\n\n');
  const [line = '', ...lines] = head.split('\n');
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const headers = Object.fromEntries(
    lines.map((header) => header.split(': ')).map(([k = '', v]) => [k.toLowerCase(), v]),
  );
  const http = { method, path, query, headers, body: Buffer.from(body) };
  const request = parseRequest(http, config, cache.timezones);
  if (!request.ok) throw new Error(JSON.stringify(request.error));
  const plan = makePlan(request.value, { cache, config });
  if (!plan.ok) throw new Error(JSON.stringify(plan.error));
  if (plan.value.kind === 'info' || plan.value.kind === 'describe') throw new Error('it has no SQL');
  const { main, estimate } = buildQuery(plan.value);
  const shown = ({ text: sql, params }: Rendered<Bind>): string =>
    `${broken(sql)}\n${fillParams(params, request.value).map(parameterLine).join('')}`;
  return estimate === undefined ? shown(main) : `${shown(main)}\n${shown(estimate)}`;
}

function parameterLine(param: Param, at: number): string {
  const value = param instanceof Uint8Array ? Buffer.from(param).toString() : param;
  return `-- $${at + 1} = ${typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)}\n`;
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
    isSelf: false,
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
