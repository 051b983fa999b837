// What a search asks of an item stands in a table of its own. Whatever is written, by whomever and in whatever order: the table is in step with the items, and a
// search finds and counts what has the words and is seen by who asks, and nothing else.

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, VISITOR } from '../../../src/auth/caller.ts';
import { makeRecordCache } from '../../../src/portal/operations/record-cache.ts';
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

/** What is asked besides the words, and the same of an item. */
const BESIDES = [
  ['/api/v2/resources?', 'true'],
  ['/api/v2/layers?', "r.resource_type = 'layer'"],
  ['/api/v2/resources?filter{resource_type.in}=layer&filter{resource_type.in}=document&', 'true'],
  [
    '/api/v2/resources?extent=0,0,5,5&filter{category.identifier}=farming&',
    `public.st_intersects(r.ll_bbox_polygon, public.st_makeenvelope(0, 0, 5, 5, 4326))
       and r.category_id = (select id from portal.category where identifier = 'farming')`,
  ],
] as const;

onCatalogue('what searches ask of items', {}, (portal) => {
  let asking: Caller = VISITOR;
  let api: FastifyInstance;
  beforeAll(async () => {
    api = await makeApiAlone(portal().callerDb, () => asking, makeRecordCache());
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

  const rows = (): Promise<unknown[]> =>
    portal().db.query(
      'select resource_id, resource_type, category_id, extent::text, updated::text, is_open, vector::text, body, terms from portal_private.search_item order by 1',
    );
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
  /** Everything that is found, whatever page it is on, and what the first page says of the total. */
  const found = async (url: string): Promise<{ ids: number[]; total: unknown }> => {
    const reply = await api.inject({ url: `${url}exclude[]=*&include[]=pk&page_size=100` });
    expect(reply.statusCode, `${url}: ${reply.body}`).toBe(200);
    const { total, ...body } = reply.json() as Record<string, unknown>;
    const list = (body['resources'] ?? body['layers']) as { pk: string }[];
    return { ids: list.map(({ pk }) => Number(pk)).sort((a, b) => a - b), total };
  };
  /** Items with the words, whoever sees them. */
  const hits = async (words: readonly string[], besides: string): Promise<number[]> =>
    (
      await portal().db.query<{ id: number }>(
        `select r.id from portal.resource r join portal_private.search_item t on t.resource_id = r.id
          where ${besides} and (select bool_and(coalesce(t.vector @@ portal_private.word_query(w), false) or t.body like portal_private.like_pattern(w))
                                  from unnest($1::text[]) w)`,
        [words],
      )
    ).map(({ id }) => id);

  test('is in step with them, and searches find and count what has the words and is seen', async () => {
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
    const compared = { all: 0, part: 0 };
    for (let round = 0; round < 12; round++) {
      for (let n = 0; n < 4; n++) await scriptAs(portal(), 'admin', one(changes)());
      const kept = await rows();
      await portal().db.script(
        'select portal_private.index_text(array(select id from portal.resource)); select portal.fill_search()',
      );
      expect(await rows()).toEqual(kept);
      expect(kept).toHaveLength((await portal().db.query('select from portal.resource')).length);
      for (const person of PEOPLE) {
        asking = callerOf(person);
        const seen = new Set((await found('/api/v2/resources?')).ids);
        for (const words of SEARCHES) {
          const all = (await hits(words, 'true')).filter((id) => seen.has(id));
          for (const [path, besides] of BESIDES) {
            const search = await found(`${path}search=${encodeURIComponent(words.join(' '))}&`);
            expect(search.total).toBe(search.ids.length);
            expect(search.ids.filter((id) => !seen.has(id))).toEqual([]);
            // Similar words are for who sees nothing that has these.
            if (all.length === 0) continue;
            const wanted = (await hits(words, besides)).filter((id) => seen.has(id)).sort((a, b) => a - b);
            if (besides === 'true' || wanted.length > 0)
              expect(search.ids, `${person} ${path}${words}`).toEqual(wanted);
            compared[wanted.length === all.length ? 'all' : 'part'] += 1;
          }
        }
      }
    }
    expect(compared.all).toBeGreaterThan(100);
    expect(compared.part).toBeGreaterThan(100);
  }, 240_000);

  test('is not read for a change that no search asks for', async () => {
    const versions = (): Promise<unknown[]> =>
      portal().db.query('select resource_id, xmin::text from portal_private.search_item order by 1');
    const before = await versions();
    await portal().db.script('update portal.resource set popular_count = popular_count + 1, share_count = 3');
    expect(await versions()).toEqual(before);
  });
});

onCatalogue('what searches ask of items, with several who write', { engines: ['postgres'] }, (portal) => {
  test('has the title of one and the keyword of another who changed the same item at once', async () => {
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title, name) values ('layer', 'Lakes', 'a')`,
    );
    let keyword: Promise<void> | undefined;
    const writing = await portal().callerDb.driver.hold(async (session) => {
      const execute = async (text: string): Promise<unknown[]> => {
        const executed = await session.execute([{ text, params: [] }]);
        return executed.ok ? executed.value.flatMap(({ rows }) => rows) : [];
      };
      await execute('begin');
      await execute(
        `select set_config('role', 'survest_user', true), set_config('request.jwt.claims', '{"sub": "${portal().ids.ada}"}', true)`,
      );
      await execute(`update portal.resource set title = 'Rivers' where name = 'a'`);
      keyword = scriptAs(
        portal(),
        'admin',
        `select portal.set_keywords((select id from portal.resource where name = 'a'), '{glaciers}')`,
      );
      await expect
        .poll(() => execute('select pid from pg_locks where not granted'), { timeout: 10_000 })
        .not.toEqual([]);
      await execute('commit');
      return { ok: true, value: undefined } as const;
    });
    expect(writing.ok).toBe(true);
    await keyword;
    for (const word of ['rivers', 'glaciers'])
      expect(
        await portal().db.query(
          'select body from portal_private.search_item t where t.vector @@ portal_private.word_query($1)',
          [word],
        ),
      ).toMatchObject([{ body: expect.stringContaining('rivers') }]);
  });
});
