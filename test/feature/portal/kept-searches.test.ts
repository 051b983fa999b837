// What a search finds is kept by the database, for those who ask again. Whatever is written, by whomever and in whatever order: it finds, ranks and
// counts what a search does that begins anew, and shows it to nobody else.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, VISITOR } from '../../../src/auth/caller.ts';
import { makeKeptRecords } from '../../../src/portal/operations/kept-records.ts';
import { seeded } from '../../attacks/prove-permissions.ts';
import { makeApiAlone } from './api-alone.ts';
import { onCatalogue, scriptAs } from './on-catalogue.ts';

const SEARCHES = [
  ['rivers'],
  ['river', 'north'],
  ['karte'],
  // A part of a word, and what is no word.
  ['iver'],
  ["o'clock", '50%'],
];
const WORDS = ['rivers', 'river', 'north', 'Karten', 'delivery', "o'clock", '50%', 'lakes'];
const PEOPLE = ['visitor', 'ada', 'bob', 'mia', 'admin'] as const;
type Person = (typeof PEOPLE)[number];
const TARGETS = SEARCHES.slice(0, 3).flatMap((words) => {
  const search = `search=${encodeURIComponent(words.join(' '))}`;
  return [
    `/api/v2/resources?${search}&exclude[]=*&include[]=pk&page_size=5`,
    `/api/v2/layers?${search}&exclude[]=*&include[]=pk&page_size=5`,
    `/api/v2/resources?${search}&extent=0,0,5,5&filter{category.identifier}=farming&exclude[]=*&include[]=pk`,
    `/api/v2/resources/facets?${search}&extent=0,0,5,5&filter{category.identifier}=farming&filter{resource_type}=layer`,
  ];
});

onCatalogue('kept searches', {}, (portal) => {
  let asking: Caller = VISITOR;
  /** Has nothing kept by itself. */
  let api: FastifyInstance;
  beforeAll(async () => {
    api = await makeApiAlone(portal().callerDb, () => asking, makeKeptRecords());
    for (const owner of ['ada', 'bob'] as const) {
      await scriptAs(
        portal(),
        owner,
        `insert into portal.resource (resource_type, title, name, abstract, category_id, ll_bbox_polygon)
           select (array['layer', 'layer', 'document'])[1 + i % 3], (array['Rivers', 'North', 'Lakes'])[1 + i % 3] || ' ' || i, '${owner}_' || i,
                  (array['a river in the north', 'nothing', 'rivers'])[1 + i / 3 % 3], 1 + i % 3, public.st_makeenvelope(i, i, i + 1, i + 1, 4326)
             from generate_series(1, 12) i`,
      );
    }
  });
  afterAll(() => api.close());

  const keep = async (words: readonly string[]): Promise<unknown> =>
    (await portal().db.query('select portal.keep_search($1::text[]) as kept', [words]))[0]?.['kept'];
  /** How many of the searches begin with what is kept. */
  const kept = async (): Promise<number> => {
    const found = await Promise.all(
      SEARCHES.map((words) => portal().db.query('select portal_private.found_sql($1::text[]) as sql', [words])),
    );
    return found.filter(([one]) => String(one?.['sql']).includes('kept_search')).length;
  };
  const hitsBy = async (how: 'found_sql' | 'hits_sql', words: readonly string[]): Promise<unknown> => {
    const [made] = await portal().db.query(`select portal_private.${how}($1::text[]) as sql`, [words]);
    // Items that are gone are of no concern: nobody sees them.
    return portal().db.query(
      `select h.* from (${String(made?.['sql'])}) h join portal.resource r on r.id = h.resource_id order by 1, 2`,
    );
  };
  const callerOf = (person: Person): Caller =>
    person === 'visitor'
      ? VISITOR
      : {
          kind: 'account',
          id: portal().ids[person],
          username: person,
          role: person === 'admin' ? 'survest_admin' : 'survest_user',
          via: 'basic',
        };
  const answers = async (): Promise<Record<string, string>> => {
    const all: Record<string, string> = {};
    for (const person of PEOPLE) {
      asking = callerOf(person);
      for (const url of TARGETS) {
        const reply = await api.inject({ url });
        expect(reply.statusCode, `${person} ${url}: ${reply.body}`).toBe(200);
        all[`${person} ${url}`] = reply.body;
      }
    }
    return all;
  };
  /** The same without anything that is kept; it comes back as it was. */
  const anew = async (): Promise<Record<string, string>> => {
    await portal().db.script('update portal_private.kept_search set cluster = cluster + 1');
    expect(await kept()).toBe(0);
    const all = await answers();
    await portal().db.script('update portal_private.kept_search set cluster = cluster - 1');
    return all;
  };

  test('find what searches find that begin anew, whatever was written since and whoever sees it now', async () => {
    const random = seeded(7);
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const item = (): string =>
      `(select id from portal.resource order by md5(id::text || '${Math.floor(random() * 1000)}') limit 1)`;
    const text = (): string => `${one(WORDS)} ${one(WORDS)}`.replaceAll("'", "''");
    const changes: readonly (() => string)[] = [
      () => `update portal.resource set title = '${text()}' where id = ${item()}`,
      () => `update portal.resource set abstract = '${text()}' where id = ${item()}`,
      () =>
        `update portal.resource set language = '${one(['eng', 'deu', 'fra'])}', abstract = 'Karten' where id = ${item()}`,
      () => `select portal.set_keywords(${item()}, '{${one(['rivers', 'north', 'other'])}}')`,
      () => `update portal.resource set category_id = ${one(['1', '2', '3'])} where id = ${item()}`,
      () =>
        `insert into portal.resource (resource_type, title, name) values ('layer', '${text()}', 'new_${Math.floor(random() * 1e9)}')`,
      () => `delete from portal.resource where id = ${item()}`,
      () => `select portal.set_perms(${item()}, '{}')`,
      () => `select portal.set_perms(${item()}, '{"users": {"mia": ["view_resourcebase"]}}')`,
      () => `select portal.set_perms(${item()}, '{"groups": {"anonymous": ["view_resourcebase"]}}')`,
      () => `update portal.resource set purpose = 'Kept' where id = ${item()}`,
    ];
    expect(await kept()).toBe(0);
    for (const words of SEARCHES) await keep(words);
    const first = await kept();
    expect(first).toBeGreaterThanOrEqual(3);
    let seen = await answers();
    let differences = 0;
    for (let round = 0; round < 12; round++) {
      for (let n = 0; n < 3; n++) await scriptAs(portal(), 'admin', one(changes)());
      for (const words of SEARCHES) expect(await hitsBy('found_sql', words)).toEqual(await hitsBy('hits_sql', words));
      const now = await answers();
      expect(now).toEqual(await anew());
      if (JSON.stringify(now) !== JSON.stringify(seen)) differences += 1;
      seen = now;
      if (round === 8) for (const words of SEARCHES) await keep(words);
    }
    expect(differences).toBeGreaterThan(6);
    expect(await kept()).toBeGreaterThan(0);
  }, 240_000);

  test('are kept again only when much was written, and not at all where nothing is found', async () => {
    await portal().db.script('truncate portal_private.kept_search');
    expect(await keep(['rivers'])).toBe(true);
    expect(await keep(['rivers'])).toBe(false);
    expect(await keep(['qwxyz'])).toBe(false);
    await portal().db.script(
      `insert into portal.resource (resource_type, title, name, owner_id) select 'layer', 'Rivers of many', 'many_' || i, ${portal().ids.ada} from generate_series(1, 60) i`,
    );
    expect(await keep(['rivers'])).toBe(true);
  });

  test('of another cluster, as a backup brings them, are not used', async () => {
    await keep(['rivers']);
    expect(await kept()).toBeGreaterThan(0);
    await portal().db.script('update portal_private.kept_search set cluster = cluster + 1');
    expect(await kept()).toBe(0);
    // Transactions that are yet to come, to this cluster: they are looked at anew until they are noted as ours.
    await portal().db.script(
      `alter table portal_private.search_text disable trigger user;
       update portal_private.search_text set written = '9000000000';
       alter table portal_private.search_text enable trigger user`,
    );
    expect(await keep(['rivers'])).toBe(true);
    const [future] = await portal().db.query(
      `select count(*)::integer as items from portal_private.search_text where written = '9000000000'`,
    );
    expect(future).toEqual({ items: 0 });
    expect(await hitsBy('found_sql', ['rivers'])).toEqual(await hitsBy('hits_sql', ['rivers']));
  });

  test('begin with the second request for the same words', async () => {
    await portal().db.script('truncate portal_private.kept_search');
    const count = async (): Promise<unknown> =>
      (await portal().db.query('select count(*)::integer as kept from portal_private.kept_search'))[0]?.['kept'];
    await portal().visitor.get('/api/v2/resources?search=lakes');
    expect(await count()).toBe(0);
    portal().clock.advance(2000);
    await portal().visitor.get('/api/v2/layers?search=lakes');
    await expect.poll(count, { timeout: 20_000 }).toBe(1);
  });
});

onCatalogue('kept searches, beside those who write', { engines: ['postgres'] }, (portal) => {
  test('do not miss what was being written while they were kept', async () => {
    const search = async (): Promise<unknown> => {
      const reply = await portal().as('admin').get('/api/v2/resources?search=rivers&exclude[]=*&include[]=title');
      return (JSON.parse(Buffer.from(reply.body).toString()) as { resources: unknown }).resources;
    };
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, name) values ('layer', 'Rivers', 'a'), ('layer', 'Lakes', 'b')`,
    );
    const writing = await portal().callerDb.driver.hold(async (session) => {
      const fly = (text: string): Promise<unknown> => session.fly([{ text, params: [] }]);
      await fly('begin');
      await fly(
        `select set_config('role', 'survest_user', true), set_config('request.jwt.claims', '{"sub": "${portal().ids.ada}"}', true)`,
      );
      await fly(`update portal.resource set title = 'Rivers and lakes' where name = 'b'`);
      await portal().db.query(`select portal.keep_search('{rivers}')`);
      expect(await search()).toEqual([{ title: 'Rivers' }]);
      await fly('commit');
      return { ok: true, value: undefined } as const;
    });
    expect(writing.ok).toBe(true);
    const [found] = await portal().db.query(`select portal_private.found_sql('{rivers}') as sql`);
    expect(found?.['sql']).toContain('kept_search');
    expect(await search()).toHaveLength(2);
  });
});
