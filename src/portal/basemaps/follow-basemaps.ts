// The basemaps that there are: those of the settings, and those that administrators have switched on, followed from the database. Every page names
// their sites in its content policy, so none waits for the database.

import type { CallerDb } from '../../auth/caller-db.ts';
import { type PolledCell, pollCell } from '../../kernel/polled-cell.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { BasemapSetting } from '../../layer-ports/basemap.ts';
import type { DbError } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { parseBasemap } from './parse-basemap.ts';

export type BasemapCell = PolledCell<readonly BasemapSetting[]>;

/** Most that administrators switch on. */
export const MAX_STORED = 50;

const EVERY_MS = 10_000;

export function followBasemaps(
  db: Pick<CallerDb, 'service'>,
  settings: readonly BasemapSetting[],
): Promise<BasemapCell> {
  const read = async (): Promise<Result<readonly BasemapSetting[], DbError>> => {
    const stored = await readStored(db);
    return stored.ok ? ok(together(settings, stored.value)) : stored;
  };
  return pollCell(settings, read, EVERY_MS);
}

async function readStored(db: Pick<CallerDb, 'service'>): Promise<Result<readonly BasemapSetting[], DbError>> {
  const executed = await db.service([
    {
      name: 'portal_basemaps',
      text: 'select portal.all_basemaps($1)',
      params: [String(MAX_STORED)],
    },
  ]);
  if (!executed.ok) return executed;
  const rows = executed.value.flatMap(textRows);
  return ok(
    rows.flatMap(([text]) => {
      // What a later version has written is not known here.
      const parsed = parseBasemap(JSON.parse(text ?? 'null'));
      return parsed.ok ? [parsed.value] : [];
    }),
  );
}

/** The settings have the last word on an id, and whoever switched one on as the usual one had it after them. */
function together(settings: readonly BasemapSetting[], stored: readonly BasemapSetting[]): readonly BasemapSetting[] {
  const added = stored.filter(({ id }) => !settings.some((one) => one.id === id));
  if (!added.some(({ isDefault }) => isDefault)) return [...settings, ...added];
  return [...settings.map((one) => ({ ...one, isDefault: false })), ...added];
}
