// A new embedded database, made beside its place, filled by the caller, and moved there when that has succeeded: a fill that fails or is
// killed leaves nothing that a start would open.

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../driver.ts';
import { inspectFolder, markUnfinished } from './database-folder.ts';
import { lockFolder } from './folder-lock.ts';
import { type EmbeddedOptions, openEmbedded } from './open-embedded.ts';
import { syncFolder } from './unpack-template.ts';

type Failed = { readonly message: string };

export async function fillEmbedded<T>(
  options: EmbeddedOptions,
  fill: (driver: Driver) => Promise<Result<T, Failed>>,
): Promise<Result<T, Failed>> {
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, 'database');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    return err({ message: `the folder "${dataDir}" cannot be used: ${String(cause)}` });
  }
  const lock = lockFolder(`${folder}.lock`);
  if (!lock.ok) return err({ message: `the folder "${dataDir}" is in use by another program` });
  const draft = join(dataDir, `database.new-${randomUUID()}`);
  try {
    const found = inspectFolder(folder);
    if (!found.ok) return err({ message: found.error });
    if (found.value.kind !== 'none') return err({ message: `there is a database in "${dataDir}" already` });
    mkdirSync(draft, { mode: 0o700 });
    markUnfinished(draft);
    const opened = await openEmbedded({ ...options, dataDir: draft });
    if (!opened.ok) return err({ message: opened.error.message });
    const filled = await fill(opened.value).finally(() => opened.value.close());
    if (!filled.ok) return filled;
    // An empty folder is as good as none, and in the way.
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(join(draft, 'database'), folder);
    await syncFolder(dataDir);
    return ok(filled.value);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    lock.value.release();
  }
}
