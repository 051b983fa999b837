// The last attempt at an import runs alone: what its neighbours do cannot interrupt it, and what happens while it waits is not held
// against it.

import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import { isKilledReader, isPassingFailure } from '../../../src/mapserver/import/import-failure.ts';
import { importFailureText } from '../../../src/mapserver/import/import-failure-text.ts';
import { makeImporter } from '../../../src/mapserver/import/importer.ts';
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
  const parts = {
    db: makeCallerDb(kit.driver),
    blobs: kit.blobs,
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
async function heldRun(kit: UploadKit, id: number): Promise<{ readonly attempts: number }> {
  for (;;) {
    const [run] = await kit.db.query<{ attempts: number }>(
      `select attempts from staging.run where upload_id = $1 and beat <> 'infinity'`,
      [id],
    );
    if (run !== undefined) return run;
  }
}

const interruptedTwice = (kit: UploadKit, id: number): Promise<unknown> =>
  kit.db.query(
    `insert into staging.run (upload_id, token, attempts, phase, beat) values ($1, gen_random_uuid(), 2, 'fetching', 'infinity')`,
    [id],
  );

onUploads('the last attempt at an import', { workers: 0 }, (kit) => {
  test('waits until the others have ended, and does not count before', async () => {
    const { seen, open, parts } = makeWorkers(kit());
    const [ordinary, last] = [await sendOne(kit(), 'ordinary.geojson'), await sendOne(kit(), 'last.geojson')];
    await interruptedTwice(kit(), last);
    const { signal } = new AbortController();
    const first = importUpload(parts, ordinary, signal);
    await heldRun(kit(), ordinary);
    open(last);
    const second = importUpload(parts, last, signal);
    expect(await heldRun(kit(), last)).toEqual({ attempts: 2 });
    open(ordinary);
    await Promise.all([first, second]);
    expect(seen).toEqual([`begins ${ordinary}`, `ends ${ordinary}`, `begins ${last}`, `ends ${last}`]);
    expect(await kit().until(last)).toMatchObject({ state: 'PROCESSED' });
  });

  test('is still the last one where the program stops while it waits', async () => {
    const { open, parts } = makeWorkers(kit());
    const [ordinary, last] = [await sendOne(kit(), 'ordinary.geojson'), await sendOne(kit(), 'waiting.geojson')];
    await interruptedTwice(kit(), last);
    const stop = new AbortController();
    const first = importUpload(parts, ordinary, new AbortController().signal);
    await heldRun(kit(), ordinary);
    const second = importUpload(parts, last, stop.signal);
    await heldRun(kit(), last);
    stop.abort();
    await expect(second).rejects.toThrow(TryAgain);
    expect(await kit().db.query('select attempts from staging.run where upload_id = $1', [last])).toEqual([
      { attempts: 2 },
    ]);
    open(ordinary);
    await first;
  });
});
