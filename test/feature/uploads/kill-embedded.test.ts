// The program on the embedded database is killed in the midst of imports, time after time; the next one ends what was begun.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import { openDiskStore } from '../../../src/blobs/disk.ts';
import { openEmbedded } from '../../../src/pg/pglite/open-embedded.ts';
import { examine } from '../../../src/portal/uploads/examine.ts';
import type { TestDatabase } from '../../testkit/database.ts';
import { describeNotRun } from '../../testkit/describe-needing.ts';
import { asTestDatabase } from '../../testkit/pglite-database.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';
import { shortLivedEngine } from '../../testkit/short-lived-engine.ts';
import type { KillPoint } from './killed-worker.ts';
import { at, collection, openKit, type SentFile } from './upload-kit.ts';

const { pglite } = inject('engines');
const templatePath = pglite.kind === 'ready' ? pglite.assets.template : '';

/** Each is the end of a process; the one after it begins with what it finds. */
const POINTS: readonly KillPoint[] = [
  { kind: 'after', statement: 'insert into staging.run' },
  { kind: 'after', statement: '^copy staging' },
  { kind: 'after', statement: "set state = 'PROCESSED'" },
];

/** Where no process ever comes: it ends the import. */
const NOWHERE: KillPoint = { kind: 'before', statement: '^nowhere$' };
/** How a worker exits whose import has come to its end. */
const ENDED = 2;

const TOWNS: SentFile = {
  name: 'killed.geojson',
  content: collection([...Array(200).keys()].map((n) => ({ properties: { n }, geometry: at(n / 10, n / 20) }))),
};

async function open(dataDir: string): Promise<TestDatabase> {
  const opened = await openEmbedded({ dataDir, templatePath, acquisitionTimeoutMs: 60_000 });
  if (!opened.ok) throw new Error(opened.error.message);
  return asTestDatabase(opened.value);
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

function run(folder: string, dataDir: string, upload: number, point: KillPoint): Promise<Exit> {
  const { killedEmbeddedWorker, reader } = inject('scripts');
  const order = { folder, dataDir, templatePath, reader, upload, point };
  const running = spawn(process.execPath, [...shortLivedEngine(), killedEmbeddedWorker], {
    env: { ...process.env, SURVEST_TEST_WORKER: JSON.stringify(order) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

if (pglite.kind === 'absent') {
  describeNotRun('killed on the embedded database', pglite.reason, () => {});
} else {
  const base = mkdtempSync(join(tmpdir(), 'survest-killed-'));
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  test('an import is ended by whoever comes after those that were killed at it, and nothing is left of them', async () => {
    const [dataDir, folder] = [join(base, 'data'), join(base, 'kit')];
    const before = await open(dataDir);
    for (const file of PORTAL_SCHEMA) await before.script(readFileSync(file, 'utf8'));
    const kit = await openKit(before, { workers: 0, folder });
    const { upload_id } = JSON.parse(String((await kit.send('ada', [TOWNS])).body)) as { upload_id: number };
    await kit.close();
    await before.close();

    for (const point of POINTS) expect((await run(folder, dataDir, upload_id, point)).signal).toBe('SIGKILL');
    expect(await run(folder, dataDir, upload_id, NOWHERE)).toEqual({ code: ENDED, signal: null });

    const after = await open(dataDir);
    const [upload] = await after.query<{ name: string }>('select state, name from portal.upload');
    expect(upload).toMatchObject({ state: 'PROCESSED' });
    expect(await after.query(`select count(*)::int as n from layers.${upload?.name}`)).toEqual([{ n: 200 }]);
    expect(
      await after.query(`select relnamespace::regnamespace::text || '.' || relname as name from pg_class
        where relkind = 'r' and relnamespace::regnamespace::text in ('layers', 'staging') and relname <> 'run'`),
    ).toEqual([{ name: `layers.${upload?.name}` }]);
    const blobs = await openDiskStore(join(folder, 'files'));
    const db = makeCallerDb(after.driver);
    const found = await examine({ db, blobs, orphanAgeMs: 0, staleMs: 0, now: Date.now() + 1000 });
    expect(found).toEqual({ ok: true, value: [] });
    await after.close();
  }, 240_000);
}
