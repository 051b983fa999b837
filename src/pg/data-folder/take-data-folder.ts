// A data folder → the right to use the database in it, for one program at a time, whichever engine keeps its files there.

import { join, resolve } from 'node:path';
import { err, type Result } from '../../kernel/result.ts';
import { describeLock, type FolderLock, isLocked, type LockError, type LockOwner, lockFolder } from './folder-lock.ts';

export type FolderTaken = {
  readonly kind: 'folder-locked';
  readonly message: string;
  /** Who has it: a sentence without the remedy. */
  readonly who: string;
  /** Whoever has it ends by itself. */
  readonly isBrief: boolean;
};

export function takeDataFolder(dataDir: string, owner: LockOwner | undefined): Result<FolderLock, FolderTaken> {
  const lock = lockFolder(lockPath(dataDir), owner);
  return lock.ok ? lock : err(folderTaken(dataDir, lock.error));
}

/** Whether a program has the database of the folder open. */
export function isInUse(dataDir: string): boolean {
  return isLocked(lockPath(dataDir));
}

function lockPath(dataDir: string): string {
  return join(resolve(dataDir), 'database.lock');
}

function folderTaken(dataDir: string, error: LockError): FolderTaken {
  const who = describeLock(resolve(dataDir), error);
  const message = `${who}, and the database in it is open in one program at a time: stop that one, choose another data-dir, or move to a PostgreSQL server (survest move)`;
  const isBrief = error.kind === 'contended' || error.holder.isBrief === true;
  return { kind: 'folder-locked', message: error.kind === 'held' ? message : who, who, isBrief };
}
