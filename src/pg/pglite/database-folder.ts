// The folder of an embedded database: what is in it, and making a new one. A start deletes nothing that it did not make
// itself: a new database is made beside its place, in a folder with a name and a marker of its own, and moved there when it is
// complete. Whatever else stands in its place is opened, if it is a database, or refused.

import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../../kernel/result.ts';
import { syncFolder } from '../data-folder/sync-folder.ts';
import { unpackTemplate } from './unpack-template.ts';

/** Earlier releases made databases in their place, and took one without this file for unfinished. */
export const COMPLETE = 'survest-complete';

const UNFINISHED = 'survest-unfinished';
const DRAFT = /^database\.new-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What every data folder of PostgreSQL has. */
const PARTS = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_xact'] as const;

export type DatabaseFolder =
  /** Not there, or empty. */
  | { readonly kind: 'none' }
  /** Of this major release of PostgreSQL. */
  | { readonly kind: 'database'; readonly major: string };

export function inspectFolder(folder: string): Result<DatabaseFolder, string> {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return ok({ kind: 'none' });
  if (!found.isDirectory()) return err(`"${folder}" is not a folder: move it away, or choose another data-dir`);
  const names = readdirSync(folder);
  if (names.length === 0) return ok({ kind: 'none' });
  const missing = PARTS.filter((part) => !existsSync(join(folder, part)));
  if (missing.length === 0)
    return ok({ kind: 'database', major: readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim() });
  if (names.includes('PG_VERSION')) {
    return err(
      `the database in "${folder}" is not complete (it has no ${missing.join(', no ')}), and was left as it is: restore the missing files, or move the folder away to begin with a new database`,
    );
  }
  return err(
    `"${folder}" is not a database, and was left as it is: move it away to have one made there, or choose another data-dir`,
  );
}

/** Throws what the file system says. */
export async function makeDatabase(template: string, folder: string): Promise<void> {
  const parent = dirname(folder);
  const draft = join(parent, `database.new-${randomUUID()}`);
  mkdirSync(draft, { mode: 0o700 });
  try {
    markUnfinished(draft);
    const made = join(draft, 'database');
    await unpackTemplate(template, made);
    writeFileSync(join(made, COMPLETE), '');
    renameSync(made, folder);
    await syncFolder(parent);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Nothing in the folder is anybody's yet: should its maker be killed, the next start clears it away. */
export function markUnfinished(draft: string): void {
  writeFileSync(join(draft, UNFINISHED), 'A database that is being made. Nothing in this folder is anybody’s yet.\n');
}

/** What starts left that were killed while they made a database. Nobody else makes one: the caller holds the folder's lock. */
export function clearDrafts(parent: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (!DRAFT.test(name) || !lstatSync(path).isDirectory() || !existsSync(join(path, UNFINISHED))) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
