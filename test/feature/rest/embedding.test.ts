// Related rows inside rows: every kind of relationship, every way to name it.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('embedding', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('by kind of relationship', () => {
    test.each<[string, string, unknown]>([
      [
        'many to one: an object, or null',
        '/projects?select=id,clients(name)&id=in.(1,5)&order=id',
        [
          { id: 1, clients: { name: 'Harbour Office' } },
          { id: 5, clients: null },
        ],
      ],
      [
        'one to many: an array, empty when there is none',
        '/clients?select=id,projects(id)&projects.order=id&order=id',
        [
          { id: 1, projects: ids(1, 2) },
          { id: 2, projects: ids(3, 4) },
          { id: 3, projects: [] },
        ],
      ],
      [
        'many to many, through a junction',
        '/users?select=name,projects(id)&projects.order=id&order=id',
        [
          { name: 'Amira Haddad', projects: ids(1, 2) },
          { name: 'Bo Lind', projects: ids(3, 4) },
          { name: 'Chen Wei', projects: ids(1, 3) },
        ],
      ],
      [
        'many to many, from the other side',
        '/projects?select=id,users(id)&users.order=id&id=in.(1,2,5)&order=id',
        [
          { id: 1, users: ids(1, 3) },
          { id: 2, users: ids(1) },
          { id: 5, users: [] },
        ],
      ],
      [
        'many to many through a junction whose key has more columns',
        '/files?select=filename,users_tasks(task_id)&project=eq.quay&order=filename',
        [
          { filename: 'costs.csv', users_tasks: [{ task_id: 2 }] },
          { filename: 'plan.txt', users_tasks: [{ task_id: 1 }] },
        ],
      ],
      [
        'one to one, by a unique key',
        '/managers?select=name,organizations(name)&id=eq.1',
        [{ name: 'Referee Manager', organizations: { name: 'Referee Org' } }],
      ],
      [
        'one to one, from the other side',
        '/organizations?select=name,managers(name)&id=in.(1,4)&order=id',
        [
          { name: 'Referee Org', managers: { name: 'Referee Manager' } },
          { name: 'Umbrella', managers: null },
        ],
      ],
      [
        'one to one, by a primary key of two columns',
        '/students?select=name,students_info(address)&order=id',
        [
          { name: 'Ida', students_info: { address: 'Dorm 1' } },
          { name: 'Jon', students_info: null },
        ],
      ],
      [
        'one to one, by that key, back',
        '/students_info?select=address,students(name)',
        [{ address: 'Dorm 1', students: { name: 'Ida' } }],
      ],
      [
        'by a key of two columns',
        '/comments?select=content,users_tasks(task_id,user_id)&id=eq.1',
        [{ content: 'Needs more blue', users_tasks: { task_id: 6, user_id: 2 } }],
      ],
      [
        'by a key of two columns, back',
        '/users_tasks?select=task_id,comments(content)&user_id=eq.2&task_id=in.(5,6)&order=task_id',
        [
          { task_id: 5, comments: [] },
          { task_id: 6, comments: [{ content: 'Needs more blue' }] },
        ],
      ],
      [
        'of a partitioned table',
        '/car_brands?select=name,car_models(name)&order=name',
        [
          { name: 'DMC', car_models: [{ name: 'DeLorean' }] },
          { name: 'Ferrari', car_models: [{ name: 'F310-B' }] },
        ],
      ],
      [
        'to a partitioned table',
        '/car_dealers?select=id,car_models(year)&order=id',
        [
          { id: 1, car_models: { year: 1981 } },
          { id: 2, car_models: { year: 2021 } },
        ],
      ],
      [
        'with names that need quotes',
        '/Escap3e%3B?select=so6meIdColumn,ghostBusters(escapeId)&so6meIdColumn=lte.2&order=so6meIdColumn',
        [
          { so6meIdColumn: 1, ghostBusters: [{ escapeId: 1 }] },
          { so6meIdColumn: 2, ghostBusters: [] },
        ],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });
  });

  describe('by name', () => {
    test.each<[string, string, unknown]>([
      ['the table', '/projects?select=id,clients(id)&id=eq.1', [{ id: 1, clients: { id: 1 } }]],
      ['an alias', '/projects?select=id,payer:clients(id)&id=eq.1', [{ id: 1, payer: { id: 1 } }]],
      ['a quoted alias', '/projects?select=id,"who pays":clients(id)&id=eq.1', [{ id: 1, 'who pays': { id: 1 } }]],
      ['the column of the key', '/projects?select=id,client_id(id)&id=eq.1', [{ id: 1, client_id: { id: 1 } }]],
      [
        'the column of the key, aliased',
        '/projects?select=client_id,client:client_id(name)&id=eq.1',
        [{ client_id: 1, client: { name: 'Harbour Office' } }],
      ],
      [
        'the name of the key',
        '/projects?select=id,projects_client_id_fkey(id)&id=eq.1',
        [{ id: 1, projects_client_id_fkey: { id: 1 } }],
      ],
      [
        'the name of the key, from the other side',
        '/clients?select=id,projects_client_id_fkey(id)&id=eq.3',
        [{ id: 3, projects_client_id_fkey: [] }],
      ],
      [
        'the column that the key points at',
        '/trash?select=id,details:id(jsonb_col)&id=eq.1',
        [{ id: 1, details: { jsonb_col: { key: 10 } } }],
      ],
      [
        'a hint: the column',
        '/orders?select=id,addresses!billing_address_id(address)&id=eq.1',
        [{ id: 1, addresses: { address: '1 Quay Street' } }],
      ],
      [
        'a hint: the key',
        '/orders?select=id,addresses!shipping(address)&id=eq.1',
        [{ id: 1, addresses: { address: '2 Hill Road' } }],
      ],
      [
        'a hint: the column, from the other side',
        '/addresses?select=id,orders!shipping_address_id(id)&id=eq.2',
        [{ id: 2, orders: ids(1) }],
      ],
      [
        'a hint: the key, from the other side',
        '/addresses?select=id,orders!shipping(id)&id=eq.2',
        [{ id: 2, orders: ids(1) }],
      ],
      [
        'a hint: the junction',
        '/sites?select=name,big_projects!main_jobs(name)&site_id=eq.1',
        [{ name: 'Site North', big_projects: [{ name: 'Big One' }] }],
      ],
      [
        'a hint and a join',
        '/sites?select=name,big_projects!main_jobs!inner(name)',
        [{ name: 'Site North', big_projects: [{ name: 'Big One' }] }],
      ],
      [
        'a join and a hint',
        '/sites?select=name,big_projects!inner!main_jobs(name)',
        [{ name: 'Site North', big_projects: [{ name: 'Big One' }] }],
      ],
      [
        'a key with a hint of several columns',
        '/comments?select=id,users_tasks!comments_task_id_user_id_fkey(task_id)&id=eq.1',
        [{ id: 1, users_tasks: { task_id: 6 } }],
      ],
      [
        'an alias that is a column, which can still be filtered',
        '/projects?select=id,client_id:clients(name)&client_id=eq.1&id=eq.1',
        [{ id: 1, client_id: { name: 'Harbour Office' } }],
      ],
      [
        'the same table twice',
        '/orders?select=id,billing:addresses!billing_address_id(id),shipping:addresses!shipping(id)&order=id',
        [
          { id: 1, billing: { id: 1 }, shipping: { id: 2 } },
          { id: 2, billing: { id: 3 }, shipping: null },
        ],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });

    test('the column beside the embed of the same name', async () => {
      expect(await rest.get('/projects?select=client_id,client_id(id)&id=eq.1')).toMatchReply({
        status: 200,
        text: '[{"client_id":1,"client_id":{"id":1}}]',
      });
    });
  });

  describe('to itself', () => {
    test.each<[string, string, unknown]>([
      [
        'the table means the children',
        '/web_content?select=name,web_content(name)&web_content.order=id&id=eq.0',
        [{ name: 'home', web_content: [{ name: 'about' }, { name: 'news' }] }],
      ],
      [
        'the column means the parent',
        '/web_content?select=name,p_web_id(name)&id=in.(0,1)&order=id',
        [
          { name: 'home', p_web_id: null },
          { name: 'about', p_web_id: { name: 'home' } },
        ],
      ],
      [
        'a column named like what it is',
        '/family_tree?select=name,parent(name)&id=eq.2',
        [{ name: 'Kid One', parent: { name: 'Parental Unit' } }],
      ],
      [
        'both at once',
        '/family_tree?select=name,parent(name),children:family_tree!parent(name)&id=eq.2',
        [{ name: 'Kid One', parent: { name: 'Parental Unit' }, children: [{ name: 'Grandkid' }] }],
      ],
      [
        'three levels',
        '/family_tree?select=id,children:family_tree!parent(id,grandchildren:family_tree!parent(id))&children.order=id&id=eq.1',
        [
          {
            id: '1',
            children: [
              { id: '2', grandchildren: [{ id: '4' }] },
              { id: '3', grandchildren: [] },
            ],
          },
        ],
      ],
      [
        'of two keys, by their columns',
        '/organizations?select=name,referee(name),auditor(name)&id=eq.3',
        [{ name: 'Acme', referee: { name: 'Referee Org' }, auditor: { name: 'Auditor Org' } }],
      ],
      [
        'of two keys, the children',
        '/organizations?select=id,refereed:organizations!referee(id),audited:organizations!auditor(id)&refereed.order=id&audited.order=id&id=lte.2&order=id',
        [
          { id: 1, refereed: ids(3, 4), audited: [] },
          { id: 2, refereed: [], audited: ids(3, 4) },
        ],
      ],
      [
        'of two keys, the children by the names of the keys',
        '/organizations?select=id,organizations!organizations_referee_fkey(id)&organizations.order=id&id=eq.1',
        [{ id: 1, organizations: ids(3, 4) }],
      ],
      [
        'with others inside',
        '/organizations?select=name,auditor(name,managers(name)),managers(name)&id=eq.3',
        [
          {
            name: 'Acme',
            auditor: { name: 'Auditor Org', managers: { name: 'Auditor Manager' } },
            managers: { name: 'Acme Manager' },
          },
        ],
      ],
      [
        'many to many, through the junction and a spread',
        '/posters?select=name,subscriptions!subscriber(...posters!subscribed(name))&id=in.(1,2)&order=id',
        [
          { name: 'Mark', subscriptions: [{ name: 'Elon' }] },
          { name: 'Elon', subscriptions: [] },
        ],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });
  });

  describe('views', () => {
    test.each<[string, string, unknown]>([
      ['view to table', '/projects_view?select=id,clients(id)&id=eq.1', [{ id: 1, clients: { id: 1 } }]],
      [
        'table to view',
        '/clients?select=id,projects_view(id)&projects_view.order=id&id=eq.1',
        [{ id: 1, projects_view: ids(1, 2) }],
      ],
      [
        'view to view',
        '/clients_view?select=id,projects_view(id)&projects_view.order=id&id=eq.1',
        [{ id: 1, projects_view: ids(1, 2) }],
      ],
      [
        'with renamed columns',
        '/projects_view_alt?select=t_id,clients(id)&t_id=eq.1',
        [{ t_id: 1, clients: { id: 1 } }],
      ],
      [
        'by a renamed column',
        '/projects_view_alt?select=t_id,t_client_id(id)&t_id=eq.1',
        [{ t_id: 1, t_client_id: { id: 1 } }],
      ],
      [
        'of a view',
        '/projects_view_of_view?select=id,clients(id),tasks(id)&tasks.order=id&id=eq.1',
        [{ id: 1, clients: { id: 1 }, tasks: ids(1, 2) }],
      ],
      [
        'of a join',
        '/project_details?select=id,client_name,tasks(id)&tasks.order=id&id=eq.1',
        [{ id: 1, client_name: 'Harbour Office', tasks: ids(1, 2) }],
      ],
      ['materialized', '/materialized_projects?select=id,clients(id)&id=eq.1', [{ id: 1, clients: { id: 1 } }]],
      [
        'of private tables',
        '/books?select=title,authors(name),publishers(name)&id=eq.1',
        [{ title: '1984', authors: { name: 'George Orwell' }, publishers: { name: 'Secker' } }],
      ],
      [
        'of a view of private tables',
        '/forties_books?select=title,authors(name)&id=eq.1',
        [{ title: '1984', authors: { name: 'George Orwell' } }],
      ],
      [
        'through a view of a private junction',
        '/books?select=title,readers(name)&readers.order=id&id=eq.1',
        [{ title: '1984', readers: [{ name: 'Amira' }, { name: 'Bo' }] }],
      ],
      [
        'many to many with a key column less exposed is none',
        '/readers?select=name,books(id)&id=eq.2',
        [{ name: 'Bo', books: ids(1) }],
      ],
      [
        'by a hint, of a column shown twice',
        '/projects_twice?select=id,clients!payer_id(id)&id=eq.1',
        [{ id: 1, clients: { id: 1 } }],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });

    test('a column means the table that its key points at, never a view of it', async () => {
      expect(await rest.get('/projects?select=client_id(*)&id=eq.1')).toMatchReply({
        json: [{ client_id: { id: 1, name: 'Harbour Office' } }],
      });
    });

    test('a view without the column of the key, or of a union, has no relationships', async () => {
      expect(await rest.get('/projects_without_key?select=name,tasks(id)')).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST200' }),
      });
      expect(await rest.get('/all_names?select=name,tasks(id)')).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST200' }),
      });
    });
  });

  describe('depth and shape', () => {
    test('four levels', async () => {
      const target =
        '/clients?id=eq.2&select=id,projects(id,tasks(id,users(name)))&projects.order=id&projects.tasks.order=id&projects.tasks.users.order=id';
      expect(await rest.get(target)).toMatchReply({
        json: [
          {
            id: 2,
            projects: [
              {
                id: 3,
                tasks: [
                  { id: 5, users: [{ name: 'Bo Lind' }, { name: 'Chen Wei' }] },
                  { id: 6, users: [{ name: 'Bo Lind' }] },
                ],
              },
              {
                id: 4,
                tasks: [
                  { id: 7, users: [{ name: 'Bo Lind' }] },
                  { id: 8, users: [] },
                ],
              },
            ],
          },
        ],
      });
    });

    test('back and forth', async () => {
      const target = '/tasks?id=eq.1&select=id,projects(id,tasks(id,projects(id,clients(id))))&projects.tasks.order=id';
      expect(await rest.get(target)).toMatchReply({
        json: [
          {
            id: 1,
            projects: {
              id: 1,
              tasks: [
                { id: 1, projects: { id: 1, clients: { id: 1 } } },
                { id: 2, projects: { id: 1, clients: { id: 1 } } },
              ],
            },
          },
        ],
      });
    });

    test('several beside each other', async () => {
      const target = '/projects?id=eq.1&select=*,clients(*),tasks(id),users(id)&tasks.order=id&users.order=id';
      expect(await rest.get(target)).toMatchReply({
        json: [
          {
            id: 1,
            name: 'Quay Wall',
            client_id: 1,
            clients: { id: 1, name: 'Harbour Office' },
            tasks: ids(1, 2),
            users: ids(1, 3),
          },
        ],
      });
    });

    test.each([
      ['empty', '/clients?select=id,projects()&order=id', ids(1, 2, 3)],
      ['empty with an empty one inside', '/clients?select=id,projects(tasks())&order=id', ids(1, 2, 3)],
      ['empty and inner', '/clients?select=id,projects!inner()&order=id', ids(1, 2)],
      [
        'empty inside a shown one',
        '/clients?select=id,projects(id,tasks())&projects.order=id&id=eq.1',
        [{ id: 1, projects: ids(1, 2) }],
      ],
      ['empty, of a spread', '/clients?select=id,...projects()&order=id', ids(1, 2, 3)],
      ['nothing but an embed', '/clients?select=projects(id)&projects.order=id&id=eq.1', [{ projects: ids(1, 2) }]],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });
  });

  describe('with a function', () => {
    test('that returns rows of a table', async () => {
      const target = '/rpc/getallprojects?select=id,clients(id),tasks(id)&tasks.order=id&id=eq.1';
      expect(await rest.get(target)).toMatchReply({
        status: 200,
        json: [{ id: 1, clients: { id: 1 }, tasks: ids(1, 2) }],
      });
    });

    test('that returns rows of a view', async () => {
      expect(await rest.get('/rpc/get_projects_view?select=id,clients(id)&id=eq.1')).toMatchReply({
        json: [{ id: 1, clients: { id: 1 } }],
      });
    });

    test('that returns one row', async () => {
      expect(await rest.get('/rpc/first_project?select=id,clients(id)')).toMatchReply({
        json: { id: 1, clients: { id: 1 } },
      });
    });
  });

  describe('a relationship that is not there', () => {
    test.each<[string, string, string, string | null, string | null]>([
      ['/projects?select=id,client(*)', 'projects', 'client', null, "Perhaps you meant 'clients' instead of 'client'."],
      ['/users?select=id,nowhere_at_all(*)', 'users', 'nowhere_at_all', null, null],
      ['/projects?select=id,clients!nope(*)', 'projects', 'clients', 'nope', null],
      ['/projects?select=id,Clients(*)', 'projects', 'Clients', null, null],
      [
        '/tasks?select=id,projects(id,cliens(*))',
        'projects',
        'cliens',
        null,
        "Perhaps you meant 'clients' instead of 'cliens'.",
      ],
      [
        '/sites?select=name,...big_project!jobs(name)',
        'sites',
        'big_project',
        'jobs',
        "Perhaps you meant 'big_projects' instead of 'big_project'.",
      ],
      ['/posters?select=name,posters(name)', 'posters', 'posters', null, null],
    ])('%s', async (target, origin, name, hint, suggestion) => {
      const using = hint === null ? '' : ` using the hint '${hint}'`;
      expect(await rest.get(target)).toMatchReply({
        status: 400,
        headers: { 'proxy-status': 'Survest; error=SVRST200' },
        json: problem(
          'SVRST200',
          `Could not find a relationship between '${origin}' and '${name}' in the schema cache`,
          `Searched for a foreign key relationship between '${origin}' and '${name}'${using} in the schema 'test', but no matches were found.`,
          suggestion,
        ),
      });
    });

    test('partitions have none', async () => {
      expect(await rest.get('/car_brands?select=name,car_models_2021(*)')).toMatchReply({
        status: 400,
        json: expect.objectContaining({
          code: 'SVRST200',
          hint: "Perhaps you meant 'car_models' instead of 'car_models_2021'.",
        }),
      });
    });

    test('two keys that are not in the primary key make no junction', async () => {
      expect(await rest.get('/users?select=id,clients(*)')).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST200' }),
      });
    });

    test('there is none across schemas', async () => {
      expect(await rest.get('/outside?select=id,clients(*)', { 'accept-profile': 'v2' })).toMatchReply({
        status: 400,
        json: problem(
          'SVRST200',
          "Could not find a relationship between 'outside' and 'clients' in the schema cache",
          "Searched for a foreign key relationship between 'outside' and 'clients' in the schema 'v2', but no matches were found.",
        ),
      });
    });
  });

  describe('rows that come back', () => {
    /** clients(projects(clients(projects(id)))): each `projects` but the first shows rows that were there before. */
    const backAndForth = (returns: number): string => {
      let select = 'projects(id)';
      for (let i = 0; i < returns; i++) select = `projects(id,clients(id,${select}))`;
      return `/clients?select=id,${select}&id=eq.1`;
    };

    test.each([0, 1, 2])('%i times are shown', async (returns) => {
      expect(await rest.get(backAndForth(returns))).toMatchReply({ status: 200 });
    });

    test('three times are refused: each multiplies the answer by the rows of the table', async () => {
      expect(await rest.get(backAndForth(3))).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST193' }),
      });
    });

    test('a tree is walked down as far as it goes', async () => {
      const levels = `${'web_content(id,'.repeat(8)}web_content(id)${')'.repeat(8)}`;
      expect(await rest.get(`/web_content?select=id,${levels}&id=eq.0`)).toMatchReply({ status: 200 });
      const computed = `${'children(id,'.repeat(8)}children(id)${')'.repeat(8)}`;
      expect(await rest.get(`/web_content?select=id,${computed}&id=eq.0`)).toMatchReply({ status: 200 });
    });
  });
});
