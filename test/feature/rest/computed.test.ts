// Functions of a row: as columns, and as relationships.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { ids, problem, useRest } from '../../testkit/use-rest.ts';

onEachEngine('computed', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe('columns', () => {
    test.each<[string, string, unknown]>([
      [
        'are not part of a star',
        '/villagers?select=*&id=eq.3',
        [{ id: 3, first_name: 'Lena', last_name: 'Brown', born: null }],
      ],
      ['are shown', '/villagers?select=id,initials&id=eq.1', [{ id: 1, initials: 'OO' }]],
      ['are shown beside a star', '/items?select=*,anti_id&id=eq.1', [{ id: 1, anti_id: -1 }]],
      ['are aliased and cast', '/items?select=minus:anti_id::text&id=eq.1', [{ minus: '-1' }]],
      ['are walked into', '/villagers?select=words->>first&id=eq.1', [{ first: 'Olga' }]],
      ['are filtered by', '/villagers?initials=eq.OO&select=id&order=id', ids(1, 2)],
      ['are filtered by in a group', '/villagers?or=(initials.eq.LB,id.eq.1)&select=id&order=id', ids(1, 3)],
      ['are ordered by', '/villagers?select=id&order=initials.desc,id&limit=2', ids(5, 4)],
      ['may be booleans', '/items?always_true=is.true&id=eq.1', ids(1)],
      ['may stand in the extra search path', '/villagers?select=shouted&id=eq.1', [{ shouted: 'OMAN' }]],
      ['may be vectors of words', '/villagers?searchable=fts(simple).olga&select=id', ids(1)],
      ['overloaded by the row they take', '/items?searchable=fts(simple).3&select=id', ids(3)],
      ['may be texts that are searched in a language', '/villagers?full_name=fts(simple).olga&select=id', ids(1)],
      ['may be vectors in the extra search path', '/villagers?found_by=fts(simple).olga&select=id', ids(1)],
      [
        'are shown of the rows of a function',
        '/rpc/all_villagers?select=id,initials&id=eq.1',
        [{ id: 1, initials: 'OO' }],
      ],
      ['filter the rows of a function', '/rpc/all_villagers?searchable=fts(simple).olga&select=id', ids(1)],
      ['order the rows of a function', '/rpc/all_villagers?select=id&order=initials.desc,id&limit=2', ids(5, 4)],
      ['are walked into there', '/rpc/all_villagers?select=words->>first&id=eq.1', [{ first: 'Olga' }]],
      ['are cast there', '/rpc/all_villagers?select=short:initials::varchar&id=eq.1', [{ short: 'OO' }]],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });

    test('in an embed', async () => {
      await db().script(`
        create function test.loud(test.clients) returns text stable language sql as 'select upper($1.name)'`);
      expect(await rest.get('/projects?select=id,clients(loud)&id=eq.1')).toMatchReply({
        json: [{ id: 1, clients: { loud: 'HARBOUR OFFICE' } }],
      });
      expect(
        await rest.get('/projects?select=id,clients!inner(id)&clients.loud=eq.CITY%20MUSEUM&order=id'),
      ).toMatchReply({
        json: [
          { id: 3, clients: { id: 2 } },
          { id: 4, clients: { id: 2 } },
        ],
      });
    });

    test.each(['/villagers?select=whispered', '/villagers?whispered=eq.x', '/villagers?order=whispered'])(
      'elsewhere they are not found: %s',
      async (target) => {
        expect(await rest.get(target)).toMatchReply({
          status: 400,
          json: problem('42703', 'column villagers.whispered does not exist'),
        });
      },
    );
  });

  describe('relationships', () => {
    test.each<[string, string, unknown]>([
      [
        'to many',
        '/designers?select=name,computed_videogames(name)&id=eq.1',
        [{ name: 'Sid Meier', computed_videogames: [{ name: 'Civilization I' }, { name: 'Civilization II' }] }],
      ],
      [
        'to one, by ROWS 1',
        '/videogames?select=name,computed_designers(name)&id=eq.1',
        [{ name: 'Civilization I', computed_designers: { name: 'Sid Meier' } }],
      ],
      [
        'to one, by not being a set',
        '/videogames?select=name,single_designer(name)&id=eq.1',
        [{ name: 'Civilization I', single_designer: { name: 'Sid Meier' } }],
      ],
      ['aliased', '/designers?select=games:computed_videogames(id)&id=eq.1', [{ games: ids(1, 2) }]],
      [
        'overloaded by the row: designers',
        '/designers?select=id,latest(name)&order=id',
        [
          { id: 1, latest: { name: 'Civilization II' } },
          { id: 2, latest: { name: 'Final Fantasy II' } },
        ],
      ],
      [
        'overloaded by the row: clients',
        '/clients?select=id,latest(name)&order=id',
        [
          { id: 1, latest: { name: 'Lighthouse' } },
          { id: 2, latest: { name: 'Roof' } },
          { id: 3, latest: null },
        ],
      ],
      [
        'to itself, both ways',
        '/web_content?select=name,parent(name),children(name)&id=eq.1',
        [{ name: 'about', parent: { name: 'home' }, children: [{ name: 'staff' }] }],
      ],
      [
        'to itself, over and over',
        '/web_content?select=id,children(id,children(id,children(id)))&id=eq.0',
        [
          {
            id: 0,
            children: [
              { id: 1, children: [{ id: 3, children: ids(4) }] },
              { id: 2, children: [] },
            ],
          },
        ],
      ],
      [
        'in the place of a detected one',
        '/country?select=name,capital(name)&id=eq.1',
        [{ name: 'Algeria', capital: { name: 'ALGIERS' } }],
      ],
      [
        'the other way the detected one stays',
        '/capital?select=name,country(name)&id=eq.1',
        [{ name: 'Algiers', country: { name: 'Algeria' } }],
      ],
      [
        'filtered',
        '/designers?select=id,computed_videogames(id)&computed_videogames.id=eq.1&order=id',
        [
          { id: 1, computed_videogames: ids(1) },
          { id: 2, computed_videogames: [] },
        ],
      ],
      [
        'with !inner',
        '/designers?select=id,computed_videogames!inner(id)&computed_videogames.id=eq.3',
        [{ id: 2, computed_videogames: ids(3) }],
      ],
      [
        'to one with !inner',
        '/videogames?select=id,computed_designers!inner(id)&computed_designers.id=eq.2&order=id',
        [
          { id: 3, computed_designers: { id: 2 } },
          { id: 4, computed_designers: { id: 2 } },
        ],
      ],
      [
        'ordered',
        '/designers?select=id,computed_videogames(id)&computed_videogames.order=id.desc&id=eq.1',
        [{ id: 1, computed_videogames: ids(2, 1) }],
      ],
      [
        'limited',
        '/designers?select=id,computed_videogames(id)&computed_videogames.limit=1&id=eq.1',
        [{ id: 1, computed_videogames: ids(1) }],
      ],
      [
        'with detected ones inside',
        '/designers?select=id,computed_videogames(id,designers(id))&id=eq.2',
        [
          {
            id: 2,
            computed_videogames: [
              { id: 3, designers: { id: 2 } },
              { id: 4, designers: { id: 2 } },
            ],
          },
        ],
      ],
      [
        'inside a detected one',
        '/videogames?select=id,designers(id,computed_videogames(id))&id=eq.1',
        [{ id: 1, designers: { id: 1, computed_videogames: ids(1, 2) } }],
      ],
      [
        'beside the detected one',
        '/designers?select=id,videogames(id),computed_videogames(id)&videogames.order=id&id=eq.1',
        [{ id: 1, videogames: ids(1, 2), computed_videogames: ids(1, 2) }],
      ],
    ])('%s', async (_, target, json) => {
      expect(await rest.get(target)).toMatchReply({ status: 200, json });
    });

    test('of a function’s rows', async () => {
      await db().script(`
        create function test.all_designers() returns setof test.designers stable language sql as 'select * from test.designers order by id';
        create function test.all_games() returns setof test.videogames stable language sql as 'select * from test.videogames order by id'`);
      await rest.client().service.reloadSchema();
      expect(await rest.get('/rpc/all_designers?select=id,computed_videogames(id)&id=eq.1')).toMatchReply({
        status: 200,
        json: [{ id: 1, computed_videogames: ids(1, 2) }],
      });
      expect(await rest.get('/rpc/all_games?select=id,computed_designers(id)&id=eq.1')).toMatchReply({
        json: [{ id: 1, computed_designers: { id: 1 } }],
      });
    });

    test('to rows of a schema that is not exposed, as far as the role may read them', async () => {
      await db().script(`
        create table private.notes (project_id integer, body text, draft text);
        insert into private.notes values (1, 'wet', 'x'), (1, 'deep', 'y'), (2, 'high', 'z');
        grant select (project_id, body) on private.notes to rest_anon;
        create function test.notes(test.projects) returns setof private.notes stable language sql as
          'select * from private.notes where project_id = $1.id';`);
      await rest.client().service.reloadSchema();
      const target = '/projects?id=eq.1&select=id,notes(body)&notes.order=body&notes.body=neq.dry';
      // The function reads whole rows, so it takes the right to all their columns.
      expect(await rest.get(target)).toMatchReply({
        status: 401,
        json: expect.objectContaining({ code: '42501' }),
      });
      await db().script('grant select on private.notes to rest_anon');
      expect(await rest.get(target)).toMatchReply({
        status: 200,
        json: [{ id: 1, notes: [{ body: 'deep' }, { body: 'wet' }] }],
      });
      expect(await rest.get('/projects?select=id,notes!inner(*)&id=lt.3&order=id&notes.limit=1')).toMatchReply({
        json: [
          { id: 1, notes: [{ project_id: 1, body: 'wet', draft: 'x' }] },
          { id: 2, notes: [{ project_id: 2, body: 'high', draft: 'z' }] },
        ],
      });
      // Nothing of that schema is reached from there.
      expect(await rest.get('/projects?select=notes(authors(name))')).toMatchReply({
        status: 400,
        json: expect.objectContaining({ code: 'SVRST200' }),
      });
    });

    test('in a schema that is not the first', async () => {
      const headers = { 'accept-profile': 'SPECIAL "@/\\#~_-' };
      expect(await rest.get('/names?select=name,computed_languages(name)&order=id', headers)).toMatchReply({
        status: 200,
        json: [
          { name: 'John', computed_languages: [{ name: 'English' }] },
          { name: 'Mary', computed_languages: [] },
        ],
      });
    });

    test('take no hints', async () => {
      const reply = await rest.get('/designers?select=id,computed_videogames!nope(id)&id=eq.1');
      expect(reply).toMatchReply({ status: 200, json: [{ id: 1, computed_videogames: ids(1, 2) }] });
    });
  });
});
