// The mode of service, followed from the database: what a copy of the program does before it asks the database for anything (turning a request away,
// taking a job) goes by it. The database refuses writes by itself, so a copy that hears late accepts none.

import type { CallerDb } from '../../auth/caller-db.ts';
import { NORMAL, type ServiceMode } from '../../http/service-mode.ts';
import { type PolledCell, pollCell } from '../../kernel/polled-cell.ts';
import { readMode } from './mode-store.ts';

export type ModeCell = PolledCell<ServiceMode>;

const EVERY_MS = 2000;

export function followMode(db: Pick<CallerDb, 'service'>, everyMs: number = EVERY_MS): Promise<ModeCell> {
  return pollCell<ServiceMode>(NORMAL, () => readMode(db), everyMs);
}
