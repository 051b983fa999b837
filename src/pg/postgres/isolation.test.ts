// What one caller sets for its batch is never seen by another, whatever became of the batch.

import { describe, expect, onTestFinished, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Batch, Driver, Statement } from '../driver.ts';
import { textRows } from '../rows.ts';
import { makePostgresDriver } from './postgres-driver.ts';

const ROLES = Array.from({ length: 6 }, (_, i) => `isolation_role_${i}`);
const CONNECTIONS = 8;

const makeRoles = ROLES.map(
  (role) => `do $$ begin create role ${role} nologin; exception when duplicate_object then null; end $$;`,
).join('\n');

function q(text: string, ...params: string[]): Statement {
  return { text, params };
}

function scope(role: string, claim: string): Statement {
  return {
    text: `select set_config('role', $1, true), set_config('request.claim', $2, true), set_config('statement_timeout', '30s', true)`,
    params: [role, claim],
    name: 'scope',
  };
}

const whoAmI: Statement = {
  text: `select current_user, coalesce(current_setting('request.claim', true), ''), current_setting('statement_timeout')`,
  params: [],
  name: 'whoami',
};
const NOBODY = [['postgres', '', '0']];

function open(uri: string | undefined): Driver {
  const driver = makePostgresDriver({ uri: uri ?? '', poolSize: CONNECTIONS });
  onTestFinished(() => driver.close());
  return driver;
}

async function see(driver: Driver, batch: Batch): Promise<unknown> {
  const result = await driver.execute(batch);
  const last = result.ok ? result.value.at(-1) : undefined;
  return last === undefined ? result : textRows(last);
}

onEachEngine('settings', { engines: ['postgres'] }, (db) => {
  test('of thousands of mixed batches stay each with their own', async () => {
    const driver = open(db().uri);
    await driver.script(`${makeRoles} create table seen (id int); grant all on seen to public`);
    let n = 0;
    const strays: unknown[] = [];
    const expectSeen = (found: unknown, expected: unknown): void => {
      if (JSON.stringify(found) !== JSON.stringify(expected)) strays.push({ found, expected });
    };

    const kinds: ((role: string, claim: string) => Promise<void>)[] = [
      // Most are batches that succeed, the last statement of which tells what it saw.
      ...new Array<(role: string, claim: string) => Promise<void>>(6).fill(async (role, claim) => {
        expectSeen(await see(driver, [scope(role, claim), whoAmI]), [[role, claim, '30s']]);
      }),
      // Without any scope, as the service's own statements.
      async () => expectSeen(await see(driver, [whoAmI]), NOBODY),
      async () => expectSeen(await see(driver, [{ ...whoAmI, name: 'another' }]), NOBODY),
      // An error in SQL, after the scope or in it.
      async (role, claim) => {
        const failed = await driver.execute([scope(role, claim), q('select 1/0'), whoAmI]);
        expectSeen(failed.ok, false);
      },
      async (_role, claim) => {
        const failed = await driver.execute([scope('no_such_role', claim), whoAmI]);
        expectSeen(failed.ok, false);
      },
      // Cancelled while it runs, or while it waits for a connection.
      async (role, claim) => {
        const controller = new AbortController();
        const running = driver.execute([scope(role, claim), q('select pg_sleep(20)')], { signal: controller.signal });
        setImmediate(() => controller.abort());
        expectSeen((await running).ok, false);
      },
      // A transaction of several batches: committed, left open, or thrown out of.
      async (role, claim) => {
        const held = await driver.hold(async (session) => {
          await session.execute([q('begin'), scope(role, claim)]);
          const mine = await session.execute([whoAmI]);
          const [row] = mine.ok ? mine.value : [];
          expectSeen(row && textRows(row), [[role, claim, '30s']]);
          if (n % 2 === 0) await session.execute([q('commit')]);
        });
        expectSeen(held.ok, true);
      },
      async (role, claim) => {
        await driver
          .hold(async (session) => {
            await session.execute([q('begin'), scope(role, claim), q('insert into seen values (1)')]);
            throw new Error('a bug');
          })
          .then(
            () => strays.push('the bug was swallowed'),
            () => {},
          );
      },
      // COPY, with a source that fails.
      async (role, claim) => {
        await driver
          .copyIn([scope(role, claim)], 'copy seen from stdin', async (sink) => {
            await sink.write(Buffer.from('1\n'));
            throw new Error('a bug');
          })
          .then(
            () => strays.push('the bug was swallowed'),
            () => {},
          );
      },
      // A backend that is killed under its batch.
      async (role, claim) => {
        const killed = await driver.execute([
          q('select pg_terminate_backend(pg_backend_pid())'),
          scope(role, claim),
          whoAmI,
        ]);
        expectSeen(killed.ok, false);
      },
    ];

    const worker = async (): Promise<void> => {
      while (n < 3000) {
        const i = n++;
        const role = ROLES[i % ROLES.length] ?? '';
        await kinds[(i * 7) % kinds.length]?.(role, `claim ${i}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS * 3 }, worker));
    expect(strays).toEqual([]);

    const { open: opened, idle } = driver.stats();
    expect(idle).toBe(opened);
    for (let i = 0; i < CONNECTIONS * 2; i++) expect(await see(driver, [whoAmI])).toEqual(NOBODY);
    expect(await see(driver, [q('select count(*) from seen')])).toEqual([['0']]);
  }, 120_000);

  describe('are gone after', () => {
    const mine = scope('isolation_role_0', 'mine');
    const endings: [string, (driver: Driver) => Promise<unknown>][] = [
      ['success', (driver) => driver.execute([mine, whoAmI])],
      ['an error in SQL', (driver) => driver.execute([mine, q('select 1/0')])],
      ['an error in parsing', (driver) => driver.execute([mine, q('selec')])],
      ['an error at commit', (driver) => driver.execute([mine, q('select pg_notify($1, $2)', 'x'.repeat(64), '')])],
      [
        'a bug in hold',
        (driver) =>
          driver
            .hold(async (session) => {
              await session.execute([q('begin'), mine]);
              throw new Error('a bug');
            })
            .catch(() => {}),
      ],
      ['a transaction left open', (driver) => driver.hold((session) => session.execute([q('begin'), mine]))],
      [
        'a transaction left failed',
        (driver) => driver.hold((session) => session.execute([q('begin'), mine, q('select 1/0')])),
      ],
      ['a batch that begins and does not end', (driver) => driver.execute([q('begin'), mine])],
      ['a script that begins and does not end', (driver) => driver.script(`begin; set local role isolation_role_0`)],
      ['a copy out', (driver) => driver.copyOut([mine], 'copy (select 1) to stdout', () => {})],
      [
        'a copy out whose reader fails',
        (driver) =>
          driver
            .copyOut([mine], 'copy (select generate_series(1, 100000)) to stdout', () => {
              throw new Error('a bug');
            })
            .catch(() => {}),
      ],
      ['a killed backend', (driver) => driver.execute([mine, q('select pg_terminate_backend(pg_backend_pid())')])],
    ];

    test.each(endings)('%s', async (_name, run) => {
      const driver = makePostgresDriver({ uri: db().uri ?? '', poolSize: 1 });
      onTestFinished(() => driver.close());
      await driver.script(makeRoles);
      await run(driver);
      expect(await see(driver, [whoAmI])).toEqual(NOBODY);
      expect(await see(driver, [mine, whoAmI])).toEqual([['isolation_role_0', 'mine', '30s']]);
    });
  });
});
