// In which order: by own columns, by columns of a to-one embed, and inside embeds.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('order', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('by own columns', () => {
    test.each([
      ['ascending by default', '/chores?order=name', [3, 1, 2]],
      ['asc', '/chores?order=name.asc', [3, 1, 2]],
      ['desc', '/chores?order=name.desc', [2, 1, 3]],
      ['nulls last when ascending', '/chores?order=done', [2, 1, 3]],
      ['nulls first when descending', '/chores?order=done.desc', [3, 1, 2]],
      ['nullsfirst', '/chores?order=done.nullsfirst', [3, 2, 1]],
      ['nullslast', '/chores?order=done.desc.nullslast', [1, 2, 3]],
      ['asc.nullsfirst', '/chores?order=done.asc.nullsfirst', [3, 2, 1]],
      ['several', '/projects?order=client_id.desc.nullslast,name.asc', [3, 4, 2, 1, 5]],
      ['with blanks', '/projects?order=%20client_id.desc.nullslast%20,%20name%20', [3, 4, 2, 1, 5]],
      ['a column that is not selected', '/villagers?order=last_name.desc', [4, 1, 2, 3, 5]],
      ['a computed column', '/items?order=anti_id&limit=2', [15, 14]],
      ['a quoted column', '/odd_columns?order="order".desc', [2, 1]],
      ['a column called order', '/odd_columns?order=order.desc', [2, 1]],
      ['a JSON path', '/jsonb_test?order=data->>id.desc.nullslast,id&limit=2', [2, 1]],
      ['the first of several parameters', '/items?order=id.desc&order=id.asc&limit=2', [15, 14]],
    ])('%s', async (_, target, expected) => {
      expect(await rest.get(`${target}&select=id`)).toMatchReply({ status: 200, json: ids(...expected) });
    });
  });

  describe('by a column of a to-one embed', () => {
    test('many to one', async () => {
      expect(
        await rest.get('/projects?select=name,clients(name)&order=clients(name).desc.nullslast,name'),
      ).toMatchReply({
        status: 200,
        json: [
          { name: 'Lighthouse', clients: { name: 'Harbour Office' } },
          { name: 'Quay Wall', clients: { name: 'Harbour Office' } },
          { name: 'Painted Ceiling', clients: { name: 'City Museum' } },
          { name: 'Roof', clients: { name: 'City Museum' } },
          { name: 'Orphan', clients: null },
        ],
      });
    });

    test.each([
      ['nulls first', '/projects?select=id,clients()&order=clients(id).nullsfirst,id', [5, 1, 2, 3, 4]],
      ['one that is not shown', '/projects?select=id,clients()&order=clients(name),id', [3, 4, 1, 2, 5]],
      ['one to one', '/trash?select=id,trash_details()&order=trash_details(jsonb_col->key)', [2, 3, 1]],
      ['computed', '/videogames?select=id,computed_designers()&order=computed_designers(name),id', [3, 4, 1, 2]],
      ['by alias', '/projects?select=id,c:clients()&order=c(name),id', [3, 4, 1, 2, 5]],
      [
        'of two keys to one table',
        '/message?select=id,s:person!sender(),r:person!recipient()&order=s(name).desc,r(name),id',
        [4, 1, 3, 2],
      ],
    ])('%s', async (_, target, expected) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json: ids(...expected) });
    });

    test('of a spread, by the names it shows', async () => {
      const target = '/processes?select=id,...process_costs(price:cost)&order=process_costs(price).desc.nullslast';
      expect(await rest.get(target)).toMatchReply({
        json: [
          { id: 2, price: 200 },
          { id: 3, price: 180 },
          { id: 1, price: 150 },
          { id: 4, price: null },
        ],
      });
    });

    test('of a spread, by the value it shows', async () => {
      const target = '/projects?select=id,...clients(key:id::text)&order=clients(key).desc.nullslast,id&limit=1';
      expect(await rest.get(target)).toMatchReply({ json: [{ id: 3, key: '2' }] });
    });

    test('of a filtered embed: rows that it does not show have no value', async () => {
      const target = '/projects?select=id,clients(id)&clients.id=eq.2&order=clients(id).nullsfirst,id';
      expect(await rest.get(target)).toMatchReply({
        json: [
          { id: 1, clients: null },
          { id: 2, clients: null },
          { id: 5, clients: null },
          { id: 3, clients: { id: 2 } },
          { id: 4, clients: { id: 2 } },
        ],
      });
    });

    test('with a count and a page', async () => {
      const reply = await rest.get('/projects?select=id,clients()&order=clients(name),id&limit=2&offset=1', {
        prefer: 'count=exact',
      });
      expect(reply).toMatchReply({ status: 206, headers: { 'content-range': '1-2/5' }, json: ids(4, 1) });
    });

    test.each([
      ['/clients?select=*,projects(*)&order=projects(id)', 'clients', 'projects'],
      ['/users?select=*,tasks(*)&order=tasks(id)', 'users', 'tasks'],
      ['/clients?select=*,p:projects(*)&order=p(id)', 'clients', 'p'],
      [
        '/designers?select=id,computed_videogames(id)&order=computed_videogames(id)',
        'designers',
        'computed_videogames',
      ],
      ['/tasks?select=id,projects(id,tasks(id))&projects.order=tasks(id)', 'projects', 'tasks'],
    ])('%s is not possible', async (target, origin, name) => {
      expect(await rest.get(target)).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=SVRST118' },
        json: problem(
          'SVRST118',
          `A related order on '${name}' is not possible`,
          `'${origin}' and '${name}' do not form a many-to-one or one-to-one relationship`,
        ),
      });
    });

    test.each([
      ['/projects?select=id&order=clients(id)', 'clients'],
      ['/projects?select=id,c:clients(id)&order=clients(id)', 'clients'],
      ['/tasks?select=id,projects(id)&order=clients(id)', 'clients'],
      ['/tasks?select=id,projects(id,clients(id))&order=clients(id)', 'clients'],
    ])('%s: it is not embedded there', async (target, name) => {
      expect(await rest.get(target)).toMatchReply({
        status: 400,
        json: problem(
          'SVRST108',
          `'${name}' is not an embedded resource in this request`,
          null,
          `Verify that '${name}' is included in the 'select' query parameter.`,
        ),
      });
    });
  });

  describe('inside embeds', () => {
    test('by own columns, on two levels', async () => {
      const target =
        '/clients?id=eq.1&select=id,projects(id,tasks(id))&projects.order=name&projects.tasks.order=id.desc';
      expect(await rest.get(target)).toMatchReply({
        json: [
          {
            id: 1,
            projects: [
              { id: 2, tasks: ids(4, 3) },
              { id: 1, tasks: ids(2, 1) },
            ],
          },
        ],
      });
    });

    test('by alias', async () => {
      expect(await rest.get('/clients?id=eq.1&select=p:projects(id)&p.order=id.desc')).toMatchReply({
        json: [{ p: ids(2, 1) }],
      });
    });

    test('by a column of a to-one embed', async () => {
      const target = '/users?id=eq.3&select=id,tasks(id,projects(name))&tasks.order=projects(name).asc';
      expect(await rest.get(target)).toMatchReply({
        json: [
          {
            id: 3,
            tasks: [
              { id: 5, projects: { name: 'Painted Ceiling' } },
              { id: 1, projects: { name: 'Quay Wall' } },
            ],
          },
        ],
      });
    });

    test('of a to-one embed it changes nothing', async () => {
      expect(await rest.get('/projects?id=eq.1&select=id,clients(id)&clients.order=name.desc')).toMatchReply({
        json: [{ id: 1, clients: { id: 1 } }],
      });
    });

    test('of what is not embedded', async () => {
      expect(await rest.get('/clients?select=id&projects.order=id')).toMatchReply({
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

  describe('what is no order', () => {
    const SUFFIX = '"asc", "desc", "nullsfirst" or "nullslast"';
    test.each([
      ['id.asc.nullslasttt', 17, `unexpected 't' expecting "," or end of input`],
      ['id.ac', 4, `unexpected "c" expecting ${SUFFIX}`],
      ['id.descc', 8, `unexpected 'c' expecting delimiter (.), "," or end of input`],
      ['id.asc.nlsfst', 8, 'unexpected "l" expecting "nullsfirst" or "nullslast"'],
      ['id.nulsfist', 4, `unexpected "n" expecting ${SUFFIX}`],
      ['id.smth34', 4, `unexpected "s" expecting ${SUFFIX}`],
      ['', 1, 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
      ['id.asc,', 8, 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ])('"%s"', async (order, column, details) => {
      expect(await rest.get(`/items?order=${order}`)).toMatchReply({
        status: 400,
        json: problem('SVRST100', `"failed to parse order (${order})" (line 1, column ${column})`, details),
      });
    });

    test('a column that is not there', async () => {
      expect(await rest.get('/items?order=nope')).toMatchReply({
        status: 400,
        json: problem('42703', 'column items.nope does not exist'),
      });
    });
  });
});
