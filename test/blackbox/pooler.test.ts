// Behind a transaction pooler: what the program says while it is set up for a server of its own, and that everything works
// once it is told.

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ANONYMOUS, AUTHENTICATOR, AUTHOR, READER, REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { missing } from '../testkit/machine.ts';
import { findPgbouncer, type Pooler, startPgbouncer } from '../testkit/pgbouncer.ts';
import { tokenFor } from '../testkit/rest-client.ts';
import {
  asAuthenticator,
  ask,
  eventually,
  type HttpAnswer,
  type RunningRest,
  restSettings,
  type Settings,
  startRest,
  trouble,
} from './program.ts';

const pgbouncer = findPgbouncer();
const { postgres } = inject('engines');
// Where everything has to be tested, nothing is left out.
const absent = process.env['CI'] === undefined ? missing('pgbouncer') : undefined;

onEachEngine(
  'a transaction pooler',
  { fixtures: REST_FIXTURE, engines: ['postgres'], ...(absent !== undefined && { skip: { postgres: absent } }) },
  (db) => {
    let pooler: Pooler;
    beforeAll(async () => {
      if (pgbouncer === undefined || postgres.kind === 'absent') throw new Error('the tests of CI need PgBouncer');
      pooler = await startPgbouncer(pgbouncer, new URL(postgres.uri), [AUTHENTICATOR]);
    });
    afterAll(() => pooler.stop());

    const behind = (more: Settings = {}): Settings =>
      restSettings(db(), { 'db-uri': pooler.uri(asAuthenticator(db())), 'db-pool': '8', ...more });
    const as = (role: string): Settings => ({ authorization: `Bearer ${tokenFor({ role })}` });

    test('is recognised, and the program says what to set', async () => {
      const program = await startRest(behind({ 'db-channel-enabled': 'false' }));
      const seen: HttpAnswer[] = [];
      let isOver = false;
      const caller = async (role: string): Promise<void> => {
        while (!isOver) seen.push(await program.get('/rpc/whoami', as(role)).catch(() => GONE));
      };
      const callers = [AUTHOR, READER, AUTHOR, READER, AUTHOR, READER].map(caller);
      await program.told('transaction pooler in front of the database');
      isOver = true;
      await Promise.all(callers);
      expect(program.err()).toContain('set db-prepared-statements = false and db-channel-enabled = false');
      // Until then as well: a right answer or none.
      for (const { status, text } of seen)
        if (status === 200) expect([AUTHOR, READER]).toContain((JSON.parse(text) as { role: string }).role);
        else expect([0, 503]).toContain(status);
      await program.stop();
    });

    test('lets no notification through, which is told, and changes are seen all the same', async () => {
      const program = await startRest(behind({ 'db-prepared-statements': 'false' }));
      await program.told('Notifications on the channel "pgrst" do not arrive');
      await db().script('create table test.unheard (id int primary key); grant select on test.unheard to rest_anon');
      await eventually(
        () => program.get('/unheard'),
        ({ status }) => status === 200,
      );
      await program.stop();
    });

    describe('that the program was told of', () => {
      let program: RunningRest;
      beforeAll(async () => {
        program = await startRest(
          behind({
            'db-prepared-statements': 'false',
            'db-channel-enabled': 'false',
            'db-tx-end': 'commit-allow-override',
          }),
        );
      });
      afterAll(async () => {
        await program.stop();
        expect(trouble(program)).toEqual([]);
      });

      const send = (method: string, target: string, body: unknown, headers: Settings = {}): Promise<HttpAnswer> =>
        ask(program.url, target, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      const brief = ({ status, text }: HttpAnswer): unknown => [status, text === '' ? undefined : JSON.parse(text)];

      test('lets nobody have the role or the settings of another', async () => {
        const roles = [ANONYMOUS, AUTHOR, READER];
        const callers = Array.from({ length: 12 }, async (_, n) => {
          const role = roles[n % roles.length] ?? ANONYMOUS;
          for (let i = 0; i < 25; i++) {
            const { status, text } = await program.get('/rpc/whoami', as(role));
            expect([status, JSON.parse(text)]).toEqual([200, { role, claims: { role } }]);
          }
        });
        await Promise.all(callers);
      });

      test.each<[string, string, string, unknown, Settings, unknown]>([
        [
          'a read',
          'GET',
          '/clients?select=id,projects(id)&id=eq.1',
          undefined,
          {},
          [200, [{ id: 1, projects: [{ id: 1 }, { id: 2 }] }]],
        ],
        ['a counted read', 'GET', '/items?limit=1', undefined, { prefer: 'count=exact' }, [206, [{ id: 1 }]]],
        ['a planned count', 'GET', '/items?limit=1', undefined, { prefer: 'count=planned' }, [206, [{ id: 1 }]]],
        ['a function', 'POST', '/rpc/add_them', { a: 1, b: 2 }, {}, [200, 3]],
        ['a write', 'POST', '/shelves', [{ id: 901 }, { id: 902 }], {}, [201, undefined]],
        [
          'a write that is shown',
          'PATCH',
          '/shelves?id=eq.901',
          { label: 'x' },
          { prefer: 'return=representation' },
          [200, [{ id: 901, label: 'x', amount: 0, note: 'as delivered' }]],
        ],
        [
          'one that is judged before it stays',
          'DELETE',
          '/shelves?id=gt.900',
          undefined,
          { prefer: 'handling=strict, max-affected=1' },
          [400, expect.objectContaining({ code: 'SVRST124' })],
        ],
        [
          'one that is taken back',
          'DELETE',
          '/shelves?id=gt.900',
          undefined,
          { prefer: 'tx=rollback' },
          [204, undefined],
        ],
        [
          'what was taken back',
          'GET',
          '/shelves?id=gt.900&select=id&order=id',
          undefined,
          {},
          [200, [{ id: 901 }, { id: 902 }]],
        ],
        [
          'an error of the database',
          'POST',
          '/shelves',
          { id: 901 },
          {},
          [409, expect.objectContaining({ code: '23505' })],
        ],
        ['an isolation level', 'GET', '/rpc/serializable_function', undefined, {}, [200, 'serializable']],
        [
          'a role with a level of its own',
          'GET',
          '/rpc/transaction',
          undefined,
          as('rest_repeatable'),
          [200, expect.objectContaining({ isolation: 'repeatable read' })],
        ],
        [
          'a time zone',
          'GET',
          '/rpc/transaction',
          undefined,
          { prefer: 'timezone=Asia/Tokyo' },
          [200, expect.objectContaining({ timezone: 'Asia/Tokyo' })],
        ],
        [
          'the one who asks next',
          'GET',
          '/rpc/transaction',
          undefined,
          {},
          [200, expect.objectContaining({ timezone: 'UTC', isolation: 'read committed' })],
        ],
      ])('%s', async (_, method, target, body, headers, expected) => {
        expect(brief(await send(method, target, body, headers))).toEqual(expected);
      });

      test('a change of the schema is followed, by signal', async () => {
        await db().script('create table test.pooled (id int primary key); grant select on test.pooled to rest_anon');
        expect((await program.get('/pooled')).status).toBe(404);
        const before = program.err().length;
        program.child.kill('SIGUSR1');
        await program.told('Schema cache loaded', before);
        expect((await program.get('/pooled')).status).toBe(200);
      });

      test('who leaves has the statement cancelled', async () => {
        const leaving = new AbortController();
        const slow = fetch(`${program.url}/rpc/sleep`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"seconds":60}',
          signal: leaving.signal,
        });
        const sleepers = async (): Promise<number> =>
          (
            await db().query(
              `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like '%"sleep"%'`,
            )
          ).length;
        while ((await sleepers()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
        leaving.abort();
        await expect(slow).rejects.toThrow();
        while ((await sleepers()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      });
    });
  },
);

/** The program may end over it. */
const GONE: HttpAnswer = { status: 0, headers: {}, text: '' };
