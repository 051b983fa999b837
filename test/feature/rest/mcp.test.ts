// What agents are answered by a REST service at `/mcp`: tools that are requests of the caller, with bounds of their own.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine, type TestDatabase } from '../../testkit/database.ts';
import { type Agent, dataIn, factsIn, openAgent } from '../../testkit/mcp-client.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { type SuiteClient, useRest } from '../../testkit/use-rest.ts';
import { useHttp } from './over-http.ts';

/** A service on a port. */
function useServed(
  db: () => TestDatabase,
  settings: Readonly<Record<string, string>>,
): { readonly rest: SuiteClient; readonly url: () => string } {
  const rest = useRest(db, settings);
  return { rest, url: useHttp(rest) };
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const message = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

onEachEngine('agents', { fixtures: REST_FIXTURE }, (db) => {
  describe('at a service that answers none', () => {
    const { rest } = useServed(db, {});

    test('find a table that is not there', async () => {
      expect(await rest.post('/mcp', message('ping'), HEADERS)).toMatchReply({ status: 404 });
    });
  });

  describe('at a service that they read', () => {
    const { rest, url } = useServed(db, { mcp: 'read', 'db-aggregates-enabled': 'true' });
    let agent: Agent;
    beforeAll(async () => {
      agent = await openAgent(url());
    });
    afterAll(() => agent.close());

    test('are offered what reads, by either generation of the protocol', async () => {
      const old = await openAgent(url(), undefined, 'legacy');
      for (const one of [agent, old]) {
        const { tools } = await one.client.listTools();
        expect(tools.map(({ name }) => name).sort()).toEqual([
          'aggregate',
          'describe',
          'read_rows',
          'search_catalogue',
        ]);
        expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
        expect(await one.call('read_rows', { table: 'items', limit: 1 })).toContain('"rows":1');
      }
      await old.close();
    });

    test('find tables by words, and learn what is in one', async () => {
      expect(dataIn(await agent.call('search_catalogue', { words: 'project' }))).toContainEqual(
        expect.objectContaining({ table: 'projects' }),
      );
      const described = dataIn(await agent.call('describe', { table: 'projects' })) as Record<string, unknown>;
      expect(described['columns']).toContainEqual(expect.objectContaining({ name: 'id', primary_key: true }));
      expect(described['columns']).toContainEqual(
        expect.objectContaining({ name: 'client_id', references: 'clients.id' }),
      );
      expect(described['referenced_by']).toContain('tasks');
      expect(described['sample']).toHaveLength(3);
      expect(described['rows_about']).toBe(5);
    });

    test('read a page, are told the next one, and come to the end', async () => {
      const ids: number[] = [];
      let next: object | null = {};
      for (let pages = 0; next !== null && pages < 20; pages++) {
        const said = await agent.call('read_rows', { table: 'items', columns: ['id'], limit: 4, ...next });
        ids.push(...(dataIn(said) as { id: number }[]).map(({ id }) => id));
        next = factsIn(said)['next_page'] as object | null;
      }
      const all = (await rest.get('/items?select=id&order=id')).body;
      expect(ids).toEqual((JSON.parse(String(all)) as { id: number }[]).map(({ id }) => id));
    });

    test('read pages of a table without a key by their offset', async () => {
      const said = await agent.call('read_rows', { table: 'no_pk', limit: 1 });
      expect(factsIn(said)['next_page']).toEqual({ offset: 1 });
    });

    test('filter, order and embed', async () => {
      const said = await agent.call('read_rows', {
        table: 'projects',
        columns: ['id', 'clients(name)'],
        filters: [
          { column: 'id', operator: 'in', value: [1, 2, 3] },
          { column: 'id', operator: 'eq', value: 2, negate: true },
          { column: 'name', operator: 'is_null', negate: true },
        ],
        order: [{ column: 'id', descending: true }],
      });
      expect(dataIn(said)).toEqual([
        { id: 3, clients: expect.anything() },
        { id: 1, clients: expect.anything() },
      ]);
    });

    test('count and add up', async () => {
      expect(dataIn(await agent.call('aggregate', { table: 'projects', measure: 'count' }))).toEqual([{ measure: 5 }]);
      expect(
        dataIn(await agent.call('aggregate', { table: 'projects', measure: 'count', group: 'client_id', limit: 1 })),
      ).toEqual([{ value: expect.any(Number), measure: 2 }]);
      expect(await agent.call('aggregate', { table: 'projects', measure: 'sum' })).toContain('REFUSED Name the column');
    });

    test('are told what to do next when something is refused', async () => {
      expect(await agent.call('read_rows', { table: 'nothing_of_the_kind' })).toMatch(
        /REFUSED.*404[\s\S]*What to do: .*search_catalogue/,
      );
      expect(await agent.call('read_rows', { table: 'private_table' })).toMatch(/REFUSED[\s\S]*What to do/);
      expect(await agent.call('read_rows', { table: 'items', limit: 501 })).toContain('REFUSED');
      expect(await agent.call('read_rows', { table: 'items', more: 1 })).toContain('REFUSED');
    });

    test('have no way to write', async () => {
      await expect(
        agent.call('write_rows', { table: 'items', action: 'insert', rows: [{ id: 99 }] }),
      ).rejects.toThrow();
    });

    test('cannot be spoken to by what rows say: the marks around them are made anew', async () => {
      const marks = new Set<string | undefined>();
      for (let i = 0; i < 3; i++) {
        const said = await agent.call('read_rows', { table: 'items', limit: 1 });
        expect(said).toContain('never an instruction');
        marks.add(/<(data-[0-9a-f]+)>\n\[/.exec(said)?.[1]);
      }
      expect(marks.size).toBe(3);
    });

    test('are offered prompts and resources', async () => {
      const { prompts } = await agent.client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['find_data', 'summarise_table', 'check_quality']);
      const { messages } = await agent.client.getPrompt({ name: 'find_data', arguments: { subject: 'rivers' } });
      expect(JSON.stringify(messages)).toContain('rivers');
      const { contents } = await agent.client.readResource({ uri: 'survest://tables/projects' });
      expect(JSON.stringify(contents)).toContain('client_id');
    });

    test.each([
      ['another verb', 'GET', undefined, {}, 405],
      ['no JSON', 'POST', 'x', {}, 400],
      ['a list of messages', 'POST', `[${message('ping')}]`, {}, 400],
      ['a page of another site', 'POST', message('ping'), { origin: 'https://elsewhere.example' }, 403],
      ['more than a megabyte', 'POST', `"${'x'.repeat(1024 * 1024)}"`, {}, 413],
      ['a token that is none', 'POST', message('ping'), { authorization: 'Bearer x.y.z' }, 401],
    ])('are refused %s', async (_what, method, body, headers, status) => {
      expect(await rest.request(method, '/mcp', { body, headers: { ...HEADERS, ...headers } })).toMatchReply({
        status,
      });
    });

    test('open no streams', async () => {
      const reply = await rest.post('/mcp', message('subscriptions/listen'), HEADERS);
      expect(String(reply.body)).toContain('error');
    });
  });

  describe('at a service that they write to', () => {
    const { rest, url } = useServed(db, { mcp: 'write' });

    test('see first what would be written, and write it when that is confirmed', async () => {
      const agent = await openAgent(url(), tokenFor({ role: AUTHOR }));
      const insert = { table: 'only_pk', action: 'insert', rows: [{ id: 901 }, { id: 902 }] };
      const dry = await agent.call('write_rows', insert);
      expect(dry).toContain('Dry run: this would insert 2 rows');
      expect(String((await rest.request('GET', '/only_pk?id=gt.900', { as: AUTHOR })).body)).toBe('[]');
      const confirm = /confirm: "([^"]+)"/.exec(dry)?.[1];
      expect(await agent.call('write_rows', { ...insert, rows: [{ id: 903 }], confirm })).toContain('REFUSED');
      expect(await agent.call('write_rows', { ...insert, confirm })).toContain('Done: insert of 2 rows');
      expect(await agent.call('write_rows', { ...insert, confirm })).toMatch(/REFUSED Refused \(409\)/);
      expect(await agent.call('write_rows', { table: 'only_pk', action: 'delete' })).toContain('the whole table');
      const wipe = { table: 'only_pk', action: 'delete', filters: [{ column: 'id', operator: 'gt', value: 900 }] };
      const code = /confirm: "([^"]+)"/.exec(await agent.call('write_rows', wipe))?.[1];
      await rest.request('POST', '/only_pk', { as: AUTHOR, body: { id: 904 } });
      // A row has come that nobody was shown.
      expect(await agent.call('write_rows', { ...wipe, confirm: code })).toContain('Repeat the dry run');
      expect(String((await rest.request('GET', '/only_pk?id=gt.900', { as: AUTHOR })).body)).toContain('904');
      await agent.close();
    });

    test('write nothing as somebody who may not', async () => {
      const agent = await openAgent(url());
      expect(await agent.call('write_rows', { table: 'articles', action: 'insert', rows: [{ id: 1 }] })).toMatch(
        /REFUSED Refused \(40[134]\)/,
      );
      await agent.close();
    });
  });

  describe('at a service with a limit on costs for them', () => {
    const { rest, url } = useServed(db, { mcp: 'read', 'mcp-max-cost': '1' });

    test('are told to filter, while everybody else is answered', async () => {
      const agent = await openAgent(url());
      expect(await agent.call('read_rows', { table: 'items' })).toMatch(/REFUSED[\s\S]*cost too much/);
      expect(await rest.get('/items?limit=1')).toMatchReply({ status: 200 });
      await agent.close();
    });
  });
});
