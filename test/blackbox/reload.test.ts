// The running program learns of changes: by notification, by signal, by itself; and what it knew stays until the new is there.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTHENTICATOR, REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import {
  environment,
  eventually,
  LOADED,
  type RunningRest,
  restSettings,
  runProgram,
  startRest,
  trouble,
} from './program.ts';

onEachEngine('reload', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  let folder: string;
  let conf: string;
  let program: RunningRest;

  function configure(maxRows: number | 'nonsense'): void {
    writeFileSync(conf, maxRows === 'nonsense' ? 'db-tx-end = "sometimes"\n' : `db-max-rows = ${maxRows}\n`);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-reload-'));
    conf = join(folder, 'rest.conf');
    configure(4);
    program = await startRest(restSettings(db(), { 'db-extra-search-path': 'public' }), { args: [conf] });
    await program.told('Listening for notifications');
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(
      trouble(program, [/Settings not reloaded/, /could not be loaded/, /No longer listening/, /connection was lost/]),
    ).toEqual([]);
  });

  const rows = async (): Promise<number> => (JSON.parse((await program.get('/items')).text) as unknown[]).length;
  const isStatus = (status: number) => (reply: { readonly status: number }) => reply.status === status;
  const status = (wanted: number, target: string): Promise<unknown> =>
    eventually(() => program.get(target), isStatus(wanted));
  const makeTable = (name: string): Promise<void> =>
    db().script(`create table test.${name} (id int primary key); grant select on test.${name} to rest_anon`);

  describe('of the schema', () => {
    test.each([
      ['NOTIFY with its words', 'told_by_words', () => db().script("notify pgrst, 'reload schema'")],
      ['NOTIFY without any', 'told_by_nothing', () => db().script('notify pgrst')],
      [
        'NOTIFY with the number of the table',
        'told_by_number',
        () => db().script(`select pg_notify('pgrst', 'reload schema ' || 'test.told_by_number'::regclass::oid)`),
      ],
      ['SIGUSR1', 'told_by_signal', async () => void program.child.kill('SIGUSR1')],
    ])('by %s', async (_, table, tell) => {
      await makeTable(table);
      expect((await program.get(`/${table}`)).status).toBe(404);
      await tell();
      await status(200, `/${table}`);
    });

    test('is not lost when it is asked for while one runs, and a hundred are not a hundred', async () => {
      const before = program.err().split(LOADED).length;
      for (let i = 0; i < 50; i++) await db().script("notify pgrst, 'reload schema'");
      await makeTable('told_last');
      for (let i = 0; i < 50; i++) await db().script("notify pgrst, 'reload schema'");
      await status(200, '/told_last');
      expect(program.err().split(LOADED).length - before).toBeLessThan(50);
    });

    test('other words are nothing to us', async () => {
      const before = program.err().length;
      await db().script(`notify pgrst, 'reload everything'; notify pgrst, 'hello'`);
      await db().script("notify pgrst, 'reload schema'");
      await program.told(LOADED, before);
      expect((await program.get('/items')).status).toBe(200);
    });

    test('goes on under requests without one of them failing', async () => {
      let isOver = false;
      const seen = new Set<number>();
      const load = async (): Promise<void> => {
        while (!isOver) seen.add((await program.get('/items?limit=1')).status);
      };
      const loads = [load(), load(), load()];
      for (let i = 0; i < 5; i++) {
        const before = program.err().length;
        await db().script("notify pgrst, 'reload schema'");
        await program.told(LOADED, before);
      }
      isOver = true;
      await Promise.all(loads);
      expect([...seen]).toEqual([200]);
    });

    test('that fails leaves the old one in use, and is tried again', async () => {
      const before = program.err().length;
      // What is in the catalogue cannot be read: every load fails, while requests do not need it.
      await db().script('revoke select on pg_catalog.pg_attrdef from public');
      await makeTable('made_while_failing');
      await db().script("notify pgrst, 'reload schema'");
      await program.told('serving on with the one before', before);
      expect(program.err().slice(before)).toContain('permission denied');
      const answers = await Promise.all(
        ['/items?select=id&limit=1', '/clients?select=id,projects(id)&limit=1', '/rpc/add_them?a=1&b=2'].map((target) =>
          program.get(target),
        ),
      );
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
      expect((await program.get('/made_while_failing')).status).toBe(404);
      // Nobody has to ask for the next attempt.
      await db().script('grant select on pg_catalog.pg_attrdef to public');
      await status(200, '/made_while_failing');
    });

    describe('and the connections', () => {
      const reload = async (): Promise<void> => {
        const before = program.err().length;
        await db().script("notify pgrst, 'reload schema'");
        await program.told(LOADED, before);
      };
      const backends = async (): Promise<readonly number[]> =>
        (
          await db().query<{ pid: number }>(
            `select pid from pg_stat_activity where datname = current_database() and usename = '${AUTHENTICATOR}' order by pid`,
          )
        ).map(({ pid }) => pid);

      test('that are open stay open', async () => {
        expect((await program.get('/items?limit=1')).status).toBe(200);
        const before = await backends();
        await reload();
        expect(await backends()).toEqual(before);
      });

      test('are made anew where the connecting role was told something', async () => {
        const tell = (what: string): Promise<void> => db().script(`alter role ${AUTHENTICATOR} ${what}`);
        const greeting = async (): Promise<string> => (await program.get('/rpc/get_setting?name=app.greeting')).text;
        expect(await greeting()).toBe('null');
        await tell(`set app.greeting = 'hello'`);
        await reload();
        await eventually(greeting, (text) => text === '"hello"');
        await tell('reset app.greeting');
        await reload();
        await eventually(greeting, (text) => text === 'null');
      });
    });

    test('follows when the listener had to connect again', async () => {
      const before = program.err().length;
      await db().query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
      );
      await program.told('No longer listening', before);
      // Announced while nobody listens.
      await makeTable('told_to_nobody');
      await db().script("notify pgrst, 'reload schema'");
      await program.told('Listening for notifications', before);
      await status(200, '/told_to_nobody');
    });
  });

  describe('of the settings', () => {
    test('by NOTIFY', async () => {
      configure(3);
      await db().script("notify pgrst, 'reload config'");
      await eventually(rows, (count) => count === 3);
    });

    test('by SIGUSR2', async () => {
      configure(2);
      program.child.kill('SIGUSR2');
      await eventually(rows, (count) => count === 2);
    });

    test('with a mistake changes nothing', async () => {
      const before = program.err().length;
      configure('nonsense');
      program.child.kill('SIGUSR2');
      await program.told('Settings not reloaded', before);
      expect(program.err().slice(before)).toMatch(
        /Settings not reloaded, those in force stay: db-tx-end: Invalid transaction termination.*; given: "sometimes"/,
      );
      expect(await rows()).toBe(2);
      configure(4);
    });

    test('in the database', async () => {
      const inDatabase = (what: string): Promise<void> =>
        db().script(
          `do $$ begin execute format('alter role ${AUTHENTICATOR} in database %I ${what}', current_database()); end $$`,
        );
      await inDatabase('set pgrst.db_max_rows = 1');
      await db().script("notify pgrst, 'reload config'");
      await eventually(rows, (count) => count === 1);
      await inDatabase('reset pgrst.db_max_rows');
      await db().script("notify pgrst, 'reload config'");
      await eventually(rows, (count) => count === 4);
    });
  });

  test('without settings in the database, file and schemas are still read anew', async () => {
    const own = join(folder, 'own.conf');
    writeFileSync(own, 'db-schemas = "test"\n');
    const { 'db-schemas': _, ...settings } = restSettings(db(), { 'db-config': 'false' });
    const other = await startRest(settings, { args: [own] });
    expect((await other.get('/items', { 'accept-profile': 'v1' })).status).toBe(406);
    writeFileSync(own, 'db-schemas = "test, v1"\n');
    other.child.kill('SIGUSR2');
    await eventually(() => other.get('/', { 'accept-profile': 'v1' }), isStatus(200));
    await other.stop();
    expect(trouble(other)).toEqual([]);
  });

  describe('by the event trigger', () => {
    const migrate = (...flags: string[]): ReturnType<typeof runProgram> =>
      runProgram(['migrate', '--rest-only', ...flags], environment({ 'db-uri': db().uri ?? '' }));

    test('every change of the schema is followed by itself', async () => {
      for (let i = 0; i < 2; i++) {
        const done = await migrate('--db-event-trigger');
        expect(done).toEqual({ code: 0, out: 'changes of the schema are announced on the channel "pgrst"\n', err: '' });
      }
      await makeTable('told_by_itself');
      await status(200, '/told_by_itself');
      await db().script('drop table test.told_by_itself');
      await status(404, '/told_by_itself');
    });

    test('a temporary table is nobody else’s business', async () => {
      const client = `create temp table mine (id int); drop table mine; create temp table mine (id int)`;
      const before = program.err().length;
      await db().script(client);
      await db().script("notify pgrst, 'reload config'");
      await program.told(/Told to reload: "reload config"/, before);
      expect(program.err().slice(before)).not.toContain('Told to reload: "reload schema');
    });

    test('it can be taken away', async () => {
      expect(await migrate('--remove-event-trigger')).toEqual({
        code: 0,
        out: 'the event trigger is removed\n',
        err: '',
      });
      expect(await migrate('--remove-event-trigger')).toMatchObject({ code: 0 });
      expect(await db().query("select 1 from pg_event_trigger where evtname like 'survest%'")).toEqual([]);
      expect(await migrate()).toEqual({ code: 0, out: 'nothing to do\n', err: '' });
    });

    test('an account that may not is told so', async () => {
      const settings = { 'db-uri': restSettings(db())['db-uri'] ?? '' };
      const done = await runProgram(['migrate', '--rest-only', '--db-event-trigger'], environment(settings));
      expect(done).toMatchObject({ code: 1, out: '' });
      expect(done.err).toContain('the event trigger could not be created');
    });
  });
});
