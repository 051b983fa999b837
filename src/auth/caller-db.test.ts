// What a caller's batch may do, and what is left of it.

import { beforeEach, expect, test } from 'vitest';
import { onEachEngine } from '../../test/testkit/database.ts';
import { err, ok } from '../kernel/result.ts';
import type { Statement } from '../pg/driver.ts';
import { textRows } from '../pg/rows.ts';
import { type Caller, VISITOR } from './caller.ts';
import { type CallerDbOptions, makeCallerDb, PIPELINED } from './caller-db.ts';

const INFO = { method: 'GET', path: '/here' };
const ADA: Caller = { kind: 'account', id: 7, username: 'ada', role: 'survest_user', via: 'basic' };
const q = (text: string): Statement => ({ text, params: [] });
const INSERT = q('insert into public.kept values (1)');

onEachEngine('the database of a caller', {}, (db) => {
  beforeEach(async () => {
    for (const role of ['survest_anon', 'survest_user'])
      await db().script(`do $$ begin create role ${role} nologin; exception when duplicate_object then null; end $$`);
    await db().script(`drop table if exists public.kept; create table public.kept (n integer);
      grant all on public.kept to survest_anon, survest_user`);
    // Of the portal's migrations no more than what every write asks.
    await db().script(`create schema if not exists portal; grant usage on schema portal to survest_anon, survest_user;
      create or replace function portal.check_writable() returns void language plpgsql as $$ begin end $$`);
  });

  const open = (options?: CallerDbOptions) => makeCallerDb(db().driver, options);
  const kept = async (): Promise<number> => (await db().query('select n from public.kept')).length;

  test('knows who asks, for what, with which limits; the scope is not among the results', async () => {
    const seen =
      q(`select current_user, current_setting('request.jwt.claims')::json->>'sub', current_setting('request.path'),
      current_setting('statement_timeout'), current_setting('jit'), current_setting('transaction_read_only')`);
    const found = await open().read(ADA, INFO, [seen]);
    expect(found.ok && found.value.map(textRows)).toEqual([[['survest_user', '7', '/here', '30s', 'off', 'on']]]);
    const visitor = await open({ statementTimeoutMs: 0 }).write(VISITOR, INFO, [seen]);
    expect(visitor.ok && visitor.value.map(textRows)).toEqual([[['survest_anon', null, '/here', '0', 'off', 'off']]]);
  });

  test('writes nothing where the mode of service forbids it, but what ends the mode', async () => {
    await db().script(`create or replace function portal.check_writable() returns void language plpgsql as
      $$ begin raise 'closed' using errcode = 'SV503'; end $$`);
    expect(await open().write(ADA, INFO, [INSERT])).toMatchObject({ ok: false, error: { sqlstate: 'SV503' } });
    expect(await open().writeInAnyMode(ADA, INFO, [INSERT])).toMatchObject({ ok: true });
    expect(await kept()).toBe(1);
  });

  test('writes only where writing is meant', async () => {
    expect(await open().read(ADA, INFO, [INSERT])).toMatchObject({ ok: false, error: { sqlstate: '25006' } });
    expect(await open().write(ADA, INFO, [INSERT])).toMatchObject({ ok: true });
    expect(await kept()).toBe(1);
    expect(await open().write(ADA, INFO, [INSERT, q('select 1 / 0')])).toMatchObject({ ok: false });
    expect(await kept()).toBe(1);
  });

  test('keeps a transaction that went well, and nothing of one that did not', async () => {
    const work = (result: ReturnType<typeof ok<string>> | ReturnType<typeof err<string>>) =>
      open().transaction<string, string>(ADA, INFO, async (session) => {
        await session.execute([INSERT]);
        return result;
      });
    expect(await work(ok('fine'))).toEqual({ ok: true, value: 'fine' });
    expect(await kept()).toBe(1);
    expect(await work(err('no'))).toEqual({ ok: false, error: 'no' });
    expect(await kept()).toBe(1);
  });

  test('says that a transaction could not be kept', async () => {
    await db().script('alter table public.kept add unique (n) deferrable initially deferred');
    const done = await open().transaction(ADA, INFO, async (session) => {
      await session.execute([INSERT, INSERT]);
      return ok('fine');
    });
    expect(done).toMatchObject({ ok: false, error: { sqlstate: '23505' } });
    expect(await kept()).toBe(0);
  });

  test('does no work for a caller whom it cannot be', async () => {
    const stranger = { ...ADA, role: 'nobody_of_that_name' } as unknown as Caller;
    const done = await open().transaction(stranger, INFO, async () => ok('never'));
    expect(done).toMatchObject({ ok: false, error: { sqlstate: '22023' } });
  });

  test('streams rows of a read, after what comes before it', async () => {
    const chunks: string[] = [];
    const copied = await open().copyOut(
      ADA,
      INFO,
      [q(`select set_config('test.before', 'before', true)`)],
      `copy (select current_user, current_setting('test.before'), current_setting('transaction_read_only')) to stdout`,
      (chunk) => {
        chunks.push(chunk.toString());
      },
    );
    expect(copied.ok).toBe(true);
    expect(chunks.join('')).toBe('survest_user\tbefore\ton\n');
  });

  test('keeps callers apart whose reads follow each other on one connection, one that fails among them', async () => {
    const at = open();
    const seen: Statement = {
      text: `select current_user, current_setting('request.jwt.claims')::json->>'sub', current_setting('request.path'), 1 / $1::integer`,
      params: ['1'],
      name: 'test_seen',
    };
    for (let round = 0; round < 3; round++) {
      const asked = Array.from({ length: 60 }, (_, n) => {
        const caller: Caller = n % 3 === 0 ? VISITOR : { ...ADA, id: n };
        const statement = n % 7 === 5 ? { ...seen, params: ['0'] } : seen;
        return at.read(caller, { method: 'GET', path: `/${n}` }, [statement], PIPELINED);
      });
      for (const [n, found] of (await Promise.all(asked)).entries()) {
        if (n % 7 === 5) expect(found).toMatchObject({ ok: false, error: { sqlstate: '22012' } });
        else
          expect(found.ok && found.value.map(textRows)).toEqual([
            [n % 3 === 0 ? ['survest_anon', null, `/${n}`, '1'] : ['survest_user', String(n), `/${n}`, '1']],
          ]);
      }
    }
    const left = await at.service([q(`select current_user = session_user, current_setting('request.path', true)`)]);
    expect(left.ok && left.value.map(textRows)[0]?.[0]?.[0]).toBe('t');
  });

  test('is the service itself where it has to be', async () => {
    const found = await open().service([q(`select current_user = session_user, current_setting('jit')`)]);
    expect(found.ok && found.value.map(textRows)).toEqual([[['t', 'off']]]);
  });
});
