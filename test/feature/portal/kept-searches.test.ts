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
    `/api/v2/layers?${search}&exclude[]=*&include[]=pk&page_size=3&page=2`,
    `/api/v2/resources?${search}&filter{resource_type.in}=layer&filter{resource_type.in}=document&exclude[]=*&include[]=pk&page_size=4`,
    `/api/v2/resources?${search}&extent=0,0,5,5&filter{category.identifier}=farming&exclude[]=*&include[]=pk`,
    `/api/v2/resources/facets?${search}&extent=0,0,5,5&filter{category.identifier}=farming&filter{resource_type}=layer`,
  ];
});

const CANDIDATES = 'portal_private.candidates_sql($1::text[], null, null, null)';

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
    const found = await Promise.all(SEARCHES.map((words) => portal().db.query(`select ${CANDIDATES} as sql`, [words])));
    return found.filter(([one]) => String(one?.['sql']).includes('kept_search')).length;
  };
  /** How many of them have pages in the order that is kept: without its parts they show less. */
  const paged = async (): Promise<number> => {
    const ids = async (words: readonly string[]): Promise<string> =>
      JSON.stringify(
        await portal().db.query('select id, total from portal.search_page($1::text[], null, 0, 5)', [words]),
      );
    const before = await Promise.all(SEARCHES.map(ids));
    await portal().db.script(`update portal_private.kept_search set part_types = '{}'`);
    const after = await Promise.all(SEARCHES.map(ids));
    return after.filter((one, n) => one !== before[n]).length;
  };
  /** What was found, kept and anew. Items that are gone are of no concern where they are looked up: nobody sees them. */
  const expectSameHits = async (words: readonly string[]): Promise<void> => {
    const [made] = await portal().db.query(
      `select ${CANDIDATES} as kept, portal_private.hits_sql($1::text[]) as anew`,
      [words],
    );
    const known = String(made?.['kept']);
    const hits = await portal().db.query(
      `select h.id, h.rank from (${known}) h join portal.resource r on r.id = h.id order by 1, 2`,
    );
    const anew = await portal().db.query(
      `select h.resource_id as id, h.rank from (${String(made?.['anew'])}) h join portal.resource r on r.id = h.resource_id order by 1, 2`,
    );
    expect(hits).toEqual(anew);
    // What is shown without a look at it is there, for everybody, and as new as it says.
    const wrong = await portal().db.query(
      `select h.id from (${known}) h left join portal.resource r on r.id = h.id
        where h.is_open and (r.is_public and r.obstacles = 0 and r.last_updated = h.updated) is not true`,
    );
    expect(wrong).toEqual([]);
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
        // There is not always a second page.
        if (!url.includes('&page=2')) expect(reply.statusCode, `${person} ${url}: ${reply.body}`).toBe(200);
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
      () => `update portal.resource set is_approved = not is_approved where id = ${item()}`,
      () => `select portal.set_metadata_only(${item()}, ${one(['true', 'false'])})`,
      () =>
        `update portal.resource set ll_bbox_polygon = ${one(['null', 'public.st_makeenvelope(2, 2, 4, 4, 4326)', 'public.st_makeenvelope(50, 50, 51, 51, 4326)'])} where id = ${item()}`,
      () => `update portal.resource set popular_count = popular_count + 1 where id = ${item()}`,
    ];
    expect(await kept()).toBe(0);
    for (const words of SEARCHES) await keep(words);
    const first = await kept();
    expect(first).toBeGreaterThanOrEqual(3);
    let seen = await answers();
    let differences = 0;
    for (let round = 0; round < 12; round++) {
      for (let n = 0; n < 4; n++) await scriptAs(portal(), 'admin', one(changes)());
      for (const words of SEARCHES) await expectSameHits(words);
      const now = await answers();
      expect(now).toEqual(await anew());
      if (JSON.stringify(now) !== JSON.stringify(seen)) differences += 1;
      seen = now;
      if (round === 8) for (const words of SEARCHES) await keep(words);
    }
    expect(differences).toBeGreaterThan(6);
    expect(await kept()).toBeGreaterThan(0);
    // Last, since nothing that is kept is true after it.
    expect(await paged()).toBeGreaterThan(0);
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

  test('are looked up one by one where too many of them have changed, and kept again', async () => {
    await portal().db.script(
      `insert into portal.resource (resource_type, title, name, owner_id, category_id) select 'layer', 'Rivers of very many', 'very_' || i, ${portal().ids.ada}, 1 from generate_series(1, 520) i`,
    );
    expect(await keep(['rivers'])).toBe(true);
    await portal().db.script(`update portal.resource set last_updated = now() where title = 'Rivers of very many'`);
    expect(await kept()).toBeGreaterThan(0);
    await expectSameHits(['rivers']);
    expect(await answers()).toEqual(await anew());
    expect(await keep(['rivers'])).toBe(true);
    // Seen by all that is kept: nobody needs to know any more what was changed before.
    await portal().db.script(
      `delete from portal_private.kept_search where not ids @> array(select id from portal.resource where title = 'Rivers of very many')`,
    );
    // What is under way anywhere on the server holds the notes of that time, so that it may take a second time.
    await expect
      .poll(
        async () => {
          await portal().db.script(
            `update portal.resource set last_updated = now() where title = 'Rivers of very many'`,
          );
          expect(await keep(['rivers'])).toBe(true);
          const [noted] = await portal().db.query(
            'select count(*)::integer as items from portal_private.facts_written',
          );
          return noted;
        },
        { timeout: 150_000 },
      )
      .toEqual({ items: 0 });
    await expectSameHits(['rivers']);
    await portal().db.script(`delete from portal.resource where title = 'Rivers of very many'`);
    expect(await answers()).toEqual(await anew());
  }, 240_000);

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
    await expectSameHits(['rivers']);
  });

  test('begin with the second request for the same words', async () => {
    await portal().db.script('truncate portal_private.kept_search');
    const count = async (): Promise<unknown> =>
      (await portal().db.query('select count(*)::integer as kept from portal_private.kept_search'))[0]?.['kept'];
    await portal().visitor.get('/api/v2/resources?search=lakes');
    expect(await count()).toBe(0);
    portal().clock.advance(2000);
    await portal().visitor.get('/api/v2/layers?search=lakes');
    await expect.poll(count).toBe(1);
  });
});

onCatalogue('kept searches, beside those who write', { engines: ['postgres'] }, (portal) => {
  test('do not miss what was being written while they were kept', async () => {
    const search = async (
      who: Pick<ReturnType<typeof portal>['visitor'], 'get'> = portal().as('admin'),
    ): Promise<unknown> => {
      const reply = await who.get('/api/v2/resources?search=rivers&exclude[]=*&include[]=title');
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
      await fly(`select portal.set_perms((select id from portal.resource where name = 'a'), '{}')`);
      await portal().db.query(`select portal.keep_search('{rivers}')`);
      expect(await search()).toEqual([{ title: 'Rivers' }]);
      expect(await search(portal().visitor)).toEqual([{ title: 'Rivers' }]);
      await fly('commit');
      return { ok: true, value: undefined } as const;
    });
    expect(writing.ok).toBe(true);
    const [found] = await portal().db.query(`select ${CANDIDATES} as sql`, [['rivers']]);
    expect(found?.['sql']).toContain('kept_search');
    expect(await search()).toHaveLength(2);
    expect(await search(portal().visitor)).toEqual([{ title: 'Rivers and lakes' }]);
  });
});
