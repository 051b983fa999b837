// Inserts too large to be held: written in pieces, in one transaction, as their caller, all of them or none.

import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { restListener } from '../../../src/rest/edge/listener.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

/** More than eight megabytes: above what is held. */
const ROWS = 2100;
const FILL = 'x'.repeat(4000);

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: string };
type Row = { readonly id: number; readonly word?: string; readonly fill: string };

onEachEngine('a large insert', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  let server: Server;
  let port: number;

  beforeAll(async () => {
    await db().script(`
      create table test.heaps (id int primary key check (id <> 7654321), word text default 'given', fill text, who text default current_user);
      grant select, insert, update on test.heaps to rest_anon;
      create table test.closed_heaps (id int primary key, fill text)`);
    await rest.client().service.reloadSchema();
    server = createServer(restListener(rest.client().service));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());
  beforeEach(() => db().script('truncate test.heaps'));

  function post(target: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          port,
          host: '127.0.0.1',
          path: target,
          method: 'POST',
          agent: false,
          headers: { 'Content-Type': 'application/json', ...headers },
        },
        (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: text }));
        },
      );
      sent.on('error', reject).end(body);
    });
  }

  function rows(change: (row: Row) => object = (row) => row): readonly object[] {
    return Array.from({ length: ROWS }, (_, at) => change({ id: at + 1, fill: FILL }));
  }

  async function stored(): Promise<unknown> {
    const [found] = await db().query<Record<string, unknown>>(
      `select count(*)::int as rows, count(distinct xmin::text)::int as transactions, min(word) as word, min(who) as who from test.heaps`,
    );
    return found;
  }

  test.each<[string, string, () => string]>([
    ['a JSON array', 'application/json', () => JSON.stringify(rows())],
    [
      'NDJSON',
      'application/x-ndjson',
      () =>
        rows()
          .map((row) => JSON.stringify(row))
          .join('\n'),
    ],
    [
      'CSV',
      'text/csv',
      () =>
        `id,fill\n${rows()
          .map((row) => `${(row as Row).id},${FILL}`)
          .join('\n')}`,
    ],
  ])('of %s is written as its caller, and counted', async (_, type, body) => {
    const answer = await post('/heaps', body(), { 'Content-Type': type, Prefer: 'count=exact' });
    expect(answer).toMatchObject({ status: 201, body: '' });
    expect(answer.headers['content-range']).toBe(`*/${ROWS}`);
    expect(await stored()).toMatchObject({ rows: ROWS, word: 'given', who: 'rest_anon' });
  });

  test('merges duplicates, by columns= and with defaults', async () => {
    await db().script(`insert into test.heaps (id, word) select n, 'old' from generate_series(1, ${ROWS}) n`);
    const prefer = 'resolution=merge-duplicates, missing=default';
    const body = JSON.stringify(rows(({ id, fill }) => (id === 1 ? { id, fill, word: 'own' } : { id, fill })));
    const merged = await post('/heaps?columns=id,fill,word', body, { Prefer: prefer });
    expect(merged.status).toBe(200);
    expect(await stored()).toMatchObject({ rows: ROWS, word: 'given' });
    const [own] = await db().query<{ word: string }>('select word from test.heaps where id = 1');
    expect(own?.word).toBe('own');
  });

  test('that fails names the row, and leaves nothing', async () => {
    const wrong = await post(
      '/heaps',
      JSON.stringify(rows((row) => (row.id === 1801 ? { ...row, id: 7_654_321 } : row))),
    );
    expect(wrong.status).toBe(400);
    expect(JSON.parse(wrong.body)).toMatchObject({
      code: '23514',
      hint: 'It is about row 1801 of the body; nothing was written.',
    });
    const twice = await post('/heaps', JSON.stringify(rows((row) => (row.id === 2000 ? { ...row, id: 1999 } : row))));
    expect(twice.status).toBe(409);
    expect(JSON.parse(twice.body).hint).toBe('It is about row 2000 of the body; nothing was written.');
    const keys = await post('/heaps', JSON.stringify(rows((row) => (row.id === 2000 ? { id: 2000 } : row))));
    expect(keys.status).toBe(400);
    expect(JSON.parse(keys.body).message).toBe('All object keys must match');
    const cut = await post('/heaps', JSON.stringify(rows()).slice(0, -2));
    expect(cut.status).toBe(400);
    const csv = `id,fill\n${rows()
      .map((row) => `${(row as Row).id},${FILL}`)
      .join('\n')}\n2101,"open`;
    const quoted = await post('/heaps', csv, { 'Content-Type': 'text/csv' });
    expect(quoted.status).toBe(400);
    expect(quoted.body).toContain('2102');
    expect(await stored()).toMatchObject({ rows: 0 });
  });

  test('is refused where it is not allowed, or wants its rows back and is too large for that', async () => {
    expect((await post('/closed_heaps', JSON.stringify(rows()))).status).toBe(401);
    expect((await post('/no_such_heaps', JSON.stringify(rows()))).status).toBe(404);
    const shown = await post('/heaps?select=id', JSON.stringify(rows()), { Prefer: 'return=representation' });
    expect(shown.status).toBe(201);
    expect(JSON.parse(shown.body)).toHaveLength(ROWS);
  });

  test('of unknown length that turns out small is one as any other', async () => {
    const answer = await post('/heaps?select=id', JSON.stringify([{ id: 1 }]), {
      'Transfer-Encoding': 'chunked',
      Accept: 'application/vnd.pgrst.object+json',
    });
    expect(answer.status).toBe(201);
    expect(await stored()).toMatchObject({ rows: 1 });
  });
});
