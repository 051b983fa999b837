// Who may do what with which item, through HTTP: the table that the database is held against, held against the API. Every path
// that could tell of an item is looked at: lists, totals, counts, relations, side loading, filters, order. What a request changes
// is rolled back after it, so that every cell starts from the same world.

import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, VISITOR } from '../../../src/auth/caller.ts';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import { NORMAL } from '../../../src/http/service-mode.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { ok } from '../../../src/kernel/result.ts';
import type { Batch, Driver, Session } from '../../../src/pg/driver.ts';
import { registerApi } from '../../../src/portal/api/register-api.ts';
import { registerErrors } from '../../../src/portal/errors/register-errors.ts';
import { COLLECTION_OF, type ResourceType } from '../../../src/portal/kinds/item/common-fields.ts';
import { makeRecordCache } from '../../../src/portal/operations/record-cache.ts';
import { LETTERS, type Letter, MATRIX } from '../../access/matrix.ts';
import { ITEMS, type Item, type Person, readWorld, type World, world } from '../../access/world.ts';
import { onEachEngine } from '../../testkit/database.ts';

/** A token of another issuer is nobody's account here, and never gets as far as this. */
type Known = Exclude<Person, 'foreign'>;
const PEOPLE: readonly Known[] = [
  'visitor',
  'otto',
  'carl',
  'mia',
  'vera',
  'bob',
  'ada',
  'nick',
  'stella',
  'root',
  'dora',
  'ghost',
  'fallen',
];

/**
 * What may be done is decided in the database, where every cell is tried out (`test/access/permissions.test.ts`); through HTTP by these. Left
 * out are those who stand as another one does: mia as carl, vera and nick as otto, dora as ghost.
 */
const DOERS: readonly Known[] = ['visitor', 'otto', 'carl', 'bob', 'ada', 'stella', 'root', 'ghost', 'fallen'];

const TYPES: Readonly<Record<Item, ResourceType>> = {
  open: 'layer',
  closed: 'layer',
  shared: 'map',
  worked: 'layer',
  described: 'document',
  judged: 'geostory',
  registered: 'geoapp',
  gone: 'layer',
  unready: 'layer',
  bobs: 'document',
};

const ACTIONS = [
  'PATCH title',
  'PATCH zoom',
  'publish',
  'get_perms',
  'set_perms',
  'GET permissions',
  'PUT permissions',
  'DELETE permissions',
  'link',
  'PATCH tkeywords',
  'DELETE',
  'bulk PATCH',
  'bulk DELETE',
  'patch-all',
] as const;

type Reply = { readonly status: number; readonly json: Record<string, unknown> };
/** An item cannot be linked to itself. */
const SKIPPED: Reply = { status: 0, json: {} };
type Send = (method: string, url: string, body?: unknown) => Promise<Reply>;

onEachEngine('the access matrix through HTTP', { fixtures: world }, (db) => {
  let app: FastifyInstance;
  let here: World;
  let session: Session | undefined;

  beforeAll(async () => {
    here = await readWorld(db());
    app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
    const nothing = (): never => {
      throw new Error('nothing is stored here');
    };
    const answerError = registerErrors(app, ({ kind, ...rest }) => {
      if (kind === 'bug') throw new Error(JSON.stringify(rest));
    });
    const context = {
      db: makeCallerDb(within(db().driver, () => session)),
      identify: async (request: { readonly headers: Readonly<Record<string, unknown>> }) =>
        ok(callerOf(String(request.headers['x-person']) as Known)),
      answerError,
      baseUrl: () => 'http://x',
      addressOf: () => '127.0.0.1',
      mode: () => NORMAL,
      kept: makeRecordCache(),
      presets: new Map(),
      clock: systemClock,
      observe: () => {},
    };
    await registerApi(app, context, {
      blobs: { put: nothing, open: nothing, remove: async () => ok(undefined), list: nothing },
      enableBulkUpdate: true,
      enablePatchAll: true,
      maxDocumentBytes: 1,
      version: 'test',
    });
  });
  afterAll(() => app.close());

  function callerOf(person: Known): Caller {
    if (person === 'visitor') return VISITOR;
    const id = person === 'ghost' ? 999_999 : here.accountId(person === 'fallen' ? 'zoe' : person);
    const role = person === 'root' || person === 'fallen' ? 'survest_admin' : 'survest_user';
    return { kind: 'account', id, username: person, role, via: 'basic' };
  }

  const as =
    (person: Known): Send =>
    async (method, url, body) => {
      const reply = await app.inject({
        method: method as 'GET',
        url,
        headers: { 'x-person': person, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return { status: reply.statusCode, json: reply.body === '' ? {} : JSON.parse(reply.body) };
    };

  /** What happens in it did not happen. */
  async function undone<T>(work: () => Promise<T>): Promise<T> {
    const held = await db().driver.hold(async (held) => {
      await held.execute([{ text: 'begin', params: [] }]);
      session = held;
      try {
        return await work();
      } finally {
        session = undefined;
        await held.execute([{ text: 'rollback', params: [] }]);
      }
    });
    if (!held.ok) throw new Error(JSON.stringify(held.error));
    return held.value;
  }

  const seenBy = (person: Known): Item[] => ITEMS.filter((item) => MATRIX[item][person] !== '');
  const titlesIn = ({ json }: Reply, list: string): string[] =>
    ((json[list] ?? []) as { title: string }[]).map(({ title }) => title).sort();

  describe.each(PEOPLE)('%s', (person) => {
    test('sees in every list and total what the table says, with the permissions it says', async () => {
      const send = as(person);
      const seen = seenBy(person);
      const all = await send('GET', '/api/v2/resources?page_size=100');
      expect(titlesIn(all, 'resources')).toEqual(seen.toSorted());
      expect(all.json['total']).toBe(seen.length);
      for (const record of all.json['resources'] as { title: Item; perms: string[] }[]) {
        const letters = [...MATRIX[record.title][person]] as Letter[];
        expect(record.perms.toSorted(), record.title).toEqual(letters.map((letter) => LETTERS[letter]).sort());
      }
      for (const [type, collection] of Object.entries(COLLECTION_OF)) {
        const ofType = seen.filter((item) => TYPES[item] === type).sort();
        const list = await send('GET', `/api/v2/${collection}?page_size=1`);
        expect(list.json['total'], collection).toBe(ofType.length);
        const filtered = await send('GET', `/api/v2/resources?filter{resource_type}=${type}&page_size=100`);
        expect([filtered.json['total'], titlesIn(filtered, 'resources')]).toEqual([ofType.length, ofType]);
      }
      for (const flag of ['approved', 'published']) {
        expect((await send('GET', `/api/v2/resources/${flag}?page_size=1`)).json['total']).toBe(seen.length);
      }
    });

    test('reads items, and what hangs on them, only where the table says', async () => {
      const wrong: string[] = [];
      for (const item of ITEMS) {
        const id = here.item(item);
        const collection = COLLECTION_OF[TYPES[item]];
        const paths = [
          `/api/v2/resources/${id}`,
          `/api/v2/${collection}/${id}`,
          `/api/v2/resources/${id}/keywords`,
          `/api/v2/resources/${id}/regions`,
          `/api/v2/resources/${id}/links`,
          `/api/v2/resources/${id}/tkeywords`,
          `/api/v2/resources/${id}/linked_resources`,
          `/metadata/${id}.dcat.jsonld`,
          `/api/v2/${collection}/${id}?include[]=favorite&sideloading=true`,
          ...({
            layer: [`/api/v2/layers/${id}/styles`, `/api/v2/layers/${id}/attribute_set`, `/api/v2/datasets/${id}`],
            map: [`/api/v2/maps/${id}/layers`, `/api/v2/maps/${id}/local_layers`, `/api/v2/maps/${id}/data`],
            document: [`/api/v2/documents/${id}/linked_resources`],
            geoapp: [`/api/v2/geoapps/${id}/data`],
            geostory: [`/api/v2/geostories/${id}/data`],
          }[TYPES[item]] ?? []),
        ];
        const expected = MATRIX[item][person] === '' ? 404 : 200;
        for (const path of paths) {
          const { status } = await as(person)('GET', path);
          if (status !== expected) wrong.push(`${item}: ${path} is ${status}, not ${expected}`);
        }
      }
      expect(wrong).toEqual([]);
    });

    test('finds nothing else by search, filters, order, side loading or counts', async () => {
      const send = as(person);
      const seen = seenBy(person);
      const ofAda = seen.filter((item) => item !== 'bobs');
      for (const item of ITEMS) {
        const total = seen.includes(item) ? 1 : 0;
        for (const query of [
          `search=${item}`,
          `search=${item}&search_fields=title`,
          `filter{title}=${item}`,
          `filter{title.regex}=^${item}$`,
          `filter{pk.in}=${here.item(item)}`,
          ...(item === 'bobs' ? [] : [`filter{keywords.name}=word of ${item}`]),
        ]) {
          expect((await send('GET', `/api/v2/resources?${query}`)).json['total'], query).toBe(total);
        }
      }
      expect((await send('GET', '/api/v2/resources?filter{owner.username}=ada')).json['total']).toBe(ofAda.length);
      expect((await send('GET', '/api/v2/resources?filter{-owner.username}=ada')).json['total']).toBe(
        seen.length - ofAda.length,
      );
      for (const order of ['owner.username', '-title', 'group.name', 'category.identifier']) {
        const sorted = await send('GET', `/api/v2/resources?sort[]=${order}&page_size=100`);
        expect(titlesIn(sorted, 'resources')).toEqual(seen.toSorted());
      }
      for (const hidden of ['viewers', 'is_public', 'obstacles', 'owner.email', 'owner.password', 'owner.is_staff']) {
        for (const query of [`filter{${hidden}}=1`, `sort[]=${hidden}`, `search=a&search_fields=${hidden}`]) {
          expect((await send('GET', `/api/v2/resources?${query}`)).status, query).toBe(400);
        }
      }
      const side = JSON.stringify((await send('GET', '/api/v2/resources?sideloading=true&page_size=100')).json);
      for (const item of ITEMS) expect(side.includes(`word of ${item}`)).toBe(seen.includes(item) && item !== 'bobs');
    });

    test('is told counts of what it sees, and no words of what it does not', async () => {
      const send = as(person);
      const seen = seenBy(person);
      const ofAda = seen.filter((item) => item !== 'bobs');
      const words = ofAda.map((item) => `word of ${item}`).sort();
      const listed = async (path: string, list: string, name: string): Promise<Record<string, number>> =>
        Object.fromEntries(
          ((await send('GET', `${path}?page_size=500`)).json[list] as Record<string, never>[])
            .filter((record) => Number(record['count']) > 0)
            .map((record) => [record[name], record['count']]),
        );
      const keywords = await listed('/api/v2/keywords', 'keywords', 'name');
      expect(Object.keys(keywords).sort()).toEqual(ofAda.length === 0 ? [] : ['common', ...words]);
      if (ofAda.length > 0) expect(keywords['common']).toBe(ofAda.length);
      expect(await listed('/api/v2/owners', 'owners', 'username')).toEqual({
        ...(ofAda.length > 0 ? { ada: ofAda.length } : {}),
        ...(seen.includes('bobs') ? { bob: 1 } : {}),
      });
      expect((await send('GET', '/api/v2/owners?page_size=1')).json['total']).toBe(
        (ofAda.length > 0 ? 1 : 0) + (seen.includes('bobs') ? 1 : 0),
      );
      expect(Object.values(await listed('/api/v2/regions', 'regions', 'code'))).toEqual(
        ofAda.length === 0 ? [] : [ofAda.length, ofAda.length],
      );
      const topics = async (name: string): Promise<{ key: string; label: string; count: number }[]> => {
        const facet = (await send('GET', `/api/v2/facets/${name}?page_size=100`)).json as {
          topics: { items: { key: string; label: string; count: number }[] };
        };
        return facet.topics.items;
      };
      expect((await topics('keyword')).map(({ label }) => label).sort()).toEqual(
        ofAda.length === 0 ? [] : ['common', ...words],
      );
      expect((await topics('resourcetype')).reduce((sum, { count }) => sum + count, 0)).toBe(seen.length);
      expect((await topics('owner')).reduce((sum, { count }) => sum + count, 0)).toBe(seen.length);
      const { json } = await send('GET', '/api/v2/resources/facets?page_size=100');
      const facets = json['facets'] as { name: string; entries: { label: string; count: number }[] }[];
      const entries = (name: string) => facets.find((facet) => facet.name === name)?.entries ?? [];
      expect(json['total']).toBe(seen.length);
      expect(entries('resource_type').reduce((sum, { count }) => sum + count, 0)).toBe(seen.length);
      expect(
        entries('keywords')
          .map(({ label }) => label)
          .sort(),
      ).toEqual(ofAda.length === 0 ? [] : ['common', ...words]);
      expect(entries('owner').reduce((sum, { count }) => sum + count, 0)).toBe(seen.length);
    });

    for (const action of DOERS.includes(person) ? ACTIONS : []) {
      test(`${action} works where the table says, and nowhere else`, async () => {
        const wrong: string[] = [];
        for (const item of ITEMS) {
          const id = here.item(item);
          const letters = MATRIX[item][person];
          const may = (...any: Letter[]): boolean => any.some((letter) => letters.includes(letter));
          const path = `/api/v2/${COLLECTION_OF[TYPES[item]]}`;
          const send = as(person);
          const isMap = TYPES[item] === 'map' || TYPES[item] === 'geoapp' || TYPES[item] === 'geostory';
          const { holds, reply } = await undone(async () => {
            switch (action) {
              case 'PATCH title':
                return { holds: may('c', 'm'), reply: await send('PATCH', `${path}/${id}`, { title: 'x' }) };
              case 'PATCH zoom':
                return {
                  holds: may('c'),
                  reply: await send('PATCH', `${path}/${id}`, isMap ? { zoom: 7 } : { srid: 'EPSG:3857' }),
                };
              case 'publish':
                return { holds: may('u'), reply: await send('PATCH', `${path}/${id}`, { is_published: false }) };
              case 'get_perms':
                return { holds: may('p'), reply: await send('GET', `/api/v2/resources/${id}/get_perms`) };
              case 'set_perms':
                return { holds: may('p'), reply: await send('PUT', `/api/v2/resources/${id}/set_perms`, {}) };
              case 'GET permissions':
                return { holds: may('p'), reply: await send('GET', `${path}/${id}/permissions`) };
              case 'PUT permissions':
                return { holds: may('p'), reply: await send('PUT', `${path}/${id}/permissions`, { users: [] }) };
              case 'DELETE permissions':
                return { holds: may('p'), reply: await send('DELETE', `${path}/${id}/permissions`) };
              case 'link': {
                // To something that everybody sees.
                const target = here.item('open');
                const reply = await send('POST', `${path}/${id}/linked_resources`, { target });
                return { holds: may('c', 'm'), reply: item === 'open' && reply.status === 400 ? SKIPPED : reply };
              }
              case 'PATCH tkeywords':
                return { holds: may('c', 'm'), reply: await send('PATCH', `${path}/${id}`, { tkeywords: [] }) };
              case 'DELETE':
                return { holds: may('x'), reply: await send('DELETE', `${path}/${id}`) };
              case 'bulk PATCH':
                return { holds: may('c', 'm'), reply: await send('PATCH', path, [{ id, title: 'x' }]) };
              case 'bulk DELETE':
                return { holds: may('x'), reply: await send('DELETE', path, [{ id }]) };
              case 'patch-all':
                return {
                  holds: may('c', 'm'),
                  reply: await send('PATCH', `${path}?patch-all=query&filter{title}=${item}`, { title: 'x' }),
                };
            }
          });
          const isGuest = person === 'visitor' || person === 'dora' || person === 'ghost';
          // What cannot be seen is not there: unknown ids of a bulk are gone already, and a filter finds nothing to change.
          const missing =
            action === 'bulk PATCH' ? 400 : action === 'bulk DELETE' ? 204 : action === 'patch-all' ? 200 : 404;
          if (reply === SKIPPED) continue;
          const expected = holds
            ? [200, 201, 204]
            : isGuest
              ? [401, 403, letters === '' ? missing : 403]
              : [letters === '' ? missing : 403];
          if (!expected.includes(reply.status))
            wrong.push(`${item}: ${reply.status} instead of ${expected.join(' or ')}: ${JSON.stringify(reply.json)}`);
          const changed = await db().query('select 1 from portal.resource where title = $1', [item]);
          if (changed.length !== 1) wrong.push(`${item} is not as it was`);
          if (action === 'patch-all' && letters === '' && reply.status === 200) {
            const { updated } = reply.json['meta'] as { updated: number };
            if (updated !== 0) wrong.push(`${item}: ${updated} changed`);
          }
        }
        expect(wrong).toEqual([]);
      });
    }
  });

  test('several at once are all or nothing: one that may not be changed undoes the others', async () => {
    for (const [method, wrap] of [
      ['PATCH', (id: number) => ({ id, title: 'taken' })],
      ['DELETE', (id: number) => ({ id })],
    ] as const) {
      await undone(async () => {
        const reply = await as('bob')(method, '/api/v2/documents', [
          wrap(here.item('bobs')),
          wrap(here.item('described')),
        ]);
        // bob may change metadata of the second, and delete only the first
        expect(reply.status).toBe(method === 'PATCH' ? 200 : 403);
        const left = await as('root')('GET', '/api/v2/documents?page_size=100');
        expect(titlesIn(left, 'documents')).toEqual(method === 'PATCH' ? ['taken', 'taken'] : ['bobs', 'described']);
      });
    }
  });
});

/** The driver, but everything on one connection while there is one: its transactions become steps of the one around them. */
function within(driver: Driver, current: () => Session | undefined): Driver {
  const onto = async (session: Session, batch: Batch): ReturnType<Driver['execute']> => {
    await session.execute([{ text: 'savepoint step', params: [] }]);
    const executed = await session.execute(batch);
    await session.execute([
      { text: executed.ok ? 'release savepoint step' : 'rollback to savepoint step', params: [] },
    ]);
    return executed;
  };
  const STEPS: Readonly<Record<string, string>> = {
    begin: 'savepoint whole',
    commit: 'release savepoint whole',
    rollback: 'rollback to savepoint whole',
  };
  return {
    ...driver,
    execute(batch, options) {
      const session = current();
      return session === undefined ? driver.execute(batch, options) : onto(session, batch);
    },
    async hold(work, options) {
      const session = current();
      if (session === undefined) return driver.hold(work, options);
      return ok(
        await work({
          ...session,
          execute: (batch) =>
            session.execute(
              batch.map((statement) => ({ ...statement, text: STEPS[statement.text] ?? statement.text })),
            ),
        }),
      );
    },
  };
}
