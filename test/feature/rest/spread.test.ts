// Spreads: the columns of a related row among those of its parent; of several rows, as arrays.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('spreads', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('of one row', () => {
    test.each<[string, string, unknown]>([
      [
        'many to one',
        '/projects?select=id,...clients(client:name)&id=in.(1,5)&order=id',
        [
          { id: 1, client: 'Harbour Office' },
          { id: 5, client: null },
        ],
      ],
      [
        'one to one',
        '/processes?select=id,...process_costs(cost)&id=in.(1,4)&order=id',
        [
          { id: 1, cost: 150 },
          { id: 4, cost: null },
        ],
      ],
      [
        'every column',
        '/processes?select=process:id,...factories(*)&id=eq.1',
        [{ process: 1, id: 1, name: 'Brickworks' }],
      ],
      ['a cast', '/processes?select=id,...process_costs(cost::text)&id=eq.1', [{ id: 1, cost: '150.00' }]],
      ['a JSON path', '/trash?select=id,...trash_details(jsonb_col->key)&id=eq.1', [{ id: 1, key: 10 }]],
      [
        'with !inner',
        '/projects?select=id,...clients!inner(client:name)&clients.id=eq.2&order=id',
        [
          { id: 3, client: 'City Museum' },
          { id: 4, client: 'City Museum' },
        ],
      ],
      [
        'filtered',
        '/projects?select=id,...clients(client:name)&clients.id=eq.2&id=in.(1,3)&order=id',
        [
          { id: 1, client: null },
          { id: 3, client: 'City Museum' },
        ],
      ],
      [
        'ordered by what the spread was itself lent',
        '/tasks?select=id,...projects(...clients(client:name))&order=projects(client).desc,id.desc&id=in.(1,2,5,6)',
        [
          { id: 2, client: 'Harbour Office' },
          { id: 1, client: 'Harbour Office' },
          { id: 6, client: 'City Museum' },
          { id: 5, client: 'City Museum' },
        ],
      ],
      [
        'with a hint',
        '/orders?select=id,...addresses!billing_address_id(billing:address)&id=eq.1',
        [{ id: 1, billing: '1 Quay Street' }],
      ],
      [
        'with a hint and a join',
        '/orders?select=id,...addresses!shipping!inner(shipping:address)',
        [{ id: 1, shipping: '2 Hill Road' }],
      ],
      [
        'by the column of the key',
        '/projects?select=id,...client_id(client:name)&id=eq.1',
        [{ id: 1, client: 'Harbour Office' }],
      ],
      [
        'in a spread',
        '/tasks?select=id,...projects(project:name,...clients(client:name))&id=eq.1',
        [{ id: 1, project: 'Quay Wall', client: 'Harbour Office' }],
      ],
      [
        'in an embed',
        '/tasks?select=id,projects(id,...clients(client:name))&id=eq.1',
        [{ id: 1, projects: { id: 1, client: 'Harbour Office' } }],
      ],
      [
        'in an embed to many',
        '/clients?select=id,projects(id,...clients(client:name))&id=eq.1&projects.order=id',
        [
          {
            id: 1,
            projects: [
              { id: 1, client: 'Harbour Office' },
              { id: 2, client: 'Harbour Office' },
            ],
          },
        ],
      ],
      [
        'with an embed to one inside',
        '/tasks?select=id,...projects(clients(id))&id=eq.1',
        [{ id: 1, clients: { id: 1 } }],
      ],
      [
        'with an embed to many inside',
        '/tasks?select=id,...projects(users(id))&projects.users.order=id&id=eq.1',
        [{ id: 1, users: [{ id: 1 }, { id: 3 }] }],
      ],
      [
        'with two embeds of one name inside',
        '/tasks?select=id,...projects(a:users(id),b:users(name))&projects.a.id=eq.1&projects.b.id=eq.3&id=eq.1',
        [{ id: 1, a: [{ id: 1 }], b: [{ name: 'Chen Wei' }] }],
      ],
      ['nothing of it', '/projects?select=id,...clients()&id=eq.1', [{ id: 1 }]],
      [
        'of a computed relationship',
        '/designers?select=id,...latest(game:name)&order=id',
        [
          { id: 1, game: 'Civilization II' },
          { id: 2, game: 'Final Fantasy II' },
        ],
      ],
      [
        'of a junction',
        '/posters?select=name,subscriptions!subscriber(...posters!subscribed(name))&id=eq.1',
        [{ name: 'Mark', subscriptions: [{ name: 'Elon' }] }],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });

    test('columns of one name are all there', async () => {
      expect(await rest.get('/projects?select=name,...clients(name)&id=eq.1')).toMatchReply({
        text: '[{"name":"Quay Wall","name":"Harbour Office"}]',
      });
    });
  });

  describe('of several rows', () => {
    test.each<[string, string, unknown]>([
      [
        'one to many: an array of each column, empty where there is none',
        '/clients?select=id,...projects(project:id,title:name)&projects.order=id&order=id',
        [
          { id: 1, project: [1, 2], title: ['Quay Wall', 'Lighthouse'] },
          { id: 2, project: [3, 4], title: ['Painted Ceiling', 'Roof'] },
          { id: 3, project: [], title: [] },
        ],
      ],
      [
        'many to many',
        '/processes?select=id,...supervisors(supervisor:name)&supervisors.order=id&order=id',
        [
          { id: 1, supervisor: ['Mary'] },
          { id: 2, supervisor: ['John'] },
          { id: 3, supervisor: ['Mary', null] },
          { id: 4, supervisor: [] },
        ],
      ],
      [
        'a row with null is a row',
        '/processes?select=id,...operators(operator:name)&id=in.(3,4)&order=id',
        [
          { id: 3, operator: [null] },
          { id: 4, operator: [] },
        ],
      ],
      [
        'every column',
        '/factories?select=factory:name,...processes(*)&processes.order=id&id=eq.1',
        [
          {
            factory: 'Brickworks',
            id: [1, 2],
            name: ['Firing', 'Drying'],
            category: ['Batch', 'Batch'],
            factory_id: [1, 1],
          },
        ],
      ],
      [
        'ordered',
        '/clients?select=id,...projects(project:id,title:name)&projects.order=name&id=eq.1',
        [{ id: 1, project: [2, 1], title: ['Lighthouse', 'Quay Wall'] }],
      ],
      [
        'ordered by a column that is not shown',
        '/clients?select=id,...projects(project:id)&projects.order=name&id=eq.1',
        [{ id: 1, project: [2, 1] }],
      ],
      [
        'ordered by a related column',
        '/factories?select=id,...processes(process:id,process_costs())&processes.order=process_costs(cost).desc&id=eq.1',
        [{ id: 1, process: [2, 1] }],
      ],
      ['filtered', '/clients?select=id,...projects(project:id)&projects.id=gt.1&id=eq.1', [{ id: 1, project: [2] }]],
      [
        'limited',
        '/clients?select=id,...projects(project:id)&projects.order=id&projects.limit=1&projects.offset=1&id=eq.1',
        [{ id: 1, project: [2] }],
      ],
      ['with !inner', '/clients?select=id,...projects!inner(project:id)&projects.id=eq.4', [{ id: 2, project: [4] }]],
      [
        'a JSON path and a cast',
        '/processes?select=id,...operators(badge:status->>id,afk:status->afk)&operators.order=id&id=eq.1',
        [{ id: 1, badge: ['012345', '543210'], afk: [true, false] }],
      ],
      [
        'two of them',
        '/processes?select=id,...supervisors(supervisor:name),...operators(operator:name)&operators.order=id&id=eq.1',
        [{ id: 1, supervisor: ['Mary'], operator: ['Anne', 'Louis'] }],
      ],
      [
        'in an embed',
        '/factories?select=id,processes(id,...supervisors(supervisor:name))&processes.order=id&id=eq.1',
        [
          {
            id: 1,
            processes: [
              { id: 1, supervisor: ['Mary'] },
              { id: 2, supervisor: ['John'] },
            ],
          },
        ],
      ],
      [
        'in a spread of one row',
        '/process_costs?select=cost,...processes(name,...operators(operator:name))&processes.operators.order=id&process_id=eq.1',
        [{ cost: 150, name: 'Firing', operator: ['Anne', 'Louis'] }],
      ],
      [
        'with a spread of one row inside',
        '/factories?select=id,...processes(process:name,...process_costs(cost))&processes.order=id&id=eq.1',
        [{ id: 1, process: ['Firing', 'Drying'], cost: [150, 200] }],
      ],
      [
        'with a spread of several rows inside',
        '/factories?select=id,...processes(process:name,...operators(operator:name))&processes.order=id&processes.operators.order=id&id=eq.1',
        [{ id: 1, process: ['Firing', 'Drying'], operator: [['Anne', 'Louis'], ['Anne']] }],
      ],
      [
        'with an embed to one inside',
        '/factories?select=id,...processes(process:name,process_costs(cost))&processes.order=id&id=eq.1',
        [{ id: 1, process: ['Firing', 'Drying'], process_costs: [{ cost: 150 }, { cost: 200 }] }],
      ],
      [
        'with an embed to many inside',
        '/factories?select=id,...processes(supervisors(name))&processes.order=id&id=eq.1',
        [{ id: 1, supervisors: [[{ name: 'Mary' }], [{ name: 'John' }]] }],
      ],
      ['nothing of it', '/clients?select=id,...projects()&id=eq.1', [{ id: 1 }]],
      [
        'of a computed relationship',
        '/designers?select=id,...computed_videogames(game:name)&id=eq.1',
        [{ id: 1, game: ['Civilization I', 'Civilization II'] }],
      ],
      [
        'of a function’s rows',
        '/rpc/getallprojects?select=id,...tasks(task:id)&tasks.order=id&id=eq.1',
        [{ id: 1, task: [1, 2] }],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });

    test('an embed to one that is not there leaves its gap', async () => {
      const target =
        '/clients?select=id,...projects(project:id,c:clients(id))&projects.order=id&projects.c.id=eq.9&id=eq.1';
      expect(await rest.get(target)).toMatchReply({ json: [{ id: 1, project: [1, 2], c: [null, null] }] });
    });
  });

  describe('what cannot be spread', () => {
    test('an alias has no meaning', async () => {
      expect(await rest.get('/projects?select=id,x:...clients(name)')).toMatchReply({
        status: 400,
        json: problem('SVRST100', expect.any(String), expect.stringMatching(/^unexpected "\."/)),
      });
    });

    test('what is not related', async () => {
      expect(await rest.get('/projects?select=id,...client(name)')).toMatchReply({
        status: 400,
        json: problem(
          'SVRST200',
          "Could not find a relationship between 'projects' and 'client' in the schema cache",
          "Searched for a foreign key relationship between 'projects' and 'client' in the schema 'test', but no matches were found.",
          "Perhaps you meant 'clients' instead of 'client'.",
        ),
      });
    });
  });
});
