// Domains with a form of their own on the wire, as they are written: in bodies, in what a write filters by, and in keys.

import { beforeEach, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { headerOf, type Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

const SHOWN = { prefer: 'return=representation' };

onEachEngine('written representations', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  beforeEach(() =>
    db().script(`
      delete from test.datarep_todos where id > 4;
      update test.datarep_todos set label_color = 256, due_at = '2018-01-03 00:00:00+00' where id = 2;
      delete from test.swatches where shade <> 255;
      update test.swatches set name = 'blue';
    `),
  );

  const send = (
    method: string,
    target: string,
    body: unknown,
    headers: Record<string, string> = SHOWN,
  ): Promise<Reply> => rest.request(method, target, { body, headers });

  describe('inserted', () => {
    test('is read from JSON and shown in its form again', async () => {
      expect(await send('POST', '/datarep_todos', { id: 5, label_color: '#001100', due_at: 1514764800 })).toMatchReply({
        status: 201,
        json: [{ id: 5, name: null, label_color: '#001100', due_at: 1514764800 }],
      });
      expect(await db().query('select label_color from test.datarep_todos where id = 5')).toEqual([
        { label_color: 4352 },
      ]);
    });

    test('several rows, null among them', async () => {
      const rows = [
        { id: 5, label_color: '#000001' },
        { id: 6, label_color: null },
      ];
      expect(await send('POST', '/datarep_todos?select=id,label_color', rows)).toMatchReply({
        status: 201,
        json: rows,
      });
    });

    test('left out, it is the default of the column', async () => {
      expect(await send('POST', '/datarep_todos?select=label_color,due_at', { id: 5 })).toMatchReply({
        status: 201,
        json: [{ label_color: '#000000', due_at: 1514764800 }],
      });
    });

    test('missing=default takes the default in the form that a client would send', async () => {
      expect(
        await send(
          'POST',
          '/datarep_todos?columns=id,label_color,due_at&select=label_color,due_at',
          [{ id: 5 }, { id: 6, label_color: '#0000ff' }, { id: 7, due_at: 0 }],
          { prefer: 'return=representation, missing=default' },
        ),
      ).toMatchReply({
        status: 201,
        json: [
          { label_color: '#000000', due_at: 1514764800 },
          { label_color: '#0000ff', due_at: 1514764800 },
          { label_color: '#000000', due_at: 0 },
        ],
      });
      expect(
        await send(
          'POST',
          '/datarep_todos?columns=id,due_at&select=due_at',
          { id: 8 },
          {
            prefer: 'return=representation, missing=default',
          },
        ),
      ).toMatchReply({ status: 201, json: [{ due_at: 1514764800 }] });
    });

    test('by columns', async () => {
      expect(
        await send('POST', '/datarep_todos?columns=id,label_color&select=label_color,due_at', {
          id: 5,
          label_color: '#001100',
          due_at: 1,
        }),
      ).toMatchReply({ status: 201, json: [{ label_color: '#001100', due_at: 1514764800 }] });
    });

    test('from CSV and from a form', async () => {
      expect(
        await send(
          'POST',
          '/datarep_todos?select=label_color,due_at',
          'id,label_color,due_at\n5,#0000ff,1514764800\n6,NULL,NULL',
          { ...SHOWN, 'content-type': 'text/csv' },
        ),
      ).toMatchReply({
        status: 201,
        json: [
          { label_color: '#0000ff', due_at: 1514764800 },
          { label_color: null, due_at: null },
        ],
      });
      expect(
        await send('POST', '/datarep_todos?select=label_color', 'id=7&label_color=%230000fe', {
          ...SHOWN,
          'content-type': 'application/x-www-form-urlencoded',
        }),
      ).toMatchReply({ status: 201, json: [{ label_color: '#0000fe' }] });
    });

    test('through a view, with the row it refers to', async () => {
      expect(
        await send('POST', '/datarep_todos_view?select=label_color', { id: 5, label_color: '#001100' }),
      ).toMatchReply({ status: 201, json: [{ label_color: '#001100' }] });
      expect(
        await send('POST', '/datarep_next_todos?select=id,first_item_id(label_color)', { id: 50, first_item_id: 3 }),
      ).toMatchReply({ status: 201, json: [{ id: 50, first_item_id: { label_color: '#01e240' } }] });
    });

    test('what cannot be read is the error of the function that reads it', async () => {
      expect(await send('POST', '/datarep_todos', { id: 5, label_color: 'nonsense' })).toMatchReply(
        failure(400, '22P02', '"n" is not a valid hexadecimal digit'),
      );
      expect(await send('POST', '/datarep_todos', { id: 5, label_color: '#fffffff' })).toMatchReply(
        failure(400, '23514', 'value for domain color violates check constraint "color_check"'),
      );
    });
  });

  test('upserted', async () => {
    const prefer = 'return=representation, resolution=merge-duplicates';
    expect(
      await send(
        'POST',
        '/datarep_todos?select=id,label_color',
        [
          { id: 2, label_color: '#0000ff' },
          { id: 9, label_color: null },
        ],
        { prefer },
      ),
    ).toMatchReply({
      status: 201,
      json: [
        { id: 2, label_color: '#0000ff' },
        { id: 9, label_color: null },
      ],
    });
  });

  test('updated, and filtered by in its own form', async () => {
    expect(await send('PATCH', '/datarep_todos?id=eq.2&select=label_color', { label_color: '#00ffff' })).toMatchReply({
      status: 200,
      json: [{ label_color: '#00ffff' }],
    });
    expect(await send('PATCH', '/datarep_todos?label_color=eq.%2300ffff&select=id,due_at', { due_at: 0 })).toMatchReply(
      { status: 200, json: [{ id: 2, due_at: 0 }] },
    );
    expect(await send('PATCH', '/datarep_todos?label_color=in.(%2300ffff)', { label_color: 'nonsense' })).toMatchReply(
      failure(400, '22P02', '"n" is not a valid hexadecimal digit'),
    );
  });

  test('deleted by', async () => {
    await db().query('insert into test.datarep_todos (id, label_color) values (9, 1)');
    expect(await send('DELETE', '/datarep_todos?label_color=eq.%23000001&select=label_color', undefined)).toMatchReply({
      status: 200,
      json: [{ label_color: '#000001' }],
    });
  });

  describe('as a key', () => {
    test('insert and upsert', async () => {
      const green = { shade: '#00ff00', name: 'green' };
      expect(await send('POST', '/swatches', green)).toMatchReply({ status: 201, json: [green] });
      const azure = { shade: '#0000ff', name: 'azure' };
      expect(
        await send('POST', '/swatches', [azure], { prefer: 'return=representation, resolution=merge-duplicates' }),
      ).toMatchReply({ status: 200, json: [azure] });
    });

    test('PUT', async () => {
      const red = { shade: '#ff0000', name: 'red' };
      expect(await send('PUT', '/swatches?shade=eq.%23ff0000', red)).toMatchReply({ status: 201, json: [red] });
      expect(await send('PUT', '/swatches?shade=eq.%23ff0000', [red])).toMatchReply({ status: 200, json: [red] });
      expect(await send('PUT', '/swatches?shade=eq.%23ff0000', { shade: '#ff0001', name: 'red' })).toMatchReply(
        failure(400, 'SVRST115', 'Payload values do not match URL in primary key column(s)'),
      );
    });

    test('the row is found where its Location says', async () => {
      const reply = await send(
        'POST',
        '/swatches',
        { shade: '#ff00ff', name: 'pink' },
        { prefer: 'return=headers-only' },
      );
      expect(reply).toMatchReply({ status: 201, headers: { location: '/swatches?shade=eq.%23ff00ff' } });
      expect(await rest.get(headerOf(reply, 'location') ?? '')).toMatchReply({
        json: [{ shade: '#ff00ff', name: 'pink' }],
      });
    });
  });
});
