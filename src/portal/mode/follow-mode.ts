// A cell with the mode of service, polled from the database: what a copy of the program does before it asks the database for anything (turning a
// request away, taking a job) goes by it. The database refuses writes by itself, so a copy that hears late accepts none.

import type { CallerDb } from '../../auth/caller-db.ts';
import { NORMAL, type ServiceMode } from '../../http/service-mode.ts';
import { readMode } from './mode-store.ts';

export type ModeCell = {
  now(): ServiceMode;
  /** Reads it at once: somebody has just set it here. */
  refresh(): Promise<void>;
  close(): void;
};

const EVERY_MS = 2000;

/** While the database cannot be asked, what it said last holds. */
export async function followMode(db: Pick<CallerDb, 'service'>, everyMs: number = EVERY_MS): Promise<ModeCell> {
  let mode: ServiceMode = NORMAL;
  let isAsking = false;
  const refresh = async (): Promise<void> => {
    const read = await readMode(db);
    if (read.ok) mode = read.value;
  };
  const poll = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    await refresh().finally(() => {
      isAsking = false;
    });
  };
  await refresh();
  const timer = setInterval(() => void poll(), everyMs);
  timer.unref();
  return { now: () => mode, refresh, close: () => clearInterval(timer) };
}
