// Statements in SQL that administrators save: each its own, so many of them, and nobody's who is none.

import { expect, test } from 'vitest';
import { onUploads } from '../uploads/upload-kit.ts';

type Saved = { readonly queries: readonly { readonly name: string; readonly statement: string }[] };

onUploads('a saved statement', {}, (kit) => {
  const path = '/api/v2/sql/queries/';
  const admin = () => kit().portal.as('admin');
  const saved = async (): Promise<Saved['queries']> => {
    const reply = await admin().get(path);
    expect(reply.status).toBe(200);
    return (JSON.parse(String(reply.body)) as Saved).queries;
  };

  test('is kept by its name, replaced by it, and forgotten', async () => {
    for (const statement of ['select 1', 'select 2'])
      expect(await admin().put(path, { name: ' Two/of them ', statement })).toMatchReply({
        status: 200,
        json: { name: 'Two/of them' },
      });
    expect(await saved()).toMatchObject([{ name: 'Two/of them', statement: 'select 2' }]);
    expect((await admin().delete(`${path}${encodeURIComponent('Two/of them')}/`)).status).toBe(204);
    expect((await admin().delete(`${path}nothing/`)).status).toBe(404);
    expect(await saved()).toEqual([]);
  });

  test('has a bound, and says what is wrong with one', async () => {
    const wrong = async (body: object): Promise<unknown> => {
      const reply = await admin().put(path, body);
      expect(reply.status).toBe(400);
      return JSON.parse(String(reply.body));
    };
    expect(await wrong({ statement: 'select 1' })).toMatchObject({ name: [expect.any(String)] });
    expect(await wrong({ name: 'x', statement: '' })).toMatchObject({ statement: [expect.any(String)] });
    expect(await wrong({ name: 'x', statement: 'select 1', more: 1 })).toMatchObject({ more: ['Unknown field.'] });
    const { admin: account } = kit().portal.ids;
    await kit().db.query(
      `insert into portal_private.sql_query (account_id, name, statement) select $1, 'q' || n, 'select ' || n from generate_series(1, 100) n`,
      [account],
    );
    expect(JSON.stringify(await wrong({ name: 'one more', statement: 'select 1' }))).toContain(
      '100 statements are saved',
    );
    // One that is there is replaced all the same.
    expect((await admin().put(path, { name: 'q1', statement: 'select 0' })).status).toBe(200);
    await kit().db.query('delete from portal_private.sql_query');
  });

  test('is for administrators, and another administrator sees none of it', async () => {
    for (const [method, address] of [
      ['GET', path],
      ['PUT', path],
      ['DELETE', `${path}x/`],
      ['GET', '/api/v2/sql/names/'],
    ] as const) {
      const options =
        method === 'PUT'
          ? {
              body: JSON.stringify({ name: 'x', statement: 'select 1' }),
              headers: { 'content-type': 'application/json' },
            }
          : {};
      expect((await kit().portal.as('bob').request(method, address, options)).status).toBe(403);
      expect((await kit().portal.visitor.request(method, address, options)).status).toBe(401);
    }
    await kit().db.query(
      `insert into portal_private.sql_query (account_id, name, statement) values ($1, 'of another', 'select 1')`,
      [kit().portal.ids.ada],
    );
    expect(await saved()).toEqual([]);
    await kit().db.query('select portal.set_sql_console(false)');
    expect((await admin().get(path)).status).toBe(403);
    expect((await admin().put(path, { name: 'x', statement: 'select 1' })).status).toBe(403);
    await kit().db.query('select portal.set_sql_console(true)');
  });

  test('is completed by the tables and columns that it can name', async () => {
    const reply = await admin().get('/api/v2/sql/names/');
    const { tables } = JSON.parse(String(reply.body)) as {
      readonly tables: readonly {
        readonly schema: string;
        readonly name: string;
        readonly columns: readonly string[];
      }[];
    };
    const found = tables.find(({ schema, name }) => schema === 'portal' && name === 'resource');
    expect(found?.columns).toContain('title');
    expect(tables.some(({ schema }) => schema === 'portal_private')).toBe(false);
  });
});
