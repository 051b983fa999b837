// Pages: limit and offset, the Range header, and the cap that the operator sets.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

const LIMIT = 'Limit should be greater than or equal to zero.';
const CROSSED = 'The lower boundary must be lower than or equal to the upper boundary in the Range header.';

onEachEngine('pages', { fixtures: REST_FIXTURE }, (db) => {
  describe('without a cap', () => {
    const rest = useRest(db);

    describe('by limit and offset', () => {
      test.each([
        ['limit=3', '0-2/*', [1, 2, 3]],
        ['limit=3&offset=2', '2-4/*', [3, 4, 5]],
        ['offset=13', '13-14/*', [14, 15]],
        ['limit=5&offset=13', '13-14/*', [14, 15]],
        ['offset=0&limit=1', '0-0/*', [1]],
        ['offset=15', '*/*', []],
        ['offset=100', '*/*', []],
        ['limit=0', '*/*', []],
        ['limit=0&offset=3', '*/*', []],
        ['offset=-5&limit=2', '0-1/*', [1, 2]],
        ['limit=1&limit=2', '0-1/*', [1, 2]],
        ['limit=2&offset=1&offset=3', '3-4/*', [4, 5]],
        ['limit=abc&id=lt.3', '0-1/*', [1, 2]],
        ['offset=abc&id=lt.3', '0-1/*', [1, 2]],
        ['limit=&id=lt.3', '0-1/*', [1, 2]],
        ['limit=99999999999999999999&offset=13', '13-14/*', [14, 15]],
        ['offset=99999999999999999999', '*/*', []],
      ])('%s', async (query, range, expected) => {
        expect(await rest.get(`/items?order=id&${query}`)).toMatchReply({
          status: 200,
          headers: { 'content-range': range, 'range-unit': 'items' },
          json: ids(...expected),
        });
      });

      test.each(['limit=-1', 'limit=-1&offset=5', 'limit=abc&offset=1'])('%s', async (query) => {
        expect(await rest.get(`/items?${query}`)).toMatchReply({
          status: 416,
          headers: { 'proxy-status': 'Survest; error=SVRST103', 'content-range': '*/*', 'range-unit': 'items' },
          json: problem('SVRST103', 'Requested range not satisfiable', LIMIT),
        });
      });
    });

    describe('by the Range header', () => {
      test.each([
        ['0-1', '0-1/*', [1, 2]],
        ['0-0', '0-0/*', [1]],
        ['5-6', '5-6/*', [6, 7]],
        ['13-', '13-14/*', [14, 15]],
        ['13-99', '13-14/*', [14, 15]],
        ['100-200', '*/*', []],
      ])('%s', async (range, shown, expected) => {
        expect(await rest.get('/items?order=id', { 'range-unit': 'items', range })).toMatchReply({
          status: 200,
          headers: { 'content-range': shown },
          json: ids(...expected),
        });
      });

      test('counts without its unit', async () => {
        expect(await rest.get('/items?order=id', { range: '0-1' })).toMatchReply({ json: ids(1, 2) });
      });

      test.each(['items=0-9', 'bytes=0-9', '-5', 'a-b', '0-1,3-4', '', '0'])(
        '"%s" is no range of rows',
        async (range) => {
          expect(await rest.get('/items', { range })).toMatchReply({
            status: 200,
            headers: { 'content-range': '0-14/*' },
          });
        },
      );

      test('that ends before it begins', async () => {
        expect(await rest.get('/items', { range: '1-0' })).toMatchReply({
          status: 416,
          headers: { 'proxy-status': 'Survest; error=SVRST103' },
          json: problem('SVRST103', 'Requested range not satisfiable', CROSSED),
        });
      });

      test.each([
        ['limit=3', '0-1', '0-1/*', [1, 2]],
        ['limit=1', '0-4', '0-0/*', [1]],
        ['limit=3&offset=1', '0-1', '1-1/*', [2]],
        ['offset=3', '0-4', '3-4/*', [4, 5]],
        ['limit=0', '5-9', '*/*', []],
      ])('with %s, both count: %s', async (query, range, shown, expected) => {
        expect(await rest.get(`/items?order=id&${query}`, { range })).toMatchReply({
          status: 200,
          headers: { 'content-range': shown },
          json: ids(...expected),
        });
      });

      test('with a limit that leaves nothing of it', async () => {
        expect(await rest.get('/items?limit=3&offset=10', { range: '0-1' })).toMatchReply({
          status: 416,
          json: problem('SVRST103', 'Requested range not satisfiable', LIMIT),
        });
      });

      test('counts for GET of a function, too', async () => {
        expect(await rest.get('/rpc/getallprojects?select=id', { range: '1-2' })).toMatchReply({
          status: 200,
          headers: { 'content-range': '1-2/*' },
          json: ids(2, 3),
        });
      });

      test.each([
        ['HEAD', '/items', '0-14/*'],
        ['POST', '/rpc/getallprojects', '0-4/*'],
      ])('means nothing to %s', async (method, target, shown) => {
        for (const range of ['0-1', '1-0']) {
          const reply = await rest.request(method, target, { headers: { range } });
          expect([reply.status, headerOf(reply, 'content-range')]).toEqual([200, shown]);
        }
      });
    });

    describe('of embeds', () => {
      test.each([
        ['projects.limit=1', [[1], [3], []]],
        ['projects.limit=1&projects.offset=1', [[2], [4], []]],
        ['projects.offset=1', [[2], [4], []]],
        ['projects.limit=0', [[], [], []]],
        ['projects.limit=x', [[1, 2], [3, 4], []]],
      ])('%s', async (query, expected) => {
        const target = `/clients?select=id,projects(id)&order=id&projects.order=id&${query}`;
        expect(await rest.get(target)).toMatchReply({
          status: 200,
          headers: { 'content-range': '0-2/*' },
          json: expected.map((projects, i) => ({ id: i + 1, projects: ids(...projects) })),
        });
      });

      test('on two levels', async () => {
        const target =
          '/clients?id=eq.1&select=id,projects(id,tasks(id))&projects.order=id&projects.tasks.order=id&projects.limit=1&projects.tasks.limit=1&projects.tasks.offset=1';
        expect(await rest.get(target)).toMatchReply({ json: [{ id: 1, projects: [{ id: 1, tasks: ids(2) }] }] });
      });

      test('by alias', async () => {
        const target = '/clients?id=eq.1&select=p:projects(id)&p.order=id.desc&p.limit=1';
        expect(await rest.get(target)).toMatchReply({ json: [{ p: ids(2) }] });
      });

      test('to one: past its only row there is none', async () => {
        expect(await rest.get('/projects?id=eq.1&select=id,clients(id)&clients.offset=1')).toMatchReply({
          json: [{ id: 1, clients: null }],
        });
      });

      test('with a negative limit', async () => {
        expect(await rest.get('/clients?select=id,projects(id)&projects.limit=-1')).toMatchReply({
          status: 416,
          json: problem('SVRST103', 'Requested range not satisfiable', LIMIT),
        });
      });

      test('that are not there', async () => {
        expect(await rest.get('/clients?select=id&projects.limit=1')).toMatchReply({
          status: 400,
          json: problem(
            'SVRST108',
            "'projects' is not an embedded resource in this request",
            null,
            "Verify that 'projects' is included in the 'select' query parameter.",
          ),
        });
      });
    });

    test('many to many', async () => {
      const target = '/users?select=id,tasks(id)&order=id&tasks.order=id&tasks.limit=1&tasks.offset=1';
      expect(await rest.get(target)).toMatchReply({
        json: [
          { id: 1, tasks: ids(2) },
          { id: 2, tasks: ids(6) },
          { id: 3, tasks: ids(5) },
        ],
      });
    });
  });

  describe('with a cap of two rows', () => {
    const rest = useRest(db, { 'db-max-rows': '2' });

    test.each([
      ['nothing asked', '', '0-1/*', [1, 2]],
      ['less asked', '&limit=1', '0-0/*', [1]],
      ['more asked', '&limit=9', '0-1/*', [1, 2]],
      ['from the end', '&offset=14', '14-14/*', [15]],
      ['nothing wanted', '&limit=0', '*/*', []],
    ])('%s', async (_, query, range, expected) => {
      expect(await rest.get(`/items?order=id${query}`)).toMatchReply({
        status: 200,
        headers: { 'content-range': range },
        json: ids(...expected),
      });
    });

    test('the Range header', async () => {
      expect(await rest.get('/items?order=id', { range: '3-9' })).toMatchReply({
        status: 200,
        headers: { 'content-range': '3-4/*' },
        json: ids(4, 5),
      });
    });

    test('HEAD', async () => {
      expect(await rest.head('/items')).toMatchReply({ status: 200, headers: { 'content-range': '0-1/*' }, text: '' });
    });

    test('a known total says that there is more', async () => {
      expect(await rest.get('/items?order=id', { prefer: 'count=exact' })).toMatchReply({
        status: 206,
        headers: { 'content-range': '0-1/15' },
        json: ids(1, 2),
      });
    });

    test('every embed', async () => {
      const target = '/users?id=eq.1&select=id,tasks(id)&tasks.order=id';
      expect(await rest.get(target)).toMatchReply({ json: [{ id: 1, tasks: ids(1, 2) }] });
      expect(await rest.get(`${target}&tasks.limit=1`)).toMatchReply({ json: [{ id: 1, tasks: ids(1) }] });
      expect(await rest.get(`${target}&tasks.limit=3`)).toMatchReply({ json: [{ id: 1, tasks: ids(1, 2) }] });
    });

    test('an embed to one stays one', async () => {
      expect(await rest.get('/tasks?select=id,projects(id,clients(id))&limit=1&order=id')).toMatchReply({
        json: [{ id: 1, projects: { id: 1, clients: { id: 1 } } }],
      });
    });

    test('spreads', async () => {
      expect(await rest.get('/users?id=eq.1&select=id,...tasks(task:id)&tasks.order=id')).toMatchReply({
        json: [{ id: 1, task: [1, 2] }],
      });
    });

    test('results of functions', async () => {
      expect(await rest.get('/rpc/getallprojects?select=id')).toMatchReply({
        headers: { 'content-range': '0-1/*' },
        json: ids(1, 2),
      });
    });
  });
});
