// An import that was interrupted is tried again alone: what its neighbours do cannot interrupt it, and what happens while it waits is not
// held against it. The end of a process counts only where the import is the likely cause of it.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import { isKilledReader, isPassingFailure } from '../../../src/mapserver/import/import-failure.ts';
import { importFailureText } from '../../../src/mapserver/import/import-failure-text.ts';
import { makeImporter } from '../../../src/mapserver/import/importer.ts';
import { makeProcesses } from '../../../src/mapserver/processes/make-processes.ts';
import { makeReadFile } from '../../../src/mapserver/raster/blob-source.ts';
import { makeLayerAccess } from '../../../src/portal/layers/layer-access.ts';
import { beat, beginAttempt, type Claimed, claimUpload, type Run } from '../../../src/portal/uploads/import-run.ts';
import { makeImportTurns } from '../../../src/portal/uploads/import-turns.ts';
import { importUpload, TryAgain } from '../../../src/portal/uploads/import-upload.ts';
import { at, collection, onUploads, type UploadKit } from './upload-kit.ts';

const POINTS = collection([{ properties: { n: 1 }, geometry: at(8, 47) }]);

/** Imports as workers of one process do them; each begins to read when it is told. */
function makeWorkers(kit: UploadKit) {
  const seen: string[] = [];
  const gates = new Map<number, { readonly open: () => void; readonly opened: Promise<void> }>();
  const gateOf = (id: number) => {
    const known = gates.get(id);
    if (known !== undefined) return known;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const gate = { open, opened };
    gates.set(id, gate);
    return gate;
  };
  const importer = makeImporter({
    driver: kit.driver,
    blobs: kit.blobs,
    engine: { kind: 'wasm' },
    workFolder: join(kit.folder, 'work'),
    reader: inject('scripts').reader,
  });
  const db = makeCallerDb(kit.driver);
  const parts = {
    db,
    blobs: kit.blobs,
    processes: makeProcesses({
      db,
      layers: makeLayerAccess(db),
      workFolder: join(kit.folder, 'work'),
      readFile: makeReadFile(kit.blobs),
    }),
    failureText: importFailureText,
    isPassing: isPassingFailure,
    isKill: isKilledReader,
    maxAttempts: 3,
    beatMs: 50,
    turns: makeImportTurns(),
    importer: {
      ...importer,
      run: (async (request, onProgress, signal, publish) => {
        seen.push(`begins ${request.id}`);
        await gateOf(request.id).opened;
        const done = await importer.run(request, onProgress, signal, publish);
        seen.push(`ends ${request.id}`);
        return done;
      }) as typeof importer.run,
    },
  };
  return { seen, open: (id: number) => gateOf(id).open(), parts };
}

async function sendOne(kit: UploadKit, name: string): Promise<number> {
  const reply = await kit.send('ada', [{ name, content: POINTS }]);
  return JSON.parse(String(reply.body)).upload_id;
}

/** What is known of it once it is held. */
async function heldRun(kit: UploadKit, id: number): Promise<{ readonly under_way: string | null }> {
  for (;;) {
    const [run] = await kit.db.query<{ under_way: string | null }>(
      `select under_way from staging.run where upload_id = $1 and beat <> 'infinity'`,
      [id],
    );
    if (run !== undefined) return run;
  }
}

const interruptedOnce = (kit: UploadKit, id: number): Promise<unknown> =>
  kit.db.query(
    `insert into staging.run (upload_id, token, interruptions, phase, beat) values ($1, gen_random_uuid(), 1, 'fetching', 'infinity')`,
    [id],
  );

onUploads('an import that was interrupted', { workers: 0 }, (kit) => {
  test('waits until the others have ended, and nothing counts before', async () => {
    const { seen, open, parts } = makeWorkers(kit());
    const [ordinary, last] = [await sendOne(kit(), 'ordinary.geojson'), await sendOne(kit(), 'last.geojson')];
    await interruptedOnce(kit(), last);
    const { signal } = new AbortController();
    const first = importUpload(parts, ordinary, signal);
    await heldRun(kit(), ordinary);
    open(last);
    const second = importUpload(parts, last, signal);
    expect(await heldRun(kit(), last)).toEqual({ under_way: null });
    open(ordinary);
    await Promise.all([first, second]);
    expect(seen).toEqual([`begins ${ordinary}`, `ends ${ordinary}`, `begins ${last}`, `ends ${last}`]);
    expect(await kit().until(last)).toMatchObject({ state: 'PROCESSED' });
  });

  test('is tried alone again where the program stops while it waits', async () => {
    const { open, parts } = makeWorkers(kit());
    const [ordinary, last] = [await sendOne(kit(), 'ordinary.geojson'), await sendOne(kit(), 'waiting.geojson')];
    await interruptedOnce(kit(), last);
    const stop = new AbortController();
    const first = importUpload(parts, ordinary, new AbortController().signal);
    await heldRun(kit(), ordinary);
    const second = importUpload(parts, last, stop.signal);
    await heldRun(kit(), last);
    stop.abort();
    await expect(second).rejects.toThrow(TryAgain);
    expect(
      await kit().db.query('select attempts, interruptions from staging.run where upload_id = $1', [last]),
    ).toEqual([{ attempts: 0, interruptions: 1 }]);
    open(ordinary);
    await first;
  });

  /** A process takes the import, gets so far, and ends; what the next one finds. */
  async function ended(id: number, how: 'beside' | 'alone', phase: Run['phase']): Promise<Claimed> {
    const db = makeCallerDb(kit().driver);
    const token = randomUUID();
    expect(await claimUpload(db, id, token, 3)).toMatchObject({ ok: true });
    expect(await beginAttempt(db, id, token, how)).toEqual({ ok: true, value: true });
    await beat(db, id, token, { phase, bytesRead: 0, bytesTotal: 0, features: 0 });
    const next = await claimUpload(db, id, randomUUID(), 3);
    if (!next.ok) throw new Error(next.error.kind);
    return next.value;
  }

  test('beside others is not blamed for it, however often', async () => {
    const id = await sendOne(kit(), 'beside.geojson');
    for (let times = 0; times < 10; times += 1)
      expect(await ended(id, 'beside', 'reading')).toMatchObject({ kind: 'claimed', attempts: 0, isSuspect: true });
  });

  test('is not blamed where it ends in another stage each time', async () => {
    const id = await sendOne(kit(), 'stages.geojson');
    for (const phase of ['reading', 'indexing', 'publishing', 'reading', 'indexing'] as const)
      expect(await ended(id, 'alone', phase)).toMatchObject({ kind: 'claimed', attempts: 1 });
  });

  test('is given up where it ends the process three times in the same stage, alone', async () => {
    const id = await sendOne(kit(), 'culprit.geojson');
    expect(await ended(id, 'beside', 'reading')).toMatchObject({ kind: 'claimed', attempts: 0 });
    expect(await ended(id, 'alone', 'reading')).toMatchObject({ kind: 'claimed', attempts: 1 });
    expect(await ended(id, 'alone', 'reading')).toMatchObject({ kind: 'claimed', attempts: 2 });
    expect(await ended(id, 'alone', 'reading')).toEqual({ kind: 'exhausted', times: 4 });
  });
});
