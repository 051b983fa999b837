// Imports as a running service: workers that take jobs, a look-out for those whose worker died, and a broom.

import { sweepOrphans } from '../../blobs/sweep-orphans.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { textRows } from '../../pg/rows.ts';
import { findDead, findForgotten, forgetRun, MAX_INTERRUPTIONS } from './import-run.ts';
import { type ImportParts, importUpload, MAX_OUTAGES } from './import-upload.ts';
import { orphansAmong } from './noted-blobs.ts';
import { first, statement } from './service-transaction.ts';
import { IMPORT_QUEUE } from './upload-row.ts';

export type ImportServiceOptions<F> = ImportParts<F> & {
  readonly jobs: Jobs;
  /** Imports that run here at once. */
  readonly workers: number;
  /** Days for which the audit log is kept; 0: for good. */
  readonly auditLogDays?: number;
  /** Days for which uploads are kept that have ended. */
  readonly uploadDays?: number;
  /** A worker that was not heard of for so long has died. */
  readonly staleMs: number;
  /** Nobody else works on this database: whatever is under way when this starts belongs to a process that died. */
  readonly isAlone: boolean;
  readonly onError?: (error: unknown) => void;
};

export type ImportService = {
  /** Looks after imports whose worker died; happens by itself now and then. */
  recover(): Promise<void>;
  sweep(): Promise<void>;
  stop(): void;
};

const SWEEP_QUEUE = 'sweep';
/** So long can a dropped column be put back. */
const DROPPED_COLUMN_DAYS = 30;
const UPLOAD_DAYS = 90;
const SWEEP_SECONDS = 3600;
/** What refers to a blob is written within minutes of it. */
const ORPHAN_AGE_MS: number = 24 * 3600 * 1000;
/** Longer than any import may take: a job that is still active then has lost its worker in a way nobody noticed. */
const EXPIRE_SECONDS = 12 * 3600;

export async function startImports<F>(options: ImportServiceOptions<F>): Promise<ImportService> {
  const {
    db,
    jobs,
    importer,
    blobs,
    staleMs,
    auditLogDays = 0,
    uploadDays = UPLOAD_DAYS,
    onError = () => {},
  } = options;
  const queue = {
    retryLimit: options.maxAttempts + MAX_OUTAGES + MAX_INTERRUPTIONS,
    retryDelaySeconds: 1,
    retryBackoff: true,
    expireInSeconds: EXPIRE_SECONDS,
  };

  async function recover(stale = staleMs): Promise<void> {
    const dead = await findDead(db, stale);
    for (const id of dead.ok ? dead.value : []) {
      if ((await jobs.giveBack(IMPORT_QUEUE, { upload: id })) === 0) await jobs.send(IMPORT_QUEUE, { upload: id });
      await forgetRun(db, id, stale);
    }
    const forgotten = await findForgotten(db);
    for (const id of forgotten.ok ? forgotten.value : []) await jobs.send(IMPORT_QUEUE, { upload: id });
  }

  async function sweep(olderThanMs = ORPHAN_AGE_MS): Promise<void> {
    await importer.clearFolders();
    const trimmed = await db.service([statement('select portal.trim_audit($1::integer)', String(auditLogDays))]);
    if (!trimmed.ok) onError(trimmed.error);
    const ended = await db.service([statement('select portal.sweep_uploads($1::integer)', String(uploadDays))]);
    if (!ended.ok) onError(ended.error);
    const strays = await db.service([statement(`select name from portal.stray_tables() where kind = 'staged table'`)]);
    for (const [name] of strays.ok ? textRows(first(strays.value)) : []) {
      const id = Number(/^u(\d+)_/.exec(name ?? '')?.[1] ?? Number.NaN);
      if (!Number.isNaN(id)) await importer.clear(id);
    }
    await db.service([statement('select portal.forget_dropped_columns($1)', String(DROPPED_COLUMN_DAYS))]);
    await db.service([statement('select portal.forget_kept_data($1)', String(DROPPED_COLUMN_DAYS))]);
    await sweepOrphans(blobs, {
      kept: async (keys) => {
        const orphans = await orphansAmong(db, keys);
        // Without an answer everything is.
        return new Set(orphans.ok ? keys.filter((key) => !orphans.value.has(key)) : keys);
      },
      olderThanMs,
      now: Date.now(),
    });
  }

  await jobs.ensureQueue(IMPORT_QUEUE, queue);
  if (options.isAlone) {
    await recover(0);
    await sweep(0);
  } else await recover();
  const { workers } = options;
  const again = async (id: number): Promise<void> => {
    await jobs.send(IMPORT_QUEUE, { upload: id });
  };
  // Large files must not keep small ones waiting: of several workers one is for these.
  await jobs.work(IMPORT_QUEUE, { ...queue, workers, quickWorkers: workers > 1 ? 1 : 0 }, async ({ data, signal }) => {
    const id = data['upload'];
    if (typeof id === 'number') await importUpload({ ...options, again }, id, signal);
  });
  await jobs.work(
    SWEEP_QUEUE,
    { workers: 1, retryLimit: 0, retryDelaySeconds: 0, expireInSeconds: SWEEP_SECONDS },
    () => sweep(),
  );
  jobs.every(SWEEP_QUEUE, SWEEP_SECONDS);
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    await recover().catch(onError);
    isLooking = false;
  };
  const timer = setInterval(() => void look(), Math.max(1000, staleMs / 2)).unref();
  return { recover: () => recover(), sweep: () => sweep(), stop: () => clearInterval(timer) };
}
