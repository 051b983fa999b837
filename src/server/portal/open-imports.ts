// Uploads of a process: the queue that they are sent to and, where this process works on them, the workers.

import { join, resolve } from 'node:path';
import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { openJobs } from '../../jobs/open-jobs.ts';
import { errorText } from '../../kernel/error-text.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessPort } from '../../layer-ports/process.ts';
import { findGdal } from '../../mapserver/import/find-gdal.ts';
import { isKilledReader, isPassingFailure } from '../../mapserver/import/import-failure.ts';
import { importFailureText } from '../../mapserver/import/import-failure-text.ts';
import type { EngineChoice } from '../../mapserver/import/import-task.ts';
import { type Importer, makeImporter } from '../../mapserver/import/importer.ts';
import { makeProcesses } from '../../mapserver/processes/make-processes.ts';
import { makeReadFile } from '../../mapserver/raster/blob-source.ts';
import type { Driver } from '../../pg/driver.ts';
import { makeLayerAccess } from '../../portal/layers/layer-access.ts';
import { type ImportService, startImports } from '../../portal/uploads/import-service.ts';
import { makeImportTurns } from '../../portal/uploads/import-turns.ts';
import { TryAgain } from '../../portal/uploads/import-upload.ts';
import type { PreviewTable } from '../../portal/uploads/preview-upload.ts';
import { MAX_ATTEMPTS } from '../../portal/uploads/upload-row.ts';
import { type UploadWatch, watchUploads } from '../../portal/uploads/upload-watch.ts';
import type { ServerConfig } from '../config/config.ts';
import type { PrepareError } from './portal-gate.ts';

export type OpenedImports = {
  readonly jobs: Jobs;
  readonly watch: UploadWatch;
  readonly preview: PreviewTable;
  /** Whoever listens for news of uploads is told that there are none any more. */
  stopWatching(): Promise<void>;
  /** Imports under way are left where another worker, or the next start, takes them up. */
  stop(): Promise<void>;
};

export type ImportsParts = {
  readonly driver: Driver;
  readonly db: CallerDb;
  readonly blobs: BlobStore;
  readonly config: ServerConfig;
  readonly observe: Observe;
  /** True: no further job is begun for now. */
  readonly isPaused: () => boolean;
  /** False: others do the work. */
  readonly works: boolean;
  /** Never to be seen by whoever reads an upload. */
  readonly settingsFile: string | undefined;
};

export const BEAT_MS = 1000;
/** A worker that has said nothing for so long has died. */
export const STALE_MS = 30_000;
const STOP_DEADLINE_MS = 10_000;

export async function openImports(parts: ImportsParts): Promise<Result<OpenedImports, PrepareError>> {
  const { driver, db, blobs, config, observe, works } = parts;
  const onError = (error: unknown): void => observe({ kind: 'job-failed', message: reason(error) });
  const engine = works ? await chooseEngine(config, parts.settingsFile) : ok<EngineChoice>({ kind: 'wasm' });
  if (!engine.ok) return err({ message: engine.error, retry: false });
  if (engine.value.kind === 'wasm' && engine.value.why !== undefined)
    observe({ kind: 'gdal-not-confined', why: engine.value.why });
  let jobs: Jobs | undefined;
  let watch: UploadWatch | undefined;
  try {
    jobs = await openJobs({
      driver,
      onError,
      onEnd: (queue, end, tookMs) => observe({ kind: 'job-ended', queue, end, tookMs }),
      isPaused: parts.isPaused,
    });
    watch = watchUploads(driver);
    const importer = openImporter(driver, blobs, config, engine.value);
    const service = works
      ? await startImports({
          db,
          blobs,
          jobs,
          importer,
          processes: openProcesses(db, blobs, config),
          failureText: importFailureText,
          isPassing: isPassingFailure,
          isKill: isKilledReader,
          turns: makeImportTurns(),
          maxAttempts: MAX_ATTEMPTS,
          beatMs: BEAT_MS,
          staleMs: STALE_MS,
          workers: config.importWorkers,
          auditLogDays: config.auditLogDays,
          uploadDays: config.uploadDays,
          // Nobody else can have the embedded database open.
          isAlone: config.dbUri === undefined,
          onError,
        })
      : undefined;
    return ok(opened(jobs, watch, service, openPreview(importer)));
  } catch (error) {
    // The database went away again; what was begun is begun anew.
    await watch?.close();
    await jobs?.stop(0);
    return err({ message: `jobs could not be started: ${reason(error)}`, retry: true });
  }
}

function opened(
  jobs: Jobs,
  watch: UploadWatch,
  service: ImportService | undefined,
  preview: PreviewTable,
): OpenedImports {
  return {
    jobs,
    watch,
    preview,
    stopWatching: () => watch.close(),
    async stop() {
      service?.stop();
      await watch.close();
      await jobs.stop(STOP_DEADLINE_MS);
    },
  };
}

export function openPreview(importer: Importer): PreviewTable {
  return async (request, signal) => {
    const looked = await importer.preview(request, signal);
    if (looked.ok) return looked;
    const { error: stop } = looked;
    return err(
      stop.kind === 'failed' ? { kind: 'refused', said: importFailureText(stop.failure) } : { kind: 'unavailable' },
    );
  };
}

export function openProcesses(db: CallerDb, blobs: BlobStore, config: ServerConfig): ProcessPort {
  const { geocoderUrl: url, geocoderRate: perSecond, geocoderRows: maxRows } = config;
  return makeProcesses({
    db,
    layers: makeLayerAccess(db),
    workFolder: workFolderOf(config),
    readFile: makeReadFile(blobs),
    geocoder: url === undefined ? undefined : { url, perSecond, maxRows },
  });
}

function workFolderOf({ dataDir }: ServerConfig): string {
  return resolve(join(dataDir, 'work'));
}

export function openImporter(driver: Driver, blobs: BlobStore, config: ServerConfig, engine: EngineChoice): Importer {
  return makeImporter({
    driver,
    blobs,
    engine,
    workFolder: workFolderOf(config),
    limits: {
      memoryBytes: config.importMaxMemory,
      seconds: config.importMaxTime,
      unpackedBytes: config.importMaxUnpacked,
    },
  });
}

export async function chooseEngine(
  { importGdal, dataDir }: ServerConfig,
  settingsFile: string | undefined,
): Promise<Result<EngineChoice, string>> {
  const found = await findGdal(
    [dataDir, ...(settingsFile === undefined ? [] : [settingsFile])].map((path) => resolve(path)),
  );
  if (importGdal === 'native' && found.kind !== 'native') {
    const why = found.why ?? 'ogr2ogr, gdalinfo and gdal_translate (3.4 or newer) are not installed';
    return err(`import-gdal is native, but ${why}`);
  }
  if (importGdal === 'wasm')
    return ok({ kind: 'wasm', ...(found.sandbox === undefined ? {} : { sandbox: found.sandbox }) });
  return ok(found);
}

function reason(error: unknown): string {
  if (error instanceof TryAgain) return `${error.message}; the import is tried again`;
  return errorText(error);
}
