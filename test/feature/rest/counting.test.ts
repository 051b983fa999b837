// Totals: exact, planned and estimated, and the status that follows from them.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('totals', { fixtures: REST_FIXTURE }, (db) => {
  const EXACT = { prefer: 'count=exact' };

  describe('exact', () => {
    const rest = useRest(db);

    test.each([
      ['all rows', '/items', 200, '0-14/15'],
      ['a page', '/items?limit=3&offset=2', 206, '2-4/15'],
      ['the last page', '/items?limit=3&offset=12', 206, '12-14/15'],
      ['no row wanted', '/items?limit=0', 206, '*/15'],
      ['just past the end', '/items?offset=15', 206, '*/15'],
      ['no rows at all', '/items?id=eq.0', 200, '*/0'],
      ['no rows at all, from the start', '/empty_table?offset=0', 200, '*/0'],
      ['filtered', '/items?id=gt.5&limit=2', 206, '0-1/10'],
      ['logic', '/items?or=(id.eq.1,id.eq.2)', 200, '0-1/2'],
      ['a view', '/projects_view?limit=1', 206, '0-0/5'],
      ['a materialized view', '/materialized_projects?limit=1', 206, '0-0/5'],
      ['a partitioned table', '/car_models?limit=1', 206, '0-0/3'],
      ['with an embed', '/clients?select=id,projects(id)&limit=1', 206, '0-0/3'],
      ['with a filtered embed', '/clients?select=id,projects(id)&projects.id=eq.1', 200, '0-2/3'],
      ['with an inner embed', '/clients?select=id,projects!inner(id)', 200, '0-1/2'],
      ['with a filtered inner embed', '/clients?select=id,projects!inner(id)&projects.id=eq.1', 200, '0-0/1'],
      [
        'with an inner embed two levels down',
        '/clients?select=id,projects!inner(id,tasks!inner(id))&projects.tasks.id=eq.3',
        200,
        '0-0/1',
      ],
      [
        'with an inner embed many to many',
        '/users?select=id,tasks!inner(id)&tasks.id=in.(1,2,3)&limit=1',
        206,
        '0-0/2',
      ],
      [
        'with an inner computed embed',
        '/designers?select=id,computed_videogames!inner(id)&computed_videogames.id=eq.1',
        200,
        '0-0/1',
      ],
      ['with an inner spread', '/projects?select=id,...clients!inner(client:name)', 200, '0-3/4'],
      ['with an anti-join', '/clients?select=id,projects()&projects=is.null', 200, '0-0/1'],
      ['with a semi-join', '/clients?select=id,projects()&projects=not.is.null', 200, '0-1/2'],
      [
        'with null tests in a group',
        '/projects?select=id,clients(),tasks()&or=(clients.is.null,tasks.not.is.null)&limit=1',
        206,
        '0-0/5',
      ],
    ])('%s', async (_, target, status, range) => {
      expect(await rest.get(target, EXACT)).toMatchReply({
        status,
        headers: { 'content-range': range, 'preference-applied': 'count=exact', 'range-unit': 'items' },
      });
      expect(await rest.head(target, EXACT)).toMatchReply({
        status,
        headers: { 'content-range': range, 'preference-applied': 'count=exact', 'content-length': null },
        text: '',
      });
    });

    test('with a Range header', async () => {
      expect(await rest.get('/items?order=id', { ...EXACT, range: '13-20' })).toMatchReply({
        status: 206,
        headers: { 'content-range': '13-14/15' },
        json: ids(14, 15),
      });
    });

    test('an offset beyond it', async () => {
      const body = problem(
        'SVRST103',
        'Requested range not satisfiable',
        'An offset of 100 was requested, but there are only 15 rows.',
      );
      const reply = await rest.get('/items?offset=100', EXACT);
      expect(reply).toMatchReply({
        status: 416,
        headers: {
          'content-range': '*/15',
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(reply.body.length),
          'proxy-status': 'Survest; error=SVRST103',
        },
        json: body,
      });
      expect(await rest.get('/items', { ...EXACT, range: '100-200' })).toMatchReply({ status: 416, json: body });
      expect(await rest.head('/items?offset=100', EXACT)).toMatchReply({
        status: 416,
        headers: { 'content-range': '*/15', 'proxy-status': 'Survest; error=SVRST103' },
        text: '',
      });
    });

    test('of functions', async () => {
      expect(await rest.get('/rpc/getallprojects?limit=2', EXACT)).toMatchReply({
        status: 206,
        headers: { 'content-range': '0-1/5', 'preference-applied': 'count=exact' },
      });
      expect(await rest.get('/rpc/getallprojects?id=eq.1', EXACT)).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-0/1' },
      });
      expect(await rest.get('/rpc/add_them?a=1&b=2', EXACT)).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-0/1' },
        text: '3',
      });
    });

    test('an empty table with an offset', async () => {
      expect(await rest.get('/empty_table?offset=1', EXACT)).toMatchReply({
        status: 416,
        headers: { 'content-range': '*/0' },
        json: problem(
          'SVRST103',
          'Requested range not satisfiable',
          'An offset of 1 was requested, but there are only 0 rows.',
        ),
      });
    });
  });

  describe('planned', () => {
    const rest = useRest(db);
    const PLANNED = { prefer: 'count=planned' };

    test('is what the planner thinks', async () => {
      expect(await rest.get('/items?limit=2', PLANNED)).toMatchReply({
        status: 206,
        headers: { 'content-range': '0-1/15', 'preference-applied': 'count=planned' },
      });
      expect(await rest.head('/items?limit=2&offset=3', PLANNED)).toMatchReply({
        status: 206,
        headers: { 'content-range': '3-4/15', 'content-length': null },
      });
    });

    test('may be wrong, and the status follows it', async () => {
      const reply = await rest.get('/items?id=in.(1,100,200)', PLANNED);
      const total = Number(headerOf(reply, 'content-range')?.split('/')[1]);
      expect(total).toBeGreaterThan(1);
      expect(reply).toMatchReply({ status: 206, json: ids(1) });
    });

    test('leaves a function without a total, but is echoed', async () => {
      expect(await rest.get('/rpc/getallprojects?limit=2', PLANNED)).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-1/*', 'preference-applied': 'count=planned' },
      });
    });
  });

  describe('estimated', () => {
    const ESTIMATED = { prefer: 'count=estimated' };

    describe('without a cap', () => {
      const rest = useRest(db);
      test('is the larger of exact and planned', async () => {
        expect(await rest.get('/items?limit=2', ESTIMATED)).toMatchReply({
          status: 206,
          headers: { 'content-range': '0-1/15', 'preference-applied': 'count=estimated' },
        });
        const reply = await rest.get('/items?id=in.(1,100,200)', ESTIMATED);
        expect(Number(headerOf(reply, 'content-range')?.split('/')[1])).toBeGreaterThan(1);
      });
    });

    describe('with a cap', () => {
      const rest = useRest(db, { 'db-max-rows': '5' });
      test.each([
        ['exact below the cap', '/items?id=lt.3', 200, '0-1/2'],
        ['exact at the cap', '/items?id=lte.5', 200, '0-4/5'],
        ['planned above it', '/items', 206, '0-4/15'],
        ['planned above it, on a page', '/items?limit=2&offset=4', 206, '4-5/15'],
      ])('%s', async (_, target, status, range) => {
        expect(await rest.get(target, ESTIMATED)).toMatchReply({ status, headers: { 'content-range': range } });
      });

      test('a planned total that is too small gives way to what was counted, one past the cap', async () => {
        // Of an expression the planner knows nothing: it takes a third of the rows.
        expect(await rest.get('/items?anti_id=lt.0', ESTIMATED)).toMatchReply({
          status: 206,
          headers: { 'content-range': '0-4/6' },
        });
      });
    });
  });

  describe('not asked for', () => {
    const rest = useRest(db);
    test.each([{}, { prefer: 'count=none' }, { prefer: 'count=EXACT' }, { prefer: 'count' }])('%j', async (headers) => {
      expect(await rest.get('/items?limit=2', headers)).toMatchReply({
        status: 200,
        headers: { 'content-range': '0-1/*', 'preference-applied': null },
      });
    });
  });
});
