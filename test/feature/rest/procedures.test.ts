// CALL of procedures: arguments in, OUT arguments out, in the request's transaction or, where their owner says so, outside of it.

import { beforeEach, expect, test } from 'vitest';
import type { Driver, Session } from '../../../src/pg/driver.ts';
import { LEDGER, LEDGER_SETTINGS } from '../../fixtures/ledger/ledger.ts';
import { onEachEngine, type TestDatabase } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

onEachEngine('procedures', { fixtures: LEDGER }, (db) => {
  let batches = 0;
  const counted = (driver: Driver): Driver => ({
    ...driver,
    hold: (work, options) => {
      const counting = (session: Session): Session => ({
        ...session,
        execute: (batch) => {
          batches += 1;
          return session.execute(batch);
        },
      });
      return driver.hold((session) => work(counting(session)), options);
    },
  });
  const settings = { ...LEDGER_SETTINGS, 'db-tx-end': 'commit-allow-override', 'db-plan-enabled': 'true' };
  const rest = useRest(db, settings, counted);
  const amounts = (): Promise<unknown[]> => amountsIn(db());
  beforeEach(() => db().script('delete from ledger.entries'));

  test('one without OUT arguments is done as the caller and answers nothing', async () => {
    expect(await rest.post('/rpc/add_entry', { amount: 5 })).toMatchReply({ status: 204, text: '' });
    expect(await rest.request('POST', '/rpc/add_entry', { body: { amount: '6.5' }, as: 'rest_author' })).toMatchReply({
      status: 204,
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await rest.post('/rpc/add_entry', 'amount=7', form)).toMatchReply({ status: 204 });
    expect(await rest.post('/rpc/take', { amount: 8 })).toMatchReply({ status: 204 });
    expect(await amounts()).toEqual([
      [5, 'rest_anon'],
      [6.5, 'rest_author'],
      [7, 'rest_anon'],
      [8, 'rest_anon'],
    ]);
  });

  test('OUT and INOUT arguments are the answer, and are selected as columns are', async () => {
    const body = { amounts: [1, 2.5], note: { by: 'Ada' }, span: { first: 1, last: 4 } };
    const all = await rest.post('/rpc/book', body);
    expect(all).toMatchReply({
      status: 200,
      json: { span: { first: 1, last: 6 }, total: 3.5, who: 'rest_anon Ada' },
    });
    expect(await rest.post('/rpc/book?select=sum:total::text', { amounts: [] })).toMatchReply({ json: { sum: null } });
    expect(await rest.post('/rpc/book?select=who', [{ amounts: [4] }], { accept: 'text/csv' })).toMatchReply({
      text: 'who\nrest_anon',
    });
    expect((await amounts()).length).toBe(3);
  });

  test('it is one batch where nothing that it brings goes back to the database, with the same answer', async () => {
    const call = async (body: object): Promise<readonly [number, unknown]> => {
      batches = 0;
      const reply = await rest.post('/rpc/told', body);
      expect(reply).toMatchReply({ status: 200, headers: { 'x-told': 'yes' } });
      return [batches, String(reply.body)];
    };
    const said = '{"amount":1.50,"word":"a \\"b\\"\\n","nothing":null}';
    // The first one shows what kind of row it brings.
    expect(await call({ amount: '1.50' })).toEqual([2, said]);
    expect(await call({ amount: '1.50' })).toEqual([1, said]);
    batches = 0;
    await rest.post('/rpc/add_entry', { amount: 5 });
    expect(batches).toBe(1);
    expect((await amounts()).length).toBe(3);
  });

  test('dates in the style of the transaction are read in it', async () => {
    for (let i = 0; i < 3; i++)
      expect(await rest.post('/rpc/dated', {})).toMatchReply({ json: { since: '2026-02-01' } });
  });

  test('a rollback that is preferred undoes it', async () => {
    const reply = await rest.post('/rpc/book', { amounts: [1] }, { prefer: 'tx=rollback' });
    expect(reply).toMatchReply({ status: 200, headers: { 'preference-applied': 'tx=rollback' } });
    expect(await amounts()).toEqual([]);
  });

  test('GET, plans and what the caller may not execute are refused', async () => {
    expect(await rest.get('/rpc/add_entry?amount=1')).toMatchReply({
      status: 405,
      headers: { allow: 'OPTIONS,POST' },
      json: problem('SVRST101', "The procedure 'add_entry' must be called with POST"),
    });
    expect(await rest.request('OPTIONS', '/rpc/add_entry')).toMatchReply({ headers: { allow: 'OPTIONS,POST' } });
    const plan = await rest.post('/rpc/add_entry', { amount: 1 }, { accept: 'application/vnd.pgrst.plan' });
    expect(plan).toMatchReply({ status: 406 });
    expect(await rest.request('POST', '/rpc/private')).toMatchReply({
      status: 401,
      json: expect.objectContaining({ code: '42501' }),
    });
    expect(await amounts()).toEqual([]);
  });

  test('a name or argument that is not there gets the hint that functions get', async () => {
    expect(await rest.post('/rpc/add_entri', { amount: 1 })).toMatchReply({
      status: 404,
      json: expect.objectContaining({
        code: 'SVRST202',
        hint: 'Perhaps you meant to call the function ledger.add_entry',
      }),
    });
    expect(await rest.post('/rpc/add_entry', { amont: 1 })).toMatchReply({
      status: 404,
      json: expect.objectContaining({ hint: 'Perhaps you meant to call the function ledger.add_entry(amount)' }),
    });
  });

  test('one that commits in the transaction of the request is told how it could', async () => {
    expect(await rest.post('/rpc/split', { amount: 10 })).toMatchReply(
      failure(500, 'SVRST184', "The procedure 'split' ends the transaction that it runs in", {
        details: 'Nothing was changed: COMMIT and ROLLBACK are not possible in the transaction of a request.',
        hint: "A line '@survest outside-transaction' in the comment on the procedure lets it run outside of it.",
      }),
    );
    expect(await amounts()).toEqual([]);
  });

  test('in a batch those without OUT arguments are called, in its transaction', async () => {
    const batch = async (...names: string[]): Promise<unknown> => {
      const parts = names.map((name) => ({ method: 'POST', path: `/rpc/${name}`, body: { amount: 1 } }));
      const reply = await rest.post('/batch', parts);
      return (JSON.parse(String(reply.body)) as { status: number }[]).map(({ status }) => status);
    };
    expect(await batch('add_entry', 'add_entry')).toEqual([204, 204]);
    expect((await amounts()).length).toBe(2);
    expect(await batch('add_entry', 'split_outside')).toEqual([424, 400]);
    expect(await batch('add_entry', 'split')).toEqual([424, 400]);
    expect((await amounts()).length).toBe(2);
  });

  test('the document has them, without their directives; the log names directives that mean nothing', async () => {
    const reply = await rest.get('/', { accept: 'application/openapi+json;version=3.1' });
    const text = String(reply.body);
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { summary?: string }>> };
    expect(Object.keys(paths['/rpc/split_outside'] ?? {})).toEqual(['post']);
    expect(paths['/rpc/split_outside']?.['post']?.summary).toBe('Books in two halves.');
    expect(paths['/rpc/private']).toBeUndefined();
    expect(text).not.toContain('@survest');
    const left = rest
      .client()
      .service.state()
      .cache?.omissions.map(({ what }) => what);
    expect(left).toEqual([
      'the procedure ledger.shy',
      '@survest outside-transaction in the comment on the function ledger.session',
    ]);
  });
});

onEachEngine('procedures outside the transaction', { fixtures: LEDGER, engines: ['postgres'] }, (db) => {
  const rest = useRest(db, { ...LEDGER_SETTINGS, 'db-tx-end': 'commit-allow-override' });
  const amounts = (): Promise<unknown[]> => amountsIn(db());
  beforeEach(() => db().script('delete from ledger.entries'));
  const session = async (): Promise<unknown> => JSON.parse(String((await rest.get('/rpc/session')).body));

  test('it commits, and is still the caller behind its commit', async () => {
    for (let i = 0; i < 5; i++) {
      const reply = await rest.request('POST', '/rpc/split_outside', { body: { amount: 10 }, as: 'rest_author' });
      expect(reply).toMatchReply({
        status: 202,
        json: { who: 'rest_author', claim: 'rest_author', level: 'read committed' },
      });
      expect(await session()).toMatchObject({ role: 'rest_anon' });
    }
    expect(await amounts()).toEqual(Array.from({ length: 10 }, () => [5, 'rest_author']));
  });

  test('what it leaves on the connection is undone, also when it fails behind its commit', async () => {
    const failed = await rest.request('POST', '/rpc/split_outside', {
      body: { amount: 10, fails: true },
      as: 'rest_author',
    });
    expect(failed).toMatchReply({ status: 400, json: problem('P0001', 'failed halfway') });
    expect(await amounts()).toEqual([[5, 'rest_author']]);
    for (let i = 0; i < 5; i++) {
      const { status, arguments: left } = (await session()) as { status: string | null; arguments: string | null };
      expect([status ?? '', left ?? '']).toEqual(['', '']);
    }
    expect(await rest.post('/rpc/add_entry', { amount: 1 })).toMatchReply({ status: 204 });
    expect((await amounts()).at(-1)).toEqual([1, 'rest_anon']);
  });

  test('a rollback is refused before anything is done', async () => {
    expect(await rest.post('/rpc/split_outside', { amount: 10 }, { prefer: 'tx=rollback' })).toMatchReply({
      status: 400,
      json: expect.objectContaining({ code: 'SVRST185' }),
    });
    expect(await amounts()).toEqual([]);
  });
});

// The embedded database has one session, and nobody else may find a role in it.
onEachEngine('procedures outside the transaction', { fixtures: LEDGER, engines: ['pglite'] }, (db) => {
  const rest = useRest(db, LEDGER_SETTINGS);

  test('are refused before anything is done', async () => {
    expect(await rest.post('/rpc/split_outside', { amount: 10 })).toMatchReply({
      status: 400,
      json: expect.objectContaining({ code: 'SVRST185' }),
    });
    expect(await amountsIn(db())).toEqual([]);
    expect(await rest.get('/rpc/session')).toMatchReply({ json: expect.objectContaining({ role: 'rest_anon' }) });
  });
});

async function amountsIn(db: TestDatabase): Promise<unknown[]> {
  const rows = await db.query('select amount::float8 as amount, who from ledger.entries order by id');
  return rows.map((row) => [Number(row['amount']), row['who']]);
}
