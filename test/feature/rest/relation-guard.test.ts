// A function of the database says which relations a caller may know of. One that is hidden cannot be told from one that is not there, by
// any answer.

import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ANONYMOUS, AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { openRest, type RestClient } from '../../testkit/rest-client.ts';
import { problem } from '../../testkit/use-rest.ts';

const GUARD = `
  create table test.diaries (id integer primary key, day date, words text);
  insert into test.diaries values (1, '2026-01-01', 'private');
  alter table test.diaries enable row level security;
  create policy authors on test.diaries to rest_author using (true);
  create table test.diary_pages (id integer primary key, diary integer references test.diaries);
  create table test.desks (id integer primary key, diary integer references test.diaries);
  insert into test.desks values (1, 1);
  grant select, insert, update, delete on test.diaries, test.diary_pages, test.desks to rest_anon, rest_author;
  create function test.known(relations regclass[], required boolean) returns regclass[] language plpgsql stable as $$
    begin
      if current_user = 'rest_author' or not 'test.diaries'::regclass = any (relations) then return relations; end if;
      if required then
        raise exception 'hidden' using errcode = 'SV205', detail = array_position(relations, 'test.diaries')::text;
      end if;
      return array_remove(relations, 'test.diaries');
    end $$;
`;

onEachEngine('relations that are hidden', { fixtures: REST_FIXTURE }, (db) => {
  let rest: RestClient;
  beforeAll(async () => {
    await db().script(GUARD);
    rest = await openRest(db(), { 'db-relation-guard': 'test.known' });
  });

  /** The same with the names exchanged, but for what was sent. */
  const shown = ({ status, headers, body }: Reply, name: string): unknown => ({
    status,
    type: new Headers(headers as Record<string, string>).get('content-type'),
    allow: new Headers(headers as Record<string, string>).get('allow'),
    text: String(body ?? '').replaceAll(name, 'NAME'),
  });

  test.each<[method: string, path: string, body?: unknown, headers?: Record<string, string>]>([
    ['GET', ''],
    ['HEAD', ''],
    ['OPTIONS', ''],
    ['GET', '?nothing=eq.1'],
    ['GET', '?select=nothing'],
    ['GET', '?select=id,diary_pages(id)'],
    ['GET', '?select=id,nowhere(id)'],
    ['GET', '?id=eq.x'],
    ['GET', '', undefined, { prefer: 'count=planned' }],
    ['GET', '', undefined, { accept: 'application/vnd.pgrst.plan+json' }],
    ['GET', '', undefined, { accept: 'text/nothing' }],
    ['GET', '', undefined, { accept: 'text/event-stream' }],
    ['GET', '?id=eq.x', undefined, { accept: 'text/event-stream' }],
    ['POST', '', { id: 7 }],
    ['POST', '?columns=nothing', { id: 7 }],
    ['POST', '', { nothing: 7 }],
    ['POST', '?on_conflict=nothing', { id: 7 }, { prefer: 'resolution=merge-duplicates' }],
    ['PATCH', '?id=eq.1', { words: 'x' }],
    ['PUT', '?id=eq.1', { id: 1, words: 'x' }],
    ['DELETE', '?id=eq.1'],
  ])('%s %s is answered as for a name that nothing has', async (method, query, body, headers = {}) => {
    const ask = (name: string): Promise<Reply> =>
      rest.request(method, `/${name}${query}`, { headers, ...(body === undefined ? {} : { body }) });
    expect(shown(await ask('diaries'), 'diaries')).toEqual(shown(await ask('zzzzzzz'), 'zzzzzzz'));
  });

  test('their names are in no hint and in no description', async () => {
    expect(await rest.get('/diarie')).toMatchReply({
      status: 404,
      json: problem('SVRST205', "Could not find the table 'test.diarie' in the schema cache"),
    });
    for (const accept of ['application/openapi+json', 'application/vnd.oai.openapi+json;version=3.1'])
      expect(String((await rest.get('/', { accept })).body)).not.toMatch(/diaries[^_]/);
    expect(await rest.get('/desks?select=id,diarie(id)')).toMatchReply({
      status: 400,
      json: expect.objectContaining({ hint: null }),
    });
  });

  test('they cannot be embedded', async () => {
    const hidden = await rest.get('/desks?select=id,diaries(id)');
    const missing = await rest.get('/desks?select=id,zzzzzzz(id)');
    expect(shown(hidden, 'diaries')).toEqual(shown(missing, 'zzzzzzz'));
  });

  test('a limit on costs tells no more', async () => {
    const limited = await openRest(db(), { 'db-relation-guard': 'test.known', 'db-max-cost': '1' });
    onTestFinished(() => limited.close());
    const [hidden, missing] = [await limited.get('/diaries'), await limited.get('/zzzzzzz')];
    expect(shown(hidden, 'diaries')).toEqual(shown(missing, 'zzzzzzz'));
    expect((await limited.request('GET', '/diaries', { as: AUTHOR })).status).not.toBe(404);
  });

  test('a batch tells no more', async () => {
    const batch = async (method: string, path: string): Promise<unknown> => {
      const reply = await rest.request('POST', '/batch', { body: [{ method, path }] });
      return JSON.parse(String(reply.body)) as unknown;
    };
    for (const [method, query] of [
      ['GET', ''],
      ['OPTIONS', ''],
      ['GET', '?select=id,nowhere(id)'],
    ] as const) {
      const [hidden, missing] = [await batch(method, `/diaries${query}`), await batch(method, `/zzzzzzz${query}`)];
      expect(JSON.stringify(hidden).replaceAll('diaries', 'NAME')).toBe(
        JSON.stringify(missing).replaceAll('zzzzzzz', 'NAME'),
      );
    }
  });

  test('whoever may know of them has them, whoever asked before', async () => {
    for (let round = 0; round < 3; round++) {
      for (const [role, status] of [
        [ANONYMOUS, 404],
        [AUTHOR, 200],
      ] as const)
        expect((await rest.request('GET', '/diaries', { as: role })).status).toBe(status);
    }
    expect(await rest.request('GET', '/desks?select=id,diaries(words)', { as: AUTHOR })).toMatchReply({
      json: [{ id: 1, diaries: { words: 'private' } }],
    });
    expect(String((await rest.request('GET', '/', { as: AUTHOR })).body)).toContain('"/diaries"');
    expect((await rest.request('OPTIONS', '/diaries', { as: AUTHOR })).status).toBe(200);
  });

  test('without a guard everything is as it was', async () => {
    const plain = await openRest(db());
    onTestFinished(() => plain.close());
    expect(await plain.get('/diaries')).toMatchReply({ status: 200, json: [] });
  });
});
