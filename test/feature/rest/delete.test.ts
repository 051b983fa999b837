// DELETE: the rows that the filters match are gone.

import { beforeEach, expect, test } from 'vitest';
import { AUTHOR, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { denied, failure, JSON_UTF8, notSingular, OBJECT, unavailable } from './expected.ts';

const SHOWN = { prefer: 'return=representation' };

onEachEngine('delete', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  beforeEach(() =>
    db().script(`
      truncate test.shelves cascade;
      insert into test.shelves (id, label) values (1, 'one'), (2, 'two'), (3, 'three'), (4, null);
      insert into test.slots values (1, 1, 'nut'), (2, 1, 'bolt'), (3, 2, 'nail');
    `),
  );

  const remove = (target: string, headers: Record<string, string> = {}, body?: unknown): Promise<Reply> =>
    rest.request('DELETE', target, { headers, ...(body === undefined ? {} : { body }) });
  const left = async (): Promise<unknown[]> =>
    (await db().query<{ id: number }>('select id from test.shelves order by id')).map(({ id }) => id);

  const nothingSaid = {
    status: 204,
    headers: {
      'content-type': null,
      'content-length': null,
      'content-range': '*/*',
      'range-unit': 'items',
      'preference-applied': null,
      location: null,
    },
    text: '',
  };

  test('204, and nothing is said of the rows', async () => {
    expect(await remove('/shelves?id=eq.2')).toMatchReply(nothingSaid);
    expect(await left()).toEqual([1, 3, 4]);
  });

  test('the same when there was none', async () => {
    expect(await remove('/shelves?id=eq.99')).toMatchReply(nothingSaid);
  });

  test('no filter: all rows', async () => {
    expect(await remove('/shelves')).toMatchReply(nothingSaid);
    expect(await left()).toEqual([]);
  });

  test('return=representation shows what is gone', async () => {
    expect(await remove('/shelves?id=eq.2', { prefer: 'return=representation, count=exact' })).toMatchReply({
      status: 200,
      headers: {
        'content-type': JSON_UTF8,
        'content-length': '57',
        'content-range': '*/1',
        'preference-applied': 'return=representation, count=exact',
        'content-profile': 'test',
      },
      text: '[{"id":2,"label":"two","amount":0,"note":"as delivered"}]',
    });
    expect(await remove('/shelves?id=eq.2', SHOWN)).toMatchReply({
      status: 200,
      headers: { 'content-range': '*/*', 'content-length': '2' },
      text: '[]',
    });
  });

  test.each([
    ['exact', '*/2', '*/0'],
    ['estimated', '*/2', '*/0'],
    ['planned', '*/*', '*/*'],
  ])('count=%s', async (count, some, none) => {
    const prefer = `count=${count}`;
    expect(await remove('/shelves?id=gt.2', { prefer })).toMatchReply({
      status: 204,
      headers: { 'content-range': some, 'preference-applied': prefer },
    });
    expect(await remove('/shelves?id=gt.2', { prefer })).toMatchReply({
      status: 204,
      headers: { 'content-range': none },
    });
  });

  test('return=minimal and return=headers-only', async () => {
    for (const prefer of ['return=minimal', 'return=headers-only']) {
      expect(await remove('/shelves?id=eq.3', { prefer })).toMatchReply({
        status: 204,
        headers: { 'preference-applied': prefer, 'content-type': null },
        text: '',
      });
    }
  });

  test('columns, aliases, casts and order of what is shown', async () => {
    expect(await remove('/shelves?id=lt.4&select=id::text,name:label&order=id.desc', SHOWN)).toMatchReply({
      status: 200,
      json: [
        { id: '3', name: 'three' },
        { id: '2', name: 'two' },
        { id: '1', name: 'one' },
      ],
    });
  });

  test('embeds show the rows of the moment before', async () => {
    expect(await remove('/slots?id=eq.3&select=item,shelves(label)', SHOWN)).toMatchReply({
      status: 200,
      json: [{ item: 'nail', shelves: { label: 'two' } }],
    });
    expect(await remove('/shelves?id=eq.1&select=id,slots(item)&slots.order=id', SHOWN)).toMatchReply({
      status: 200,
      json: [{ id: 1, slots: [{ item: 'nut' }, { item: 'bolt' }] }],
    });
  });

  test('filters, and logic with them', async () => {
    expect(await remove('/shelves?or=(id.eq.1,and(id.gt.2,label.is.null))&select=id&order=id', SHOWN)).toMatchReply({
      json: [{ id: 1 }, { id: 4 }],
    });
    expect(await left()).toEqual([2, 3]);
  });

  test('a filter on something that is not embedded is refused: it must not pass for no filter', async () => {
    const notEmbedded = failure(400, 'SVRST108', "'slots' is not an embedded resource in this request", {
      hint: "Verify that 'slots' is included in the 'select' query parameter.",
    });
    for (const query of ['slots.item=eq.nut', 'slots.and=(item.eq.nut)', 'slots.not.or=(item.eq.nut)']) {
      expect(await remove(`/shelves?${query}`)).toMatchReply(notEmbedded);
      expect(await remove(`/shelves?${query}`, SHOWN)).toMatchReply(notEmbedded);
    }
    expect(await left()).toEqual([1, 2, 3, 4]);
  });

  test('limit, offset and Range say nothing', async () => {
    expect(await remove('/shelves?limit=1&offset=2', { prefer: 'count=exact', range: '0-0' })).toMatchReply({
      headers: { 'content-range': '*/4' },
    });
  });

  test('a body is not read', async () => {
    expect(await remove('/shelves?id=eq.1', {}, '{"broken')).toMatchReply(nothingSaid);
    expect(await remove('/shelves?id=eq.2', { 'content-type': 'text/nonsense' }, 'x')).toMatchReply(nothingSaid);
    expect(await remove('/shelves?id=eq.3&columns=nope', {}, { id: 4 })).toMatchReply(nothingSaid);
    expect(await left()).toEqual([4]);
  });

  test('one object: of several or none nothing is deleted', async () => {
    expect(await remove('/shelves?id=lt.4', { accept: OBJECT })).toMatchReply(notSingular(3));
    expect(await remove('/shelves?id=gt.9', { ...SHOWN, accept: OBJECT })).toMatchReply(notSingular(0));
    expect(await left()).toEqual([1, 2, 3, 4]);
    expect(await remove('/shelves?id=eq.1&select=id', { ...SHOWN, accept: OBJECT })).toMatchReply({
      status: 200,
      headers: { 'content-type': `${OBJECT}; charset=utf-8` },
      text: '{"id":1}',
    });
    expect(await remove('/shelves?id=eq.2', { accept: OBJECT })).toMatchReply(nothingSaid);
  });

  test('rows that others refer to stay', async () => {
    expect(await remove('/projects?id=eq.1')).toMatchReply(
      failure(
        409,
        '23503',
        'update or delete on table "projects" violates foreign key constraint "tasks_project_id_fkey" on table "tasks"',
        { details: 'Key (id)=(1) is still referenced from table "tasks".' },
      ),
    );
  });

  test('what may not be deleted', async () => {
    expect(await remove('/private_table')).toMatchReply(denied('private_table'));
    expect(await rest.request('DELETE', '/private_table', { as: AUTHOR })).toMatchReply(
      failure(403, '42501', 'permission denied for table private_table'),
    );
    expect(await remove('/materialized_projects')).toMatchReply(
      failure(400, '42809', 'cannot change materialized view "materialized_projects"'),
    );
    expect(await remove('/shelvesx')).toMatchReply({ status: 404 });
    expect(await remove('/shelves', { accept: 'image/png' })).toMatchReply(unavailable('image/png'));
    expect(await left()).toEqual([1, 2, 3, 4]);
  });

  test('a policy hides rows from a delete', async () => {
    expect(await remove('/stuff?id=eq.1', SHOWN)).toMatchReply({ status: 200, text: '[]' });
    expect(await rest.request('DELETE', '/stuff?id=eq.1', { as: AUTHOR, headers: SHOWN })).toMatchReply({
      status: 200,
      json: [{ id: 1, name: 'stuff 1' }],
    });
  });
});
