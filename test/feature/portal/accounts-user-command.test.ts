// survest user …: the commands over a database that has never seen the program, and as a program of its own.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyPassword } from '../../../src/auth/password.ts';
import { ok } from '../../../src/kernel/result.ts';
import { lockFolder } from '../../../src/pg/data-folder/folder-lock.ts';
import { runUserCommand, type UserCommand } from '../../../src/server/cli/user-command.ts';
import { MAIN } from '../../blackbox/built-program.ts';
import { onEachEngine, type TestDatabase } from '../../testkit/database.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';

type Done = { readonly code: number; readonly out: string; readonly err: string };

const SETTINGS = { file: undefined, args: [] } as const;

type Commands = {
  run(command: UserCommand, password?: string): Promise<Done>;
  create(name: string, extra?: Partial<UserCommand>, password?: string): Promise<Done>;
};

function commandsIn(db: () => TestDatabase): Commands {
  const run: Commands['run'] = (command, password = 'correct horse') => runIn(db(), command, password);
  return {
    run,
    create: (name, extra = {}, password) =>
      run(
        {
          kind: 'user-create',
          name,
          admin: false,
          email: undefined,
          passwordFrom: 'stdin',
          ...SETTINGS,
          ...extra,
        } as UserCommand,
        password,
      ),
  };
}

onEachEngine('a user command', { fixtures: [resolve('test/feature/portal/accounts-postgis.sql')] }, (db) => {
  const { create } = commandsIn(db);

  test('makes an account in a database that has never seen the program', async () => {
    expect(await create('ada', { email: 'ada@example.org' })).toEqual({
      code: 0,
      out: 'created the account ada\n',
      err: 'note: nobody is an administrator yet; survest user create NAME --admin makes one\n',
    });
    expect(await create('root', { admin: true })).toEqual({
      code: 0,
      out: 'created the administrator root\n',
      err: '',
    });
  });
});

onEachEngine('the user commands', { fixtures: PORTAL_SCHEMA }, (db) => {
  const { run, create } = commandsIn(db);
  beforeAll(async () => {
    await create('ada', { email: 'ada@example.org' });
    await create('root', { admin: true });
  });

  test('accounts are listed by name, for people and for scripts', async () => {
    expect(await run({ kind: 'user-list', json: false, ...SETTINGS })).toEqual({
      code: 0,
      out: 'ada\tuser\tada@example.org\nroot\tadministrator\t\n',
      err: '',
    });
    const { out } = await run({ kind: 'user-list', json: true, ...SETTINGS });
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ username: 'ada', is_superuser: false, is_active: true, last_login: null }),
      expect.objectContaining({ username: 'root', is_superuser: true }),
    ]);
  });

  test('a password is changed, by the name in any case, and ends the sessions', async () => {
    await db().query(
      `insert into portal_private.session (token_hash, account_id, expires) select '\\x00', id, now() + interval '1 day' from portal.account where username = 'ada'`,
    );
    expect(
      await run({ kind: 'user-passwd', name: 'ADA', passwordFrom: 'stdin', ...SETTINGS }, 'another secret'),
    ).toEqual({
      code: 0,
      out: 'changed the password of ada; its sessions have ended\n',
      err: '',
    });
    const [stored] = await db().query<{ hash: string; sessions: number }>(
      `select c.password_hash as hash, (select count(*)::integer from portal_private.session) as sessions
         from portal_private.credential c join portal.account a on a.id = c.account_id where a.username = 'ada'`,
    );
    expect(stored?.sessions).toBe(0);
    expect(await verifyPassword(stored?.hash, 'another secret')).toBe(true);
  });

  test.each([
    ['a name that is taken, in any case', 'Ada', 'correct horse', 'A user with that username already exists.'],
    ['a name with a blank', 'a b', 'correct horse', 'Enter a valid username.'],
    ['a name that is SQL', `'; drop schema portal cascade; --`, 'correct horse', 'Enter a valid username.'],
    ['a short password', 'eve', 'short', 'This password is too short.'],
    ['the name as password', 'evelyn1234', 'Evelyn1234', 'The password is too similar to the username.'],
  ])('%s is refused', async (_what, name, password, message) => {
    const done = await create(name, {}, password);
    expect(done).toMatchObject({ code: 1, out: '' });
    expect(done.err).toContain(`survest user create: ${message}`);
    expect(done.err).not.toContain(`password: ${password}`);
  });

  test('an unknown name is told', async () => {
    const done = await run({ kind: 'user-passwd', name: 'nobody', passwordFrom: 'stdin', ...SETTINGS });
    expect(done).toEqual({
      code: 1,
      out: '',
      err: 'survest user passwd: there is no account "nobody"; survest user list names them\n',
    });
  });
});

async function runIn(db: TestDatabase, command: UserCommand, password: string): Promise<Done> {
  const said = { out: '', err: '' };
  const code = await runUserCommand(command, {
    open: async () => ok({ driver: db.driver, isShared: true, close: async () => {} }),
    readPassword: async () => ok(password),
    out(text) {
      said.out += text;
    },
    err(text) {
      said.err += text;
    },
  });
  return { code, ...said };
}

onEachEngine('survest user, as a program', { engines: ['postgres'] }, (db) => {
  const run = (args: readonly string[], stdin: string): Promise<Done> =>
    survest(args, stdin, { SVRST_DB_URI: db().uri ?? '' });

  test('creates, changes and lists', async () => {
    expect(await run(['user', 'create', 'ada', '--admin', '--password-stdin'], 'correct horse\n')).toEqual({
      code: 0,
      out: 'created the administrator ada\n',
      err: '',
    });
    expect(await run(['user', 'list'], '')).toEqual({ code: 0, out: 'ada\tadministrator\t\n', err: '' });
  });

  test('asks on a terminal only where there is one', async () => {
    expect(await run(['user', 'passwd', 'ada'], 'correct horse\n')).toEqual({
      code: 1,
      out: '',
      err: 'survest user passwd: there is no terminal to ask for a password on: use --password-stdin\n',
    });
  });
});

describe('over the embedded database', () => {
  test('a folder that a running server has is left alone, and the message says what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'survest-user-'));
    const lock = lockFolder(join(folder, 'database.lock'));
    expect(lock.ok).toBe(true);
    try {
      const done = await survest(['user', 'list', '--data-dir', folder, '--data-dir-wait', '0'], '', {});
      expect(done).toMatchObject({ code: 1, out: '' });
      expect(done.err).toMatch(
        /^survest user list: the folder ".*" is in use by process \d+ on .*: stop that one, choose another data-dir, .*\. Administrators can also do this in the portal\n$/,
      );
    } finally {
      if (lock.ok) lock.value.release();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function survest(args: readonly string[], stdin: string, env: Readonly<Record<string, string>>): Promise<Done> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  const said = { out: '', err: '' };
  for (const [name, stream] of [['out', child.stdout] as const, ['err', child.stderr] as const]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  child.stdin.on('error', () => {}); // it may end before it has read anything
  child.stdin.end(stdin);
  return new Promise((done) => child.on('close', (code) => done({ code: code ?? -1, ...said })));
}
