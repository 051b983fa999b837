// The embedded database as the program has it: in a folder, by real processes, through crashes.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Driver, ListenEvent } from '../../src/pg/driver.ts';
import type { PgliteEvent } from '../../src/pg/pglite/events.ts';
import { vacuumNext } from '../../src/pg/pglite/housekeeping.ts';
import { openEmbedded } from '../../src/pg/pglite/open-embedded.ts';
import { describeNotRun } from '../testkit/describe-needing.ts';
import { shortLivedEngine } from '../testkit/short-lived-engine.ts';

const { pglite } = inject('engines');
const assets = pglite.kind === 'ready' ? pglite.assets : { template: '', postgis: '' };

const base = pglite.kind === 'ready' ? mkdtempSync(join(tmpdir(), 'survest-embedded-')) : '';
const open: Driver[] = [];

async function openIn(folder: string, onEvent: (event: PgliteEvent) => void = () => {}): Promise<Driver> {
  const opened = await openEmbedded({
    dataDir: join(base, folder),
    templatePath: assets.template,
    acquisitionTimeoutMs: 60_000, // a restart takes seconds, and the machine may be busy
    onEvent,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  open.push(opened.value);
  return opened.value;
}

async function value(driver: Driver, text: string): Promise<string | undefined> {
  const executed = await driver.execute([{ text, params: [] }]);
  if (!executed.ok) throw new Error(JSON.stringify(executed.error));
  return executed.value[0]?.rows[0]?.[0]?.toString();
}

type Child = ChildProcessByStdio<null, Readable, null>;

function spawnChild(folder: string, acknowledged = 0): Child {
  const args = [inject('scripts').embedded, join(base, folder), assets.template, String(acknowledged)];
  return spawn(process.execPath, [...shortLivedEngine(), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

if (pglite.kind === 'absent') {
  describeNotRun('the embedded database', pglite.reason, () => {});
} else {
  describe('the embedded database', { timeout: 300_000 }, () => {
    afterEach(async () => {
      for (const driver of open.splice(0)) await driver.close();
    });
    afterAll(() => rmSync(base, { recursive: true, force: true }));

    describe('in a new folder', () => {
      const events: PgliteEvent[] = [];
      const shown: (readonly [name: string, value: string | undefined])[] = [];
      const modes: string[][] = [];
      let left: readonly string[] = [];
      const modesNow = (): string[] =>
        ['kept', 'kept/database'].map((path) => (statSync(join(base, path)).mode & 0o777).toString(8));
      const show = async (driver: Driver, name: string, text: string): Promise<void> => {
        shown.push([name, await value(driver, text)]);
      };

      // One folder, opened three times, for all that is seen of it: a start takes seconds.
      beforeAll(async () => {
        const first = await openIn('kept', (event) => events.push(event));
        await show(first, 'PostGIS', 'select postgis_lib_version()');
        await show(first, 'fsync', 'show fsync');
        const made = await first.script(
          'create table kept (x int); insert into kept values (7); create role kept_role',
        );
        expect(made.ok).toBe(true);
        await first.close();
        left = readdirSync(join(base, 'kept'));
        modes.push(modesNow());
        for (const path of ['kept', 'kept/database']) chmodSync(join(base, path), 0o755);
        const second = await openIn('kept', (event) => events.push(event));
        await show(second, 'opened again', 'select x from kept');
        await second.close();
        modes.push(modesNow());
        rmSync(join(base, 'kept/database/survest-complete'));
        const third = await openIn('kept', (event) => events.push(event));
        await show(third, 'without its marker', 'select x from kept');
        await third.close();
        open.length = 0;
      });

      test('is made from the template, kept in it, and closed in good order', () => {
        expect(shown.slice(0, 3)).toEqual([
          ['PostGIS', expect.stringMatching(/^3\./)],
          ['fsync', 'on'],
          ['opened again', '7'],
        ]);
        const ofEngine = events.filter(({ kind }) => kind !== 'folder-tightened');
        expect(ofEngine.map((event) => (event.kind === 'engine-started' ? event.from : event.kind))).toEqual([
          'template',
          'engine-closed',
          'folder',
          'engine-closed',
          'folder',
          'engine-closed',
        ]);
        expect(events.filter((event) => event.kind === 'engine-closed' && !event.orderly)).toEqual([]);
        expect(left).toEqual(['database']);
      });

      test('without the marker of earlier releases is opened, as a restored copy is', () => {
        expect(shown.at(-1)).toEqual(['without its marker', '7']);
      });

      test('can be read by no other account, and folders that could be no longer can', () => {
        expect(modes).toEqual([
          ['700', '700'],
          ['700', '700'],
        ]);
        // Not the first time, when nobody could.
        expect(events.map(({ kind }) => kind).indexOf('folder-tightened')).toBeGreaterThan(
          events.findIndex(({ kind }) => kind === 'engine-closed'),
        );
        expect(events.filter(({ kind }) => kind === 'folder-tightened')).toEqual([
          { kind: 'folder-tightened', folder: join(base, 'kept') },
          { kind: 'folder-tightened', folder: join(base, 'kept/database') },
        ]);
      });
    });

    test('is made in an empty folder of that name', async () => {
      mkdirSync(join(base, 'empty/database'), { recursive: true });
      expect(await value(await openIn('empty'), 'select 1')).toBe('1');
    });

    test.each([
      {
        what: 'holds something else',
        path: 'database/letter.txt',
        kept: 'Dear all',
        said: /is not a database, and was left as it is: move it away .* or choose another data-dir/,
      },
      {
        what: 'holds a part of a database',
        path: 'database/PG_VERSION',
        kept: '18\n',
        said: /is not complete \(it has no global\/pg_control, no base, .*restore the missing files, or move the folder away/,
      },
      { what: 'is a file', path: 'database', kept: 'text', said: /is not a folder: move it away/ },
    ])('whose place $what is refused, and what is there stays', async ({ what, path, kept, said }) => {
      const dataDir = join(base, what);
      mkdirSync(dirname(join(dataDir, path)), { recursive: true });
      writeFileSync(join(dataDir, path), kept);
      const opened = await openEmbedded({ dataDir, templatePath: assets.template });
      expect(opened).toMatchObject({ ok: false, error: { kind: 'folder-unusable' } });
      const { message } = opened.ok ? { message: '' } : opened.error;
      expect(message).toMatch(said);
      expect(message).toContain(join(dataDir, 'database'));
      expect(readFileSync(join(dataDir, path), 'utf8')).toBe(kept);
      expect(existsSync(join(dataDir, 'database.lock'))).toBe(false);
    });

    describe('in a folder with other things', () => {
      const draft = join(base, `shop/database.new-${randomUUID()}`);
      const alike = join(base, `shop/database.new-${randomUUID()}`);
      let answered: string | undefined;

      beforeAll(async () => {
        mkdirSync(join(draft, 'database'), { recursive: true });
        writeFileSync(join(draft, 'survest-unfinished'), '');
        mkdirSync(alike);
        writeFileSync(join(alike, 'letter.txt'), 'Dear all');
        writeFileSync(join(base, 'shop/index.html'), '');
        chmodSync(join(base, 'shop'), 0o755);
        const driver = await openIn('shop');
        answered = await value(driver, 'select 1');
        await driver.close();
        open.length = 0;
      });

      test('leaves that folder as it is', () => {
        expect((statSync(join(base, 'shop')).mode & 0o777).toString(8)).toBe('755');
        expect((statSync(join(base, 'shop/database')).mode & 0o777).toString(8)).toBe('700');
      });

      test('whose making was cut off is made again, and what was made of it is cleared away', () => {
        expect(answered).toBe('1');
        expect(existsSync(draft)).toBe(false);
        expect(readFileSync(join(alike, 'letter.txt'), 'utf8')).toBe('Dear all');
      });
    });

    test('of another PostgreSQL is refused in words', async () => {
      for (const part of ['base', 'global', 'pg_wal', 'pg_xact'])
        mkdirSync(join(base, 'old/database', part), { recursive: true });
      writeFileSync(join(base, 'old/database/global/pg_control'), '');
      writeFileSync(join(base, 'old/database/PG_VERSION'), '17\n');
      writeFileSync(join(base, 'old/database/survest-complete'), '');
      const opened = await openEmbedded({ dataDir: join(base, 'old'), templatePath: assets.template });
      expect(opened).toMatchObject({ ok: false, error: { kind: 'other-release' } });
      expect(opened.ok ? '' : opened.error.message).toMatch(/made by PostgreSQL 17/);
      expect(existsSync(join(base, 'old/database.lock'))).toBe(false);
    });

    test('without its template says so and leaves the folder unlocked', async () => {
      const opened = await openEmbedded({ dataDir: join(base, 'bare'), templatePath: join(base, 'nowhere.tar.gz') });
      expect(opened).toMatchObject({ ok: false, error: { kind: 'start-failed' } });
      expect(existsSync(join(base, 'bare/database.lock'))).toBe(false);
    });

    test('loses nothing it has acknowledged when its process is killed, time after time', async () => {
      let acknowledged = 0;
      for (const commits of [1, 40, 3, 150]) {
        const running = spawnChild('crashing', acknowledged);
        const exited = once(running, 'exit');
        let seen = 0;
        for await (const line of createInterface(running.stdout)) {
          if (seen === 0) expect(line).toBe('opened');
          else acknowledged = Number(line);
          // Killed between two acknowledgements, with the next transaction under way.
          if (++seen === commits + 1) running.kill('SIGKILL');
        }
        await exited;
      }
      const driver = await openIn('crashing');
      expect(Number(await value(driver, 'select count(*) from ledger'))).toBeGreaterThanOrEqual(acknowledged);
      expect(
        await value(
          driver,
          'select count(*) from ledger full join mirror using (n) where ledger is null or mirror is null',
        ),
      ).toBe('0');
    });

    describe('with an engine that stops', () => {
      const events: PgliteEvent[] = [];
      let driver: Driver;
      beforeAll(async () => {
        driver = await openIn('reborn', (event) => events.push(event));
        open.length = 0; // closed below, not after each test
      });
      afterAll(() => driver?.close());

      /** What it told since. */
      const since = (mark: number): string[] => events.slice(mark).map(({ kind }) => kind);

      test('starts again by itself after a crash of the engine, with what was committed, and listens again', async () => {
        const mark = events.length;
        await driver.script('create table reborn (x int); insert into reborn values (1)');
        const heard: ListenEvent[] = [];
        const waiting: (() => void)[] = [];
        driver.listen('reborn', (event) => {
          heard.push(event);
          for (const wake of waiting.splice(0)) wake();
        });
        const until = async (done: () => boolean): Promise<void> => {
          while (!done()) await new Promise<void>((resolve) => waiting.push(resolve));
        };
        await until(() => heard.length === 1);

        // The engine cannot start programs: it throws out of the midst of a statement, and is not to be trusted after.
        const crash = await driver.execute([
          { text: 'insert into reborn values (2)', params: [] },
          { text: "copy reborn to program 'true'", params: [] },
        ]);
        expect(crash).toMatchObject({ ok: false, error: { kind: 'lost' } });
        expect(await value(driver, 'select array_agg(x) from reborn')).toBe('{1}');
        expect(since(mark)).toEqual(['engine-died', 'engine-started']);

        await driver.execute([{ text: "notify reborn, 'back'", params: [] }]);
        await until(() => heard.some(({ kind }) => kind === 'notification'));
        expect(heard.map(({ kind }) => kind)).toEqual(['listening', 'lost', 'listening', 'notification']);
      });

      describe('a statement that does not end', () => {
        const ENDLESS = 'with recursive n(n) as (select 1 union all select 1 from n) select count(*) from n';

        test('is interrupted when it takes longer than it may: the engine starts again with what was committed, and listens', async () => {
          const mark = events.length;
          await driver.script('create table timed (x int); insert into timed values (1)');
          const heard: ListenEvent[] = [];
          const again = new Promise<void>((resolve) => {
            driver.listen('timed', (event) => {
              heard.push(event);
              if (event.kind === 'notification') resolve();
            });
          });
          const batch = [
            { text: 'insert into timed values (2)', params: [] },
            { text: ENDLESS, params: [] },
          ];
          const late = driver.execute(batch, { timeLimitMs: 200 });
          // Waits for its turn, and gets it.
          const next = value(driver, 'select array_agg(x) from timed');
          expect(await late).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate: '57014' } });
          expect(await next).toBe('{1}');
          expect(since(mark)).toEqual(['engine-interrupted', 'engine-started']);
          await driver.execute([{ text: "notify timed, 'back'", params: [] }]);
          await again;
        });

        test('ends soon after its caller has left', async () => {
          const mark = events.length;
          const gone = new AbortController();
          let next: Promise<string | undefined> | undefined;
          const abandoned = driver.execute([{ text: ENDLESS, params: [] }], {
            signal: gone.signal,
            onAcquired: () => {
              next = value(driver, 'select 1');
              setImmediate(() => gone.abort());
            },
          });
          expect(await abandoned).toEqual({ ok: false, error: { kind: 'cancelled' } });
          expect(await next).toBe('1');
          expect(since(mark)).toEqual(['engine-interrupted', 'engine-started']);
        });

        test('does not begin where its caller has left when its turn comes', async () => {
          const mark = events.length;
          const gone = new AbortController();
          const abandoned = driver.execute([{ text: ENDLESS, params: [] }], { signal: gone.signal });
          gone.abort();
          expect(await abandoned).toEqual({ ok: false, error: { kind: 'cancelled' } });
          expect(await value(driver, 'select 1')).toBe('1');
          expect(since(mark)).toEqual([]);
        });

        test('does not end one that its caller waits for, or that was done in time', async () => {
          const mark = events.length;
          const gone = new AbortController();
          const quick = driver.execute([{ text: 'select 1', params: [] }], {
            signal: gone.signal,
            timeLimitMs: 60_000,
          });
          expect((await quick).ok).toBe(true);
          gone.abort();
          expect(await value(driver, 'select pg_sleep(0.1)::text')).toBe('');
          expect(since(mark)).toEqual([]);
        });
      });
    });

    describe('while it is open', () => {
      let shared: Driver;
      beforeAll(async () => {
        shared = await openIn('shared');
        open.length = 0; // closed below, not after each test
      });
      afterAll(() => shared.close());

      test('refuses a second program in its folder, naming folder and process', async () => {
        const second = spawnChild('shared');
        const [line] = await once(createInterface(second.stdout), 'line');
        expect(line).toContain(`"${join(base, 'shared')}" is in use by process ${process.pid} `);
        if (second.exitCode === null) await once(second, 'exit');
        expect(second.exitCode).toBe(1);
      });

      test('gives the superuser back after a statement that changes the role for the session', async () => {
        await shared.script('create role someone nologin');
        for (const text of [
          'set role someone',
          'set session authorization someone',
          "select set_config('role', 'someone', false)",
        ]) {
          await shared.execute([{ text, params: [] }]);
          expect(await value(shared, 'select current_user')).toBe('postgres');
        }
        await shared.script("set role someone; set search_path = nowhere; set work_mem = '1MB'");
        expect(await value(shared, `select current_user || ' ' || current_setting('search_path')`)).toBe(
          'postgres "$user", public',
        );
      });

      describe('makes an SQL error of what its geometry libraries throw, and goes on', () => {
        const bow = `'POLYGON((0 0, 1 1, 1 0, 0 1, 0 0))'::geometry`;
        const boom = `st_intersection(${bow}, st_makeenvelope(0, 0, x, x))`;
        const thin = `'01030000000100000002000000000000000000000000000000000000000000000000000000F03F0000000000000000'::geometry`;
        const nan = `st_geomfromtext('POLYGON((0 0, 1 NaN, 1 0, 0 0))')`;

        beforeAll(async () => {
          const made = await shared.script(`
            create table thrown (x int);
            insert into spatial_ref_sys (srid, srtext, proj4text) values
              (990001, 'PROJCS["nonsense"]', ''), (990003, '', '+proj=nothing');
            insert into spatial_ref_sys (srid, auth_name, auth_srid) values (990004, 'EPSG', 99999), (990005, 'NOBODY', 1)`);
          expect(made.ok).toBe(true);
        });

        test.each([
          ['areas that cross themselves', `select ${boom} from generate_series(1, 3) x`, /GEOS Error: Topology/],
          ['one of them in a thousand rows', `select count(${boom}) from generate_series(0, 999) x`, /GEOS Error/],
          ['a ring of two positions', `select st_isvalid(${thin})`, /GEOS Error: IllegalArgument/],
          ['a position that is no number', `select st_relate(${nan}, ${bow})`, /GEOS Error: IllegalArgument/],
          ['an endless distance', `select st_buffer('POINT(0 0)'::geometry, 'Infinity')`, /GEOS Error/],
          ['a system without sense', `select st_transform('SRID=990001;POINT(1 1)'::geometry, 4326)`, /not possible/],
          ['an unknown projection', `select st_transform('SRID=990003;POINT(1 1)'::geometry, 4326)`, /not possible/],
          ['an unknown number', `select st_transform('SRID=990004;POINT(1 1)'::geometry, 4326)`, /not possible/],
          ['an unknown authority', `select st_transform('SRID=990005;POINT(1 1)'::geometry, 4326)`, /not possible/],
          [
            'a system as text',
            `select st_transform('POINT(1 1)'::geometry, '+proj=no %s', 'EPSG:4326')`,
            /not possible/,
          ],
        ])('%s', async (_, text, said) => {
          const executed = await shared.execute([
            { text: 'insert into thrown values (1)', params: [] },
            { text, params: [] },
          ]);
          expect(executed).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate: 'XX000' } });
          expect(!executed.ok && 'message' in executed.error ? executed.error.message : '').toMatch(said);
          expect(await value(shared, 'select count(*) from thrown')).toBe('0');
        });

        test('which a block that catches errors catches, and a held transaction is failed by', async () => {
          const caught = await shared.script(`do $$ begin
              insert into thrown values (2);
              perform ${boom} from generate_series(1, 3) x;
            exception when internal_error then insert into thrown values (3); end $$`);
          expect(caught.ok).toBe(true);
          expect(await value(shared, `select string_agg(x::text, ',') from thrown`)).toBe('3');
          const held = await shared.hold(async (session) => {
            await session.execute([{ text: 'begin', params: [] }]);
            await session.execute([{ text: 'insert into thrown values (4)', params: [] }]);
            const failed = await session.execute([{ text: `select ${boom} from generate_series(1, 3) x`, params: [] }]);
            const after = await session.execute([{ text: 'insert into thrown values (5)', params: [] }]);
            await session.execute([{ text: 'commit', params: [] }]);
            return [failed, after];
          });
          expect(held).toMatchObject({
            ok: true,
            value: [{ ok: false }, { ok: false, error: { kind: 'sql', sqlstate: '25P02' } }],
          });
          expect(await value(shared, `select string_agg(x::text, ',') from thrown`)).toBe('3');
        });
      });

      test('lets many wait for their turn, as long as the line moves, and refuses who finds it full', async () => {
        const opened = await openEmbedded({
          dataDir: join(base, 'in-line'),
          templatePath: assets.template,
          acquisitionTimeoutMs: 1000,
          maxWaiting: 60,
        });
        if (!opened.ok) throw new Error(opened.error.message);
        open.push(opened.value);
        const driver = opened.value;
        // Together they take several times as long as anybody would wait for one of them.
        const slow = { text: 'select pg_sleep(0.05)', params: [] };
        await driver.execute([slow]);
        const all = await Promise.all(Array.from({ length: 61 }, () => driver.execute([slow])));
        expect(all.filter(({ ok }) => !ok)).toEqual([]);
        const more = await Promise.all(Array.from({ length: 63 }, () => driver.execute([slow])));
        expect(more.flatMap((one, at) => (one.ok ? [] : [[at, one.error]]))).toEqual([
          [61, { kind: 'pool-full', waiting: 60 }],
          [62, { kind: 'pool-full', waiting: 60 }],
        ]);
        // Where nothing moves, patience ends as ever.
        let letGo = (): void => {};
        const held = driver.hold(async () => {
          await new Promise<void>((resolve) => {
            letGo = resolve;
          });
          return { ok: true, value: undefined };
        });
        expect(await driver.execute([slow])).toEqual({ ok: false, error: { kind: 'pool-timeout', afterMs: 1000 } });
        letGo();
        await held;
      });

      test('answers others while a long statement runs, as far as they need no database', async () => {
        const turns: string[] = [];
        const slow = shared
          .execute([{ text: 'select count(*) from generate_series(1, 2000000)', params: [] }])
          .then(() => turns.push('slow'));
        await new Promise((resolve) => setImmediate(resolve));
        turns.push('event loop');
        await slow;
        expect(turns).toEqual(['event loop', 'slow']);
      });

      test('tidies up the tables that changed much, as autovacuum would', async () => {
        await shared.script(
          'create table untidy as select g as id from generate_series(1, 5000) g; create table "Tidy" (id int)',
        );
        await shared.execute([{ text: 'select pg_stat_force_next_flush()', params: [] }]);
        await shared.execute([{ text: 'delete from untidy where id > 1000', params: [] }]);
        await shared.execute([{ text: 'select pg_stat_force_next_flush()', params: [] }]);
        const tidied: (string | undefined)[] = [];
        do tidied.push(await vacuumNext(shared));
        while (tidied.at(-1) !== undefined);
        expect(tidied).toContain('public.untidy');
        expect(tidied).not.toContain('public."Tidy"');
        expect(await value(shared, "select reltuples from pg_class where relname = 'untidy'")).toBe('1000');
      });
    });
  });
}
