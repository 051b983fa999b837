// The portal's API on a catalogue of 100,000 items, as an ordinary account: each request against the bare statements that find the
// same rows, sent by a superuser without any policy over the same driver. Then two hundred clients at once, and not one error.

import { roleOf, VISITOR } from '../../src/auth/caller.ts';
import type { Flight, Statement } from '../../src/pg/driver.ts';
import { parseCatalogueQuery } from '../../src/portal/catalogue/catalogue-query.ts';
import { itemSql, pageSql, type ReadPlan, totalSql } from '../../src/portal/catalogue/catalogue-sql.ts';
import { catalogueSource } from '../../src/portal/definitions/content.ts';
import { resource } from '../../src/portal/represent/resource.ts';
import { type Sql, toStatement } from '../../src/portal/represent/slot.ts';
import { raw } from '../../src/sql/index.ts';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { mixedLoad } from './mixed-load.ts';
import { openPortalSetting, type PortalSetting } from './setting.ts';

type Case = {
  readonly what: string;
  readonly request: (setting: PortalSetting) => string;
  readonly bare: Flight;
};

const SECONDS = 3;
const ROUNDS = 3;
const CONNECTIONS = 8;
/** A request may take three times as long as its bare statements. */
const TARGET = 1 / 3;

const EXTENT = '0,30,40,60';
const ITEM = 77_770;
const LIST = '/api/v2/resources?page_size=100';
const SEARCH = `${LIST}&search=floods+atlas&filter{category.identifier}=economy&extent=${EXTENT}`;

export async function run(): Promise<boolean> {
  const setting = await openPortalSetting();
  try {
    const rows: BenchRow[] = [];
    for (const one of CASES) rows.push(await measure(one, setting));
    const reached = printRows('Portal API: requests a second, of the bare statements by a superuser', rows);
    return (await mixed(setting)) && reached;
  } finally {
    await setting.close();
  }
}

const get =
  (target: string) =>
  ({ user }: PortalSetting): string =>
    httpRequest('GET', target, { Authorization: `Bearer ${user}` });

/** The list without what only a caller has: `perms`. */
function planOf(query: string, also: readonly Sql[] = []): ReadPlan {
  const parsed = parseCatalogueQuery(`${query}&exclude[]=perms`, {
    shape: resource,
    searched: ['title', 'abstract'],
    hasExtent: true,
    hasFavourites: false,
    full: [],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return { shape: resource, source: catalogueSource(undefined), query: parsed.value, isVisitor: true, also };
}

function plain(fragment: Sql): Statement {
  return toStatement(fragment, { role: roleOf(VISITOR), base: 'http://localhost' });
}

const FOUND = raw(
  `r.id in (select t.resource_id from portal_private.search_text t where t.body like '%floods%' and t.body like '%atlas%')`,
);
const list = planOf('page_size=100');
const found = planOf(`page_size=100&filter{category.identifier}=economy&extent=${EXTENT}`, [FOUND]);

const CASES: readonly Case[] = [
  { what: 'list of 100 with exact total', request: get(LIST), bare: [plain(totalSql(list)), plain(pageSql(list))] },
  { what: 'filter, search and extent', request: get(SEARCH), bare: [plain(totalSql(found)), plain(pageSql(found))] },
  { what: 'one item', request: get(`/api/v2/resources/${ITEM}`), bare: [plain(itemSql(ITEM, planOf('')))] },
  {
    what: 'set_perms',
    request: ({ admin }) => {
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
    },
    bare: [
      {
        text: `with gone as (delete from portal_private.resource_grant where resource_id = $1::integer and principal <> all ('{7,-105}'))
               insert into portal_private.resource_grant (resource_id, principal, perms) values ($1::integer, 7, 1), ($1::integer, -105, 1)
               on conflict (resource_id, principal) do update set perms = excluded.perms`,
        params: [String(ITEM)],
      },
    ],
  },
];

async function measure(one: Case, setting: PortalSetting): Promise<BenchRow> {
  const ours: number[] = [];
  const ceilings: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ceilings.push(await flights(setting, one.bare));
    const load = await httpLoad({
      port: setting.port,
      request: one.request(setting),
      connections: CONNECTIONS,
      seconds: SECONDS,
      expect: 200,
    });
    if (load.unexpected.size > 0)
      throw new Error(`${one.what}: unexpected answers ${JSON.stringify([...load.unexpected])}`);
    ours.push(load.perSecond);
  }
  return { what: one.what, measured: median(ours), reference: median(ceilings), unit: 'req/s', target: TARGET };
}

/** The statements alone, as fast as the database runs them. */
async function flights({ superuser }: PortalSetting, flight: Flight): Promise<number> {
  const began = performance.now();
  const until = began + SECONDS * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        const flown = await superuser.fly(flight);
        if (!flown.ok) throw new Error(JSON.stringify(flown.error));
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - began) / 1000);
}

/** Two hundred clients, each kind of request at once, for a minute. */
async function mixed(setting: PortalSetting): Promise<boolean> {
  const { user, admin, port } = setting;
  const requests = [
    ...['', '&page=7', '&sort[]=title', '&filter{resource_type}=layer', '&ordering=-popular_count'].map((more) =>
      httpRequest('GET', `/api/v2/resources?page_size=20${more}`, { Authorization: `Bearer ${user}` }),
    ),
    httpRequest('GET', SEARCH, { Authorization: `Bearer ${user}` }),
    httpRequest('GET', '/api/v2/layers?page_size=20&search=rivers'),
    httpRequest('GET', `/api/v2/resources/${ITEM - 1}`),
    httpRequest(
      'PATCH',
      `/api/v2/resources/${ITEM - 2}`,
      { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
      '{"purpose": "load"}',
    ),
    httpRequest(
      'PUT',
      `/api/v2/resources/${ITEM - 3}/set_perms`,
      { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
      '{"groups": {"anonymous": ["view_resourcebase"]}}',
    ),
  ];
  const seconds = Number(process.env['BENCH_MIX_SECONDS'] ?? 60);
  const result = await mixedLoad(
    requests.map((request) => ({ port, request, connections: 200 / requests.length, seconds, expect: 200 })),
  );
  const errors = [...result.unexpected].map(([status, count]) => `${count} × ${status}`).join(', ');
  console.log(
    `  200 clients for ${seconds} s: ${result.answers} answers, ${Math.round(result.perSecond)} a second, ${errors === '' ? 'no error' : errors}`,
  );
  return errors === '';
}
