// survest live install | remove | status.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ok } from '../../../src/kernel/result.ts';
import { type LiveCommand, runLiveCommand } from '../../../src/server/cli/live-command.ts';
import { onEachEngine, type TestDatabase } from '../../testkit/database.ts';
import { onLogicalServer } from '../../testkit/live-ways.ts';

const sources = { file: undefined, args: [] };
type Ran = { readonly code: number; readonly out: string; readonly err: string };

async function runOn(db: TestDatabase, command: LiveCommand, dbAnonRole?: string): Promise<Ran> {
  let [out, err] = ['', ''];
  const code = await runLiveCommand(command, {
    config: { dbSchemas: ['api'], dbAnonRole, liveReplicationUri: undefined },
    open: async () => ok({ driver: db.driver, close: async () => {}, isShared: false }),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

onEachEngine('survest live', {}, (db) => {
  beforeAll(() =>
    db().script(`create schema api; create schema "o'dd"; create table api.place (id integer primary key);
      create view api.seen as select * from api.place; create table "o'dd"."Ta.ble" (id integer primary key);`),
  );
  const run = (command: LiveCommand): Promise<Ran> => runOn(db(), command);
  const install = (tables: readonly string[], print = false): Promise<Ran> =>
    run({ kind: 'live-install', tables, role: undefined, by: undefined, print, ...sources });
  const status = async (): Promise<string> => (await run({ kind: 'live-status', json: false, ...sources })).out;

  const readersText = async (): Promise<string> => {
    const [me] = await db().query<{ name: string }>('select current_user as name');
    return `the change log may be read by "${me?.name}", the role of this connection; where the service connects as another one, name it with --for ROLE\n`;
  };

  test('says that nothing is followed, follows tables, and takes that back', async () => {
    expect(await status()).toBe('no table is followed: survest live install TABLE\n');
    const printed = await install(['place'], true);
    expect(printed.out).toContain(`select survest_live.follow('"api"."place"'::regclass);`);
    expect(await status()).toBe('no table is followed: survest live install TABLE\n');
    expect(await install(['place', `"o'dd"."Ta.ble"`])).toMatchObject({ code: 0, err: '' });
    // As often as one likes.
    const why =
      db().engine === 'pglite' ? 'the embedded database has no logical decoding' : 'the server has wal_level = replica';
    expect(await install(['api.place'])).toMatchObject({
      code: 0,
      out: `followed by triggers (${why}): "api"."place"\n${await readersText()}`,
    });
    await db().script('insert into api.place values (1), (2)');
    expect(await status()).toBe(
      `"o'dd"."Ta.ble"\napi.place\n2 tables are followed, 1 entry in the change log\nthe change log may be read by superusers alone\n`,
    );
    const removed = await run({ kind: 'live-remove', tables: ['place'], print: false, ...sources });
    expect(removed).toMatchObject({ code: 0 });
    expect(await status()).toContain('1 table is followed');
  });

  test('refuses what is no table, and what is not there, and changes nothing then', async () => {
    expect(await install(['seen'])).toMatchObject({ code: 1, err: 'survest live install: api.seen is no table\n' });
    expect((await install(['place', 'nowhere'])).err).toContain('"api.nowhere" does not exist');
    expect(await status()).not.toContain('place');
  });

  test('refuses logical decoding where the server has none, with the remedy', async () => {
    const asked = await run({
      kind: 'live-install',
      tables: ['place'],
      role: undefined,
      by: 'decoding',
      print: false,
      ...sources,
    });
    expect(asked.code).toBe(1);
    expect(asked.err).toContain('logical decoding needs a server with wal_level = logical');
    expect(asked.err).toContain('--triggers');
  });
});

onLogicalServer('survest live, on a server that allows logical decoding', [], (db) => {
  beforeAll(() =>
    db().script(`create schema api; create table api.place (id integer primary key); create table api.keyless (a text);
      create table api.old (id integer primary key); create role live_reader;`),
  );
  const install = (
    tables: readonly string[],
    by: 'decoding' | 'triggers' | undefined,
    role?: string,
    print = false,
  ): Promise<Ran> => runOn(db(), { kind: 'live-install', tables, role, by, print, ...sources });
  const status = async (): Promise<string> => (await runOn(db(), { kind: 'live-status', json: false, ...sources })).out;

  test('follows a table as server, role and table allow, leaves others as they are, and says what it chose', async () => {
    expect((await install(['old'], 'triggers')).out).toContain('followed by triggers: "api"."old"\n');
    expect((await install(['place', 'old', 'keyless'], undefined)).out).toContain(
      'followed by logical decoding: "api"."place"\nfollowed by triggers: "api"."old", "api"."keyless"\n',
    );
    expect(await status()).toBe(
      `api.keyless\napi.old\napi.place (logical decoding)\n3 tables are followed, 3 entries in the change log\nthe change log may be read by superusers alone\nno slot for logical decoding: each copy of the program makes one with its first live stream\n`,
    );
    const json = await runOn(db(), { kind: 'live-status', json: true, ...sources });
    expect(JSON.parse(json.out)).toMatchObject({
      tables: ['api.keyless', 'api.old', 'api.place'],
      decoded: ['api.place'],
      decoding: { walLevel: 'logical', mayReplicate: true, slots: [] },
    });
    expect((await install(['old'], undefined, 'live_reader')).out).toContain(
      'followed by triggers (the role has no REPLICATION)',
    );
  });

  test('sends nothing but keys to the service, and needs a key to name rows by', async () => {
    const [place] = await db().query(
      `select attnames::text as names from pg_publication_tables where tablename = 'place'`,
    );
    expect(place).toEqual({ names: '{id}' });
    const refused = await install(['keyless'], 'decoding');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain('api.keyless has no primary key by which logical decoding could name its rows');
    await db().script('alter table api.keyless replica identity full');
    expect((await install(['keyless'], 'decoding')).out).toContain('followed by logical decoding: "api"."keyless"\n');
    await db().script(`insert into api.keyless values ('a'); update api.keyless set a = 'b'; delete from api.keyless`);
  });

  test('changes from one way to the other, and takes it all back', async () => {
    expect((await install(['place'], 'triggers')).out).toContain('followed by triggers: "api"."place"\n');
    expect(await status()).toContain('api.place\n');
    expect((await install(['place'], 'decoding', 'live_reader')).out).toContain('ALTER ROLE "live_reader" REPLICATION');
    expect(await db().query(`select tgname from pg_trigger where tgrelid = 'api.place'::regclass`)).toEqual([]);
    const removed = await runOn(db(), {
      kind: 'live-remove',
      tables: ['place', 'old', 'keyless'],
      print: false,
      ...sources,
    });
    expect(removed).toMatchObject({ code: 0 });
    expect(await status()).toContain('0 tables are followed');
  });
});

onEachEngine('survest live, for a service that connects as another role', { engines: ['postgres'] }, (db) => {
  const suffix = randomBytes(4).toString('hex');
  const name = (role: string): string => `${role}_${suffix}`;
  const install = (role?: string): Promise<Ran> =>
    runOn(
      db(),
      { kind: 'live-install', tables: ['place'], role, by: undefined, print: false, ...sources },
      name('anon'),
    );
  const status = (json: boolean): Promise<Ran> => runOn(db(), { kind: 'live-status', json, ...sources });
  beforeAll(() =>
    db().script(`create schema api; create table api.place (id integer primary key);
      create role ${name('anon')}; create role ${name('service')} login password 'x' noinherit; create role ${name('stranger')} login password 'x';
      grant ${name('anon')} to ${name('service')};`),
  );
  afterAll(() =>
    db().script(`drop owned by ${name('service')}, ${name('stranger')}, ${name('anon')};
      drop role ${name('service')}, ${name('stranger')}, ${name('anon')}`),
  );

  test('gives the right to the role that is named, and shows who has it', async () => {
    expect((await install(name('stranger'))).out).toContain(`the change log may be read by "${name('stranger')}"\n`);
    expect((await status(false)).out).toContain(`the change log may be read by "${name('stranger')}"\n`);
    await db().script(`drop owned by ${name('stranger')}`);
    expect(JSON.parse((await status(true)).out)).toMatchObject({ readers: [] });
  });

  test('finds the role of a running service by its connection, and takes no other for it', async () => {
    const open = async (role: string): Promise<pg.Client> => {
      const uri = new URL(db().uri ?? '');
      uri.username = name(role);
      uri.password = 'x';
      const client = new pg.Client({ connectionString: uri.href, application_name: 'Survest 9.9.9' });
      await client.connect();
      return client;
    };
    const clients = [await open('service'), await open('stranger')];
    try {
      expect((await install()).out).toContain(
        `the change log may be read by "${name('service')}", as which the service runs now\n`,
      );
    } finally {
      for (const client of clients) await client.end();
    }
    expect(JSON.parse((await status(true)).out)).toMatchObject({ readers: [name('service')] });
  });
});
