// A worker of imports that kills its own process at a point that it is told: before or after a statement to the database that
// matches, or a step of the import.

import { join } from 'node:path';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import type { BlobStore } from '../../../src/blobs/blob-store.ts';
import { openDiskStore } from '../../../src/blobs/disk.ts';
import { openJobs } from '../../../src/jobs/open-jobs.ts';
import { findGdal } from '../../../src/mapserver/import/find-gdal.ts';
import { isKilledReader, isPassingFailure } from '../../../src/mapserver/import/import-failure.ts';
import { importFailureText } from '../../../src/mapserver/import/import-failure-text.ts';
import { makeImporter } from '../../../src/mapserver/import/importer.ts';
import type { GeocoderSettings } from '../../../src/mapserver/processes/geocoding/by-geocoder.ts';
import { makeProcesses } from '../../../src/mapserver/processes/make-processes.ts';
import { makeReadFile } from '../../../src/mapserver/raster/blob-source.ts';
import type { Driver, Session } from '../../../src/pg/driver.ts';
import { makeLayerAccess } from '../../../src/portal/layers/layer-access.ts';
import { startImports } from '../../../src/portal/uploads/import-service.ts';
import { makeImportTurns } from '../../../src/portal/uploads/import-turns.ts';
import { noteBlobs } from '../../../src/portal/uploads/noted-blobs.ts';

export type WorkerOrder = {
  readonly folder: string;
  /** Script of the reading process, where it is not the one of the sources. */
  readonly reader?: string;
  readonly upload: number;
  readonly geocoder?: GeocoderSettings;
  readonly point: KillPoint;
};

export type KillPoint =
  | { readonly kind: 'before' | 'after'; readonly statement: string }
  | { readonly kind: 'phase'; readonly phase: string }
  | { readonly kind: 'blob-stored' };

/** `isAlone`: nobody else works on this database. */
export async function runKilledWorker(
  bare: Driver,
  order: WorkerOrder,
  { isAlone, maxAttempts }: { readonly isAlone: boolean; readonly maxAttempts: number },
): Promise<void> {
  const { folder, reader, upload, geocoder, point } = order;
  /** The import ended, and nothing on its way was the point. */
  let isOver = false;

  function die(): void {
    process.kill(process.pid, 'SIGKILL');
  }

  function isPoint(kind: 'before' | 'after', texts: readonly string[]): boolean {
    return point.kind === kind && texts.some((text) => new RegExp(point.statement, 'i').test(text));
  }

  function watchExecute(execute: Session['execute']): Session['execute'] {
    return async (batch, ...rest) => {
      const texts = batch.map(({ text }) => text);
      if (isPoint('before', texts)) die();
      const executed = await execute(batch, ...rest);
      if (isPoint('after', texts)) die();
      if (isOver && texts.some((text) => text.includes('completed_on = now()'))) process.exit(2);
      return executed;
    };
  }

  function watchDriver(driver: Driver): Driver {
    return {
      ...driver,
      execute: watchExecute(driver.execute),
      hold: (work, options) =>
        driver.hold((session) => work({ ...session, execute: watchExecute(session.execute) }), options),
      copyIn: async (before, copy, feed, options) => {
        if (isPoint('before', [copy])) die();
        const copied = await driver.copyIn(before, copy, feed, options);
        if (isPoint('after', [copy])) die();
        return copied;
      },
    };
  }

  function watchBlobs(blobs: BlobStore): BlobStore {
    return {
      ...blobs,
      async put(...args) {
        const put = await blobs.put(...args);
        if (point.kind === 'blob-stored') die();
        return put;
      },
    };
  }

  const driver = watchDriver(bare);
  const db = makeCallerDb(driver);
  const blobs = watchBlobs(noteBlobs(await openDiskStore(join(folder, 'files')), db));
  const importer = makeImporter({
    driver,
    blobs,
    engine: await findGdal(),
    workFolder: join(folder, 'work'),
    ...(reader === undefined ? {} : { reader }),
  });
  const jobs = await openJobs({ driver });
  await startImports({
    db,
    blobs,
    processes: makeProcesses({
      db,
      layers: makeLayerAccess(db),
      workFolder: join(folder, 'work'),
      readFile: makeReadFile(blobs),
      geocoder,
    }),
    jobs: {
      ...jobs,
      work: (queue, options, handle) =>
        jobs.work(queue, options, async (job) => {
          await handle(job);
          isOver ||= job.data['upload'] === upload;
        }),
    },
    importer: {
      ...importer,
      run: (request, onProgress, signal, publish) =>
        importer.run(
          request,
          (progress) => {
            if (point.kind === 'phase' && progress.phase === point.phase) die();
            onProgress(progress);
          },
          signal,
          publish,
        ),
    },
    failureText: importFailureText,
    isPassing: isPassingFailure,
    isKill: isKilledReader,
    turns: makeImportTurns(),
    maxAttempts,
    beatMs: 100,
    staleMs: 60_000,
    workers: 1,
    isAlone,
  });
}
