import { describe, expect, onTestFinished, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Batch, BatchResult, CopySink, Driver, Statement } from '../driver.ts';
import { textRows } from '../rows.ts';
import { CopyStopped } from '../session/copy.ts';
import { makePostgresDriver } from './postgres-driver.ts';

const ROWS = 100_000;

function q(text: string, ...params: string[]): Statement {
  return { text, params };
}

function only(result: BatchResult): (string | null)[] | undefined {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const last = result.value.at(-1);
  return last && textRows(last)[0];
}

onEachEngine('COPY', { engines: ['postgres'] }, (db) => {
  async function open(table: string): Promise<Driver> {
    const driver = makePostgresDriver({ uri: db().uri ?? '', poolSize: 1 });
    onTestFinished(() => driver.close());
    await driver.script(`drop table if exists ${table}; create table ${table} (id int primary key, what text)`);
    return driver;
  }

  async function isUsable(driver: Driver): Promise<void> {
    expect(only(await driver.execute([q('select 1')]))).toEqual(['1']);
    expect(only(await driver.execute([q('select 2')]))).toEqual(['2']);
    expect(driver.stats()).toMatchObject({ open: 1, idle: 1 });
  }

  test.each<[string, (driver: Driver, signal: AbortSignal) => Promise<unknown>]>([
    ['in', (driver, signal) => driver.copyIn([], 'copy queued from stdin', async () => {}, { signal })],
    ['out', (driver, signal) => driver.copyOut([], 'copy queued to stdout', () => {}, { signal })],
  ])('%s that still waits for a connection is cancelled there', async (_way, copy) => {
    const driver = await open('queued');
    const controller = new AbortController();
    await driver.hold(async () => {
      const copying = copy(driver, controller.signal);
      controller.abort();
      expect(await copying).toEqual({ ok: false, error: { kind: 'cancelled' } });
    });
    await isUsable(driver);
  });

  describe('with its rows in the batch', () => {
    const copy = (rows: string, text = 'copy executed from stdin'): Statement => ({
      text,
      params: [],
      name: text,
      copied: Buffer.from(rows),
    });

    test('is one of its statements', async () => {
      const driver = await open('executed');
      const executed = await driver.execute([q('select 1'), copy('1\ta\n2\tb\n'), q('select count(*) from executed')]);
      expect(only(executed)).toEqual(['2']);
      expect(executed.ok && executed.value[1]?.tag).toBe('COPY 2');
      expect(only(await driver.execute([copy(''), q('select count(*) from executed')]))).toEqual(['2']);
      await isUsable(driver);
    });

    test('is larger than any buffer between here and the server', async () => {
      const driver = await open('executed');
      const rows = Array.from({ length: ROWS }, (_, i) => `${i}\t${'x'.repeat(100)}\n`).join('');
      expect(only(await driver.execute([copy(rows), q('select count(*) from executed')]))).toEqual([String(ROWS)]);
      await isUsable(driver);
    });

    test.each<[string, Batch, string, number]>([
      ['no table', [copy('1\ta\n', 'copy nowhere from stdin')], '42P01', 0],
      ['a row that is none', [copy('1\ta\nx\tb\n')], '22P02', 0],
      ['a cell too few', [copy('1\n')], '22P04', 0],
      ['a failure before it', [q('select 1/0'), copy('1\ta\n')], '22012', 0],
      ['a failure behind it', [copy('1\ta\n'), q('select 1/0')], '22012', 1],
      ['no COPY', [copy('1\ta\n', 'select 1/0')], '22012', 0],
    ])('leaves nothing behind where it fails, and the connection usable: %s', async (_, batch, sqlstate, at) => {
      const driver = await open('executed');
      expect(await driver.execute(batch)).toMatchObject({ ok: false, error: { sqlstate, statement: at } });
      expect(only(await driver.execute([q('select count(*) from executed')]))).toEqual(['0']);
      await isUsable(driver);
    });

    test('follows others on one connection, whatever becomes of them', async () => {
      const driver = await open('executed');
      const count = { text: 'select count(*) from executed', params: [], name: 'count' };
      const all = await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          driver.execute([copy(i % 4 === 3 ? 'x\ta\n' : `${i}\ta\n`), count], { sharing: 'same-statement' }),
        ),
      );
      expect(all.map(({ ok }) => ok)).toEqual(all.map((_, i) => i % 4 !== 3));
      expect(only(await driver.execute([count]))).toEqual(['150']);
      await isUsable(driver);
    });
  });

  describe('in', () => {
    test('takes a hundred thousand rows, in chunks cut anywhere', async () => {
      const driver = await open('many');
      const rows = Buffer.from(Array.from({ length: ROWS }, (_, i) => `${i}\tzeile ${i} – äöü\n`).join(''));
      const copied = await driver.copyIn([], 'copy many from stdin', async (sink) => {
        for (let at = 0, size = 1; at < rows.length; at += size, size = (size * 7 + 13) % 90_001) {
          await sink.write(rows.subarray(at, at + size));
        }
      });
      expect(copied).toEqual({ ok: true, value: ROWS });
      expect(only(await driver.execute([q('select count(*), sum(id), max(what) from many')]))).toEqual([
        String(ROWS),
        String((ROWS * (ROWS - 1)) / 2),
        'zeile 99999 – äöü',
      ]);
    });

    test('runs under the scope that is sent with it', async () => {
      const driver = await open('scoped');
      const before: Batch = [q(`select set_config('app.who', 'me', true)`)];
      await driver.script(`alter table scoped alter what set default current_setting('app.who')`);
      const copied = await driver.copyIn(before, 'copy scoped (id) from stdin', (sink) =>
        sink.write(Buffer.from('1\n')),
      );
      expect(copied).toEqual({ ok: true, value: 1 });
      expect(only(await driver.execute([q('select what from scoped')]))).toEqual(['me']);
    });

    test('makes the source wait while the server cannot take more', async () => {
      const driver = await open('slow');
      await driver.script(`
        create function wait_for_lock() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
        create trigger wait before insert on slow for each row execute function wait_for_lock()`);
      await db().query('select pg_advisory_lock(4711)');
      let written = 0;
      let waited = false;
      const copied = await driver.copyIn([], 'copy slow (id, what) from stdin', async (sink) => {
        while (!waited && written < 500) {
          const writing = sink.write(Buffer.from(`${written++}\t${'x'.repeat(1_000_000)}\n`));
          const asked = (async () => {
            for (let i = 0; i < 5; i++) await db().query('select 1');
            return 'still writing';
          })();
          waited = (await Promise.race([writing, asked])) === 'still writing';
          await asked;
          if (waited) await db().query('select pg_advisory_unlock(4711)');
          await writing;
        }
      });
      expect(waited).toBe(true);
      expect(copied.ok).toBe(true);
      await isUsable(driver);
    });

    test('whose source fails copies nothing and throws what the source threw', async () => {
      const driver = await open('failed');
      const bug = new Error('the source failed');
      const copying = driver.copyIn([], 'copy failed from stdin', async (sink) => {
        await sink.write(Buffer.from('1\ta\n'));
        throw bug;
      });
      await expect(copying).rejects.toBe(bug);
      await isUsable(driver);
      expect(only(await driver.execute([q('select count(*) from failed')]))).toEqual(['0']);
    });

    test('whose source throws at once, before it is even asynchronous, is no different', async () => {
      const driver = await open('sudden');
      const copying = driver.copyIn([], 'copy sudden from stdin', () => {
        throw new Error('at once');
      });
      await expect(copying).rejects.toThrow('at once');
      await isUsable(driver);
    });

    test('with a wrong row ends early: the source is told to stop', async () => {
      const driver = await open('wrong');
      let stopped: unknown;
      const copied = await driver.copyIn([], 'copy wrong from stdin', async (sink) => {
        try {
          await sink.write(Buffer.from('not a number\ta\n'));
          for (;;) await sink.write(Buffer.alloc(100_000, '1\tx\n'));
        } catch (error) {
          stopped = error;
          throw error;
        }
      });
      expect(copied).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate: '22P02', statement: 0 } });
      expect(stopped).toBeInstanceOf(CopyStopped);
      await isUsable(driver);
    });

    test.each([
      ['a scope that fails', [q('select 1/0')], 'copy odd from stdin', '22012'],
      ['a table that is not there', [], 'copy nowhere from stdin', '42P01'],
      ['a statement that is no COPY', [], 'select 1', '42601'],
      ['a COPY the other way', [], 'copy odd to stdout', 'none'],
    ] as const)('with %s never asks the source', async (_name, before, copy, sqlstate) => {
      const driver = await open('odd');
      let asked = false;
      const copied = await driver.copyIn(before, copy, async () => {
        asked = true;
      });
      expect(copied.ok ? 'none' : copied.error.kind === 'sql' && copied.error.sqlstate).toBe(sqlstate);
      expect(asked).toBe(false);
      await isUsable(driver);
    });

    test('of no rows is no trouble', async () => {
      const driver = await open('empty');
      expect(await driver.copyIn([], 'copy empty from stdin', async () => {})).toEqual({ ok: true, value: 0 });
      expect(await driver.copyIn([], 'copy empty from stdin', (sink) => sink.write(Buffer.alloc(0)))).toEqual({
        ok: true,
        value: 0,
      });
    });

    test('that is cancelled while its source thinks ends at once', async () => {
      const driver = await open('cancelled');
      const controller = new AbortController();
      const copied = await driver.copyIn(
        [],
        'copy cancelled from stdin',
        async (sink) => {
          await sink.write(Buffer.from('1\ta\n'));
          controller.abort();
          await new Promise(() => {}); // never
        },
        { signal: controller.signal },
      );
      expect(copied).toEqual({ ok: false, error: { kind: 'cancelled' } });
      await isUsable(driver);
      expect(only(await driver.execute([q('select count(*) from cancelled')]))).toEqual(['0']);
    });

    test('whose backend is killed is lost, and the driver goes on', async () => {
      const driver = await open('killed');
      let feeding: Promise<void> | undefined;
      const feed = async (sink: CopySink): Promise<void> => {
        await sink.write(Buffer.from('1\ta\n'));
        await db().query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy killed%'`);
        for (;;) await sink.write(Buffer.from('2\tb\n'));
      };
      const copied = await driver.copyIn([], 'copy killed from stdin', (sink) => {
        feeding = feed(sink);
        return feeding;
      });
      expect(copied.ok).toBe(false);
      await expect(feeding).rejects.toBeInstanceOf(CopyStopped);
      await isUsable(driver);
    });
  });

  describe('out', () => {
    test('gives a hundred thousand rows, whole and in order', async () => {
      const driver = await open('source');
      const chunks: Buffer[] = [];
      const copied = await driver.copyOut(
        [],
        `copy (select i, repeat('x', i % 50) from generate_series(1, ${ROWS}) i) to stdout`,
        (chunk) => {
          chunks.push(chunk);
        },
      );
      expect(copied).toEqual({ ok: true, value: ROWS });
      const lines = Buffer.concat(chunks).toString().split('\n');
      expect(lines.length).toBe(ROWS + 1);
      expect(lines.slice(0, -1).every((line, i) => line === `${i + 1}\t${'x'.repeat((i + 1) % 50)}`)).toBe(true);
      // Rows come together, not one by one.
      expect(chunks.length).toBeLessThan(ROWS / 10);
    });

    test('waits for a slow reader', async () => {
      const driver = await open('source');
      let reading = 0;
      let most = 0;
      const copied = await driver.copyOut(
        [],
        `copy (select repeat('x', 1000) from generate_series(1, 20000)) to stdout`,
        async () => {
          reading++;
          most = Math.max(most, reading);
          await new Promise((resolve) => setImmediate(resolve));
          reading--;
        },
      );
      expect(copied).toEqual({ ok: true, value: 20_000 });
      expect([most, reading]).toEqual([1, 0]);
    });

    test('makes the server wait while the reader does', async () => {
      const driver = await open('source');
      const controller = new AbortController();
      let release: () => void = () => {};
      const read = new Promise<void>((resolve) => {
        release = resolve;
      });
      const copying = driver.copyOut(
        [],
        `copy (select repeat('x', 1000) /* read slowly */ from generate_series(1, 1000000)) to stdout`,
        () => read,
        { signal: controller.signal },
      );
      const progress = q('select tuples_processed from pg_stat_progress_copy where datname = current_database()');
      const other = makePostgresDriver({ uri: db().uri ?? '', poolSize: 1 });
      onTestFinished(() => other.close());
      // Some rows are on their way, and then it stands still.
      let seen: string[] = [];
      await expect
        .poll(async () => {
          const rows = only(await other.execute([progress]))?.[0] ?? '0';
          seen = rows === '0' ? [] : seen[0] === rows ? [...seen, rows] : [rows];
          return seen.length;
        })
        .toBe(5);
      controller.abort();
      release();
      expect(await copying).toEqual({ ok: false, error: { kind: 'cancelled' } });
      await isUsable(driver);
    });

    test('whose reader fails stops, and throws what the reader threw', async () => {
      const driver = await open('source');
      const bug = new Error('the reader failed');
      let chunks = 0;
      const copying = driver.copyOut(
        [],
        `copy (select repeat('x', 1000), generate_series(1, 100000000)) to stdout`,
        async () => {
          chunks++;
          throw bug;
        },
      );
      await expect(copying).rejects.toBe(bug);
      expect(chunks).toBe(1);
      await isUsable(driver);
    });

    test('that is cancelled stops', async () => {
      const driver = await open('source');
      const controller = new AbortController();
      const copied = await driver.copyOut(
        [],
        `copy (select repeat('x', 1000), generate_series(1, 100000000)) to stdout`,
        () => controller.abort(),
        { signal: controller.signal },
      );
      expect(copied).toEqual({ ok: false, error: { kind: 'cancelled' } });
      await isUsable(driver);
    });

    test.each([
      ['a scope that fails', [q('select 1/0')], 'copy source to stdout', '22012'],
      ['a COPY the other way', [], 'copy source from stdin', '57014'],
      ['a statement that is no COPY', [], 'select 1', '42601'],
    ] as const)('with %s gives nothing', async (_name, before, copy, sqlstate) => {
      const driver = await open('source');
      const copied = await driver.copyOut(before, copy, () => {
        throw new Error('nothing was to come');
      });
      expect(copied).toMatchObject({ ok: false, error: { sqlstate } });
      await isUsable(driver);
    });
  });
});
