// Conditions on embedded rows, and what they do to the rows around them.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('filters on embeds', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('without !inner, no parent goes', () => {
    test.each<[string, string, unknown]>([
      [
        'to many',
        '/clients?select=id,projects(id)&projects.id=eq.1&order=id',
        [
          { id: 1, projects: ids(1) },
          { id: 2, projects: [] },
          { id: 3, projects: [] },
        ],
      ],
      [
        'to one',
        '/projects?select=id,clients(id)&clients.id=eq.2&id=in.(1,3)&order=id',
        [
          { id: 1, clients: null },
          { id: 3, clients: { id: 2 } },
        ],
      ],
      [
        'many to many',
        '/users?select=id,projects(id)&projects.name=eq.Roof&order=id',
        [
          { id: 1, projects: [] },
          { id: 2, projects: ids(4) },
          { id: 3, projects: [] },
        ],
      ],
      [
        'said with !left',
        '/clients?select=id,projects!left(id)&projects.id=eq.1&id=lt.3&order=id',
        [
          { id: 1, projects: ids(1) },
          { id: 2, projects: [] },
        ],
      ],
      [
        'two levels down',
        '/clients?select=id,projects(id,tasks(id))&projects.tasks.id=eq.1&id=eq.1&projects.order=id',
        [
          {
            id: 1,
            projects: [
              { id: 1, tasks: ids(1) },
              { id: 2, tasks: [] },
            ],
          },
        ],
      ],
      ['by alias', '/clients?select=id,p:projects(id)&p.id=eq.1&id=eq.1', [{ id: 1, p: ids(1) }]],
      [
        'by table name although aliased',
        '/clients?select=id,p:projects(id)&projects.id=eq.1&id=eq.1',
        [{ id: 1, p: ids(1) }],
      ],
      [
        'by a quoted alias',
        '/clients?select=id,"the.work":projects(id)&"the.work".id=eq.1&id=eq.1',
        [{ id: 1, 'the.work': ids(1) }],
      ],
      [
        'of one table twice',
        '/clients?select=id,a:projects(id),b:projects(id)&a.id=eq.1&b.id=eq.2&id=eq.1',
        [{ id: 1, a: ids(1), b: ids(2) }],
      ],
      [
        'several, all of which count',
        '/clients?select=id,projects(id)&projects.id=gt.1&projects.name=like.L*&id=eq.1',
        [{ id: 1, projects: ids(2) }],
      ],
      [
        'by a column that is not shown',
        '/clients?select=id,projects(id)&projects.name=eq.Lighthouse&id=eq.1',
        [{ id: 1, projects: ids(2) }],
      ],
      [
        'by a JSON path',
        '/projects?select=id,invoices(id)&invoices.details->>paid=eq.true&id=eq.1',
        [{ id: 1, invoices: ids(1) }],
      ],
      [
        'by any operator',
        '/clients?select=id,projects(id)&projects.id=in.(2,3)&order=id',
        [
          { id: 1, projects: ids(2) },
          { id: 2, projects: ids(3) },
          { id: 3, projects: [] },
        ],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });
  });

  describe('with !inner, parents without a row go', () => {
    test.each<[string, string, unknown]>([
      ['to many', '/clients?select=id,projects!inner(id)&projects.id=eq.1', [{ id: 1, projects: ids(1) }]],
      ['to many, unfiltered', '/clients?select=id,projects!inner()&order=id', ids(1, 2)],
      [
        'to one',
        '/projects?select=id,clients!inner(id)&clients.id=eq.2&order=id',
        [
          { id: 3, clients: { id: 2 } },
          { id: 4, clients: { id: 2 } },
        ],
      ],
      ['to one, unfiltered', '/projects?select=id,clients!inner()&order=id', ids(1, 2, 3, 4)],
      ['many to many', '/users?select=id,projects!inner(id)&projects.name=eq.Roof', [{ id: 2, projects: ids(4) }]],
      [
        'one to one',
        '/organizations?select=id,managers!inner(id)&managers.name=like.Acme*',
        [{ id: 3, managers: { id: 3 } }],
      ],
      [
        'only on its own level: the child is cut, the parent stays',
        '/clients?select=id,projects(id,tasks!inner(id))&projects.tasks.id=eq.3&order=id',
        [
          { id: 1, projects: [{ id: 2, tasks: ids(3) }] },
          { id: 2, projects: [] },
          { id: 3, projects: [] },
        ],
      ],
      [
        'only on its own level, to one',
        '/tasks?select=id,projects(id,clients!inner(id))&projects.clients.id=eq.1&id=in.(1,5)&order=id',
        [
          { id: 1, projects: { id: 1, clients: { id: 1 } } },
          { id: 5, projects: null },
        ],
      ],
      [
        'on every level',
        '/clients?select=id,projects!inner(id,tasks!inner(id))&projects.tasks.id=eq.3',
        [{ id: 1, projects: [{ id: 2, tasks: ids(3) }] }],
      ],
      [
        'on every level, to one',
        '/tasks?select=id,projects!inner(id,clients!inner(id))&projects.clients.id=eq.2&order=id&limit=1',
        [{ id: 5, projects: { id: 3, clients: { id: 2 } } }],
      ],
      [
        'of two embeds',
        '/projects?select=id,clients!inner(),tasks!inner()&clients.id=eq.1&tasks.name=like.Survey*&order=id',
        ids(1, 2),
      ],
      ['by alias', '/clients?select=id,p:projects!inner(id)&p.id=eq.1', [{ id: 1, p: ids(1) }]],
      [
        'with logic',
        '/clients?select=id,projects!inner(id)&projects.or=(id.eq.1,id.eq.2)&projects.order=id',
        [{ id: 1, projects: ids(1, 2) }],
      ],
      [
        'with a limit, after which the parents are judged',
        '/clients?select=id,projects!inner(id)&projects.limit=1&projects.order=id&order=id',
        [
          { id: 1, projects: ids(1) },
          { id: 2, projects: ids(3) },
        ],
      ],
      ['with a limit of none', '/clients?select=id,projects!inner(id)&projects.limit=0', []],
      [
        'to itself',
        '/web_content?select=id,web_content!inner(id)&web_content.name=eq.foo',
        [{ id: 3, web_content: ids(4) }],
      ],
      [
        'with a filter on both',
        '/clients?select=id,projects!inner(id)&projects.id=lt.4&id=eq.2',
        [{ id: 2, projects: ids(3) }],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });
  });

  describe('tests for having a row', () => {
    test.each<[string, string, unknown]>([
      ['none, to many', '/clients?select=id,projects()&projects=is.null', ids(3)],
      ['some, to many', '/clients?select=id,projects()&projects=not.is.null&order=id', ids(1, 2)],
      ['none, to one', '/projects?select=id,clients()&clients=is.null', ids(5)],
      ['some, to one', '/projects?select=id,clients()&clients=not.is.null&order=id', ids(1, 2, 3, 4)],
      ['none, many to many', '/tasks?select=id,users()&users=is.null', ids(8)],
      ['none, computed', '/clients?select=id,latest()&latest=is.null', ids(3)],
      ['shown', '/clients?select=id,projects(id)&projects=is.null', [{ id: 3, projects: [] }]],
      ['by alias', '/clients?select=id,p:projects()&p=is.null', ids(3)],
      [
        'of a filtered embed',
        '/clients?select=id,projects()&projects.name=eq.Roof&projects=is.null&order=id',
        ids(1, 3),
      ],
      ['some of a filtered embed', '/clients?select=id,projects()&projects.name=eq.Roof&projects=not.is.null', ids(2)],
      [
        'inside an embed',
        '/clients?select=id,projects(id,tasks())&projects.tasks=is.null&id=eq.1',
        [{ id: 1, projects: [] }],
      ],
      [
        'inside an embed that counts',
        '/clients?select=id,projects(id,tasks())&projects.tasks=not.is.null&projects=not.is.null&projects.order=id&id=eq.1',
        [{ id: 1, projects: ids(1, 2) }],
      ],
      [
        'or',
        '/projects?select=id,clients(),tasks()&or=(clients.is.null,tasks.not.is.null)&order=id',
        ids(1, 2, 3, 4, 5),
      ],
      [
        'or across filtered embeds',
        '/projects?select=id,clients(),tasks()&clients.id=eq.1&tasks.name=eq.Lay%20Slate&or=(clients.not.is.null,tasks.not.is.null)&order=id',
        ids(1, 2, 4),
      ],
      [
        'and, nested',
        '/projects?select=id,clients(),tasks()&and=(clients.not.is.null,or(tasks.is.null,id.eq.1))',
        ids(1),
      ],
      ['negated', '/projects?select=id,clients()&not.and=(clients.not.is.null)', ids(5)],
      // A matched row is a row, even with nothing in it.
      [
        'a row of nulls is one',
        '/agents?select=id,departments(name)&departments=not.is.null&order=id',
        [
          { id: 1, departments: { name: 'Field' } },
          { id: 2, departments: { name: null } },
        ],
      ],
      ['a row of nulls is not none', '/agents?select=id,departments()&departments=is.null', ids(3)],
      ['of a spread', '/projects?select=id,...clients(client:name)&clients=is.null', [{ id: 5, client: null }]],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });

    test.each([
      'projects=eq.1',
      'projects=is.true',
      'projects=not.is.true',
      'projects=is.not_null',
      'or=(projects.eq.1,id.eq.1)',
      'projects=in.(1)',
    ])('%s asks what cannot be asked of an embed', async (filter) => {
      expect(await rest.get(`/clients?select=id,projects(id)&${filter}`)).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=SVRST120' },
        json: problem(
          'SVRST120',
          "Bad operator on the 'projects' embedded resource",
          'Only is null or not is null filters are allowed on embedded resources',
        ),
      });
    });

    test('a column of the same name is filtered as ever', async () => {
      expect(await rest.get('/machines?select=id,parts(name)&parts=eq.a%20few')).toMatchReply({
        status: 200,
        json: [{ id: 1, parts: { name: 'gear' } }],
      });
      expect(await rest.get('/machines?select=id,parts:main_part(name)&parts=like.a*')).toMatchReply({
        json: [{ id: 1, parts: { name: 'gear' } }],
      });
    });

    test('an aliased embed has not its table’s name', async () => {
      expect(await rest.get('/clients?select=id,p:projects(id)&projects=is.null')).toMatchReply({
        status: 400,
        json: problem('42703', 'column clients.projects does not exist'),
      });
    });
  });

  describe('on what is not embedded', () => {
    test.each([
      ['/projects?select=id&clients.id=eq.1', 'clients'],
      ['/projects?clients.id=eq.1', 'clients'],
      ['/projects?select=id,clients(id)&clients.tasks.id=eq.1', 'tasks'],
      ['/projects?select=id,c:clients(id)&nope.id=eq.1', 'nope'],
      ['/projects?select=id,tasks(id)&clients.or=(id.eq.1,id.eq.2)', 'clients'],
      // Before the relationship is even looked for.
      ['/projects?select=id,nowhere(id)&clients.id=eq.1', 'clients'],
    ])('%s', async (target, name) => {
      expect(await rest.get(target)).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=SVRST108' },
        json: problem(
          'SVRST108',
          `'${name}' is not an embedded resource in this request`,
          null,
          `Verify that '${name}' is included in the 'select' query parameter.`,
        ),
      });
    });
  });
});
