// The portal's API on a catalogue of 100,000 items, as an ordinary account: each request against the statements that make the same records for the
// same caller, sent over the same driver without anything else; a change of permissions against the bare writes of a superuser. Then two hundred
// people at once, each asking again when it has its answer, and not one error.

import { roleOf } from '../../src/auth/caller.ts';
import type { Batch, BatchResult } from '../../src/pg/driver.ts';
import { type Sql, toStatement } from '../../src/portal/fields/bound-value.ts';
import { catalogueSource } from '../../src/portal/kinds/item/content-collection.ts';
import { resource } from '../../src/portal/kinds/item/fields.ts';
import { statementsOf } from '../../src/portal/operations/read-stamped.ts';
import { parseCatalogueQuery } from '../../src/portal/query/catalogue-query.ts';
import { itemSql, listSql, pageSql, type ReadPlan, totalSql } from '../../src/portal/query/catalogue-sql.ts';
import { queryOf } from '../../src/portal/query/query-params.ts';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { openPortalSetting, type PortalSetting } from './setting.ts';
import { type UsersResult, usersLoad } from './users-load.ts';

type Case = {
  readonly what: string;
  readonly request: (setting: PortalSetting) => string;
  readonly bare: (setting: PortalSetting) => Promise<BatchResult>;
  /** Undefined: only to be seen. */
  readonly target?: number;
};

const SECONDS = 3;
const ROUNDS = 3;
const CONNECTIONS = 8;
const PEOPLE = 200;
const HALF_A_SECOND = 0.5;
const FIRST_SECONDS = 20;
/** What a request may be slower than its bare statements. A list is made of records that are kept, and so is quicker. */
const TARGET = 0.6;

const EXTENT = '0,30,40,60';
const ITEM = 770;
/** What a change of permissions costs may not depend on how many items there are; a hundred times as many, and the machine has moods. */
const FEW_ITEMS = 1000;
const SAME = 0.7;
const LIST = '/api/v2/resources?page_size=100';
const SEARCH = `${LIST}&search=floods+atlas&filter{category.identifier}=economy&extent=${EXTENT}`;

export async function run(): Promise<boolean> {
  const setting = await openPortalSetting();
  try {
    const rows: BenchRow[] = [];
    for (const one of CASES) rows.push(await measure(one, setting));
    const reached = printRows('Portal API: requests a second, of the bare statements', rows);
    const { row, isFine } = await mixed(setting);
    printRows('Portal API: many at once', [row]);
    return (await permissionsOnFew(setting, rows.at(-1)?.measured ?? 0)) && isFine && reached;
  } finally {
    await setting.close();
  }
}

const get =
  (target: string) =>
  ({ user }: PortalSetting): string =>
    httpRequest('GET', target, { Authorization: `Bearer ${user}` });

function planOf(query: string): ReadPlan {
  const parsed = parseCatalogueQuery(query, {
    recordType: resource,
    searched: ['title', 'abstract'],
    hasExtent: true,
    hasFavourites: true,
    full: [],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return { recordType: resource, source: catalogueSource(undefined), query: parsed.value, isVisitor: false };
}

/** The statements that make the records, for the same caller, with its role and settings, over the same driver. */
const asCaller =
  (...fragments: readonly Sql[]) =>
  ({ db, caller }: PortalSetting): Promise<BatchResult> => {
    const statements = fragments.map((one) => toStatement(one, { role: roleOf(caller), base: 'http://localhost' }));
    return db.read(caller, { method: 'GET', path: '/' }, statements);
  };

const asSuperuser =
  (...batch: Batch) =>
  ({ superuser }: PortalSetting): Promise<BatchResult> =>
    superuser.execute(batch);

const list = planOf('page_size=100');
const found = planOf(queryOf(SEARCH));

function setPerms({ admin }: PortalSetting): string {
  const body = JSON.stringify({
    users: { user7: ['view_resourcebase'] },
    groups: { group5: ['view_resourcebase'] },
  });
  return httpRequest(
    'PUT',
    `/api/v2/resources/${ITEM}/set_perms`,
    { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
    body,
  );
}

const CASES: readonly Case[] = [
  {
    what: 'list of 100 with exact total',
    request: get(LIST),
    bare: asCaller(totalSql(list), pageSql(list)),
    target: 1,
  },
  {
    what: 'filter, search and extent',
    request: get(SEARCH),
    bare: asCaller(...statementsOf(listSql(found))),
    target: TARGET,
  },
  {
    what: 'one item',
    request: get(`/api/v2/resources/${ITEM}`),
    bare: asCaller(itemSql(ITEM, planOf(''))),
    target: TARGET,
  },
  {
    what: 'set_perms',
    request: setPerms,
    bare: asSuperuser(
      // Who changes the same item at once waits, here as there.
      { text: 'select from portal.resource where id = $1::integer for update', params: [String(ITEM)] },
      {
        text: `with gone as (delete from portal_private.resource_grant where resource_id = $1::integer and principal <> all ('{7,-105}'))
               insert into portal_private.resource_grant (resource_id, principal, perms) values ($1::integer, 7, 1), ($1::integer, -105, 1)
               on conflict (resource_id, principal) do update set perms = excluded.perms`,
        params: [String(ITEM)],
      },
    ),
  },
];

async function measure(one: Case, setting: PortalSetting): Promise<BenchRow> {
  const ours: number[] = [];
  const ceilings: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ceilings.push(await batches(setting, one.bare));
    ours.push(await requests(setting, one));
  }
  return {
    what: one.what,
    measured: median(ours),
    reference: median(ceilings),
    unit: 'req/s',
    ...(one.target === undefined ? {} : { target: one.target }),
  };
}

async function requests(setting: PortalSetting, { what, request }: Pick<Case, 'what' | 'request'>): Promise<number> {
  const load = await httpLoad({
    port: setting.port,
    request: request(setting),
    connections: CONNECTIONS,
    seconds: SECONDS,
    expect: 200,
  });
  if (load.unexpected.size > 0) throw new Error(`${what}: unexpected answers ${JSON.stringify([...load.unexpected])}`);
  return load.perSecond;
}

/** The same change on a catalogue that has lost nearly all of its items. */
async function permissionsOnFew(setting: PortalSetting, onMany: number): Promise<boolean> {
  for (const text of [
    `set session_replication_role = replica;
     delete from portal_private.resource_grant where resource_id > ${FEW_ITEMS};
     delete from portal_private.search_item where resource_id > ${FEW_ITEMS};
     delete from portal.resource_keyword where resource_id > ${FEW_ITEMS};
     delete from portal.resource_region where resource_id > ${FEW_ITEMS};
     delete from portal.resource where id > ${FEW_ITEMS};
     reset session_replication_role`,
    'vacuum full analyze portal.resource',
    'vacuum full analyze portal_private.resource_grant',
  ]) {
    const done = await setting.superuser.script(text);
    if (!done.ok) throw new Error(JSON.stringify(done.error));
  }
  const onFew: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    onFew.push(await requests(setting, { what: 'set_perms', request: setPerms }));
  }
  const row = { what: `set_perms, of the same on ${FEW_ITEMS} items`, unit: 'req/s', target: SAME };
  return printRows('Portal API: with 100,000 items', [{ ...row, measured: onMany, reference: median(onFew) }]);
}

/** The statements alone, as fast as the database runs them. */
async function batches(setting: PortalSetting, bare: Case['bare']): Promise<number> {
  const began = performance.now();
  const until = began + SECONDS * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        const executed = await bare(setting);
        if (!executed.ok) throw new Error(JSON.stringify(executed.error));
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - began) / 1000);
}

/**
 * Two hundred people, each in an account of its own: the first who come to a program that was just started, which has kept nothing yet and whose code is still being
 * compiled, and then a minute of every day.
 */
async function mixed(setting: PortalSetting): Promise<{ readonly row: BenchRow; readonly isFine: boolean }> {
  const seconds = Number(process.env['BENCH_MIX_SECONDS'] ?? 60);
  const list = '/api/v2/resources/?page_size=20';
  const users = await setting.people(PEOPLE);
  const lists = [
    list,
    `${list}&page=7`,
    `${list}&sort[]=title`,
    `${list}&filter{resource_type}=layer`,
    `${list}&ordering=-popular_count`,
    SEARCH,
    '/api/v2/layers/?page_size=20&search=rivers',
    SEARCH.replace('/resources', '/resources/facets'),
  ].map(encodeURI);
  const load = { port: setting.port, users, lists };
  sayPeople('the first', FIRST_SECONDS, await usersLoad({ ...load, seconds: FIRST_SECONDS }));
  const result = await usersLoad({ ...load, seconds });
  const errors = sayPeople('then', seconds, result);
  const what = `${PEOPLE} people at once, of what they would get who wait half a second`;
  const row = { what, measured: result.perSecond, reference: PEOPLE / HALF_A_SECOND, unit: 'req/s' };
  return { row, isFine: errors === 0 };
}

function sayPeople(when: string, seconds: number, result: UsersResult): number {
  const errors = Object.entries(result.errors).map(([what, count]) => `${count} × ${what}`);
  console.log(
    `  ${PEOPLE} people, ${when} ${seconds} s: ${result.answers} answers, ${Math.round(result.perSecond)} a second, median ${Math.round(result.median)} ms, 95 of 100 within ${Math.round(result.most)} ms, 99 of 100 within ${Math.round(result.slow)} ms, ${errors.length === 0 ? 'no error' : errors.join('; ')}`,
  );
  return errors.length;
}
