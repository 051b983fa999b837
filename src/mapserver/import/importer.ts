// Files → layers that stand in `staging`, ready to be published; or what is wrong with them, or what has to be asked first. The
// steps: fetch the files into a folder of its own, let the reading process read them, load its rows, finish the tables.
// Publishing is the catalogue's business.

import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../kernel/result.ts';
import type { Staged } from '../../layer-ports/staged.ts';
import type { TablePreview } from '../../layer-ports/table-choices.ts';
import type { Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { quoteIdent } from '../../sql/index.ts';
import { runAttempt } from './attempt.ts';
import {
  DEFAULT_LIMITS,
  type ImporterOptions,
  type ImportLimits,
  type ImportProgress,
  type ImportRequest,
} from './import-context.ts';
import type { ImportStop } from './import-stop.ts';
import { readPreview } from './read-preview.ts';

export type Importer = {
  /**
   * Hands the layers to `publish` while their tables and files are there; afterwards nothing of the import is left but what
   * `publish` has made its own. Throws what the signal's abort throws.
   */
  run<T>(
    request: ImportRequest,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
    publish: (staged: Staged) => Promise<T>,
  ): Promise<Result<T, ImportStop>>;
  /** What a table would be read as: nothing is loaded, and nothing is left. Throws what the signal's abort throws. */
  preview(request: Omit<ImportRequest, 'id'>, signal: AbortSignal): Promise<Result<TablePreview, ImportStop>>;
  /** Removes tables and folders that imports left behind whose worker died. */
  clear(id: number): Promise<void>;
  clearFolders(): Promise<void>;
};

/** Somebody waits for it. */
const PREVIEW_SECONDS = 30;

export function makeImporter(options: ImporterOptions): Importer {
  const { driver } = options;
  const limits: ImportLimits = { ...DEFAULT_LIMITS, ...options.limits };

  return {
    async run(request, onProgress, signal, publish) {
      await mkdir(options.workFolder, { recursive: true });
      // The number of this process tells who may clear it away.
      const folder = await mkdtemp(join(options.workFolder, `import-${process.pid}-`));
      try {
        await dropStaged(driver, request.id);
        let progress: ImportProgress = { phase: 'fetching', bytesRead: 0, bytesTotal: 0, features: 0 };
        const tell = (news: Partial<ImportProgress>): void => {
          progress = { ...progress, ...news };
          onProgress(progress);
        };
        const staged = await runAttempt({ options, limits, request, folder, tell, signal });
        if (!staged.ok) return staged;
        signal.throwIfAborted();
        return ok(await publish(staged.value));
      } finally {
        await dropStaged(driver, request.id);
        await rm(folder, { recursive: true, force: true });
      }
    },
    async preview(request, signal) {
      await mkdir(options.workFolder, { recursive: true });
      const folder = await mkdtemp(join(options.workFolder, `import-${process.pid}-`));
      try {
        const bounded = { ...limits, seconds: Math.min(limits.seconds, PREVIEW_SECONDS) };
        return await readPreview({
          options,
          limits: bounded,
          request: { ...request, id: 0 },
          folder,
          tell: () => {},
          signal,
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    clear: (id) => dropStaged(driver, id),
    async clearFolders() {
      for (const name of await readdir(options.workFolder).catch(() => [])) {
        const pid = Number(/^import-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
        if (!Number.isNaN(pid) && !isRunning(pid))
          await rm(join(options.workFolder, name), { recursive: true, force: true });
      }
    },
  };
}

/** Removes the tables in `staging` of what has this number. */
export async function dropStaged(driver: Driver, id: number): Promise<void> {
  const found = await driver.execute([
    {
      text: `select relname from pg_catalog.pg_class
              where relnamespace = 'staging'::regnamespace and relkind = 'r' and relname ~ $1`,
      params: [`^u${id}_[0-9]+$`],
    },
  ]);
  if (!found.ok) return;
  for (const [name] of textRows(found.value[0] ?? { rows: [], tag: '' })) {
    if (name !== null && name !== undefined)
      await driver.execute([{ text: `drop table if exists staging.${quoteIdent(name)}`, params: [] }]);
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
