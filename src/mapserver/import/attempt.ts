// One attempt at an import: what its steps are given, and their order. A file is read again where reading it has taught something that
// had to be known before.

import { err, type Result } from '../../kernel/result.ts';
import type { Staged } from '../../layer-ports/staged.ts';
import { findPostgis, findSrids, isKnownSrid } from './crs-of-layers.ts';
import { finishImport } from './finish-import.ts';
import type { Attempt } from './import-context.ts';
import { failed, type ImportStop } from './import-stop.ts';
import { NeedsCrs, NeedsMultipoint, type RetryHints, readRows } from './read-rows.ts';

/** A file with many layers may need many retries; nobody needs all of them. */
const MAX_READS = 30;

export async function runAttempt(attempt: Attempt): Promise<Result<Staged, ImportStop>> {
  const { request, tell } = attempt;
  const { driver } = attempt.options;
  tell({});
  const gis = await findPostgis(driver);
  if (!gis.ok) return err({ kind: 'unavailable', error: gis.error });
  const said = request.answers.crs;
  const code = /^EPSG:(\d+)$/.exec(said ?? '')?.[1];
  if (said !== undefined && (code === undefined || !(await isKnownSrid(driver, gis.value, Number(code)))))
    return failed({ kind: 'unknown-crs', crs: said });
  let hints: RetryHints = { srids: new Map(), multipoints: new Set() };
  let hasInspected = false;
  for (let round = 1; ; round += 1) {
    try {
      const done = await readRows(attempt, gis.value, hints, `read${round}`);
      return done.ok ? finishImport(attempt, gis.value, done.value) : done;
    } catch (error) {
      if (round >= MAX_READS) throw error;
      if (error instanceof NeedsMultipoint) {
        hints = { ...hints, multipoints: new Set([...hints.multipoints, error.layer]) };
      } else if (error instanceof NeedsCrs && !hasInspected) {
        hasInspected = true;
        const found = await findSrids(attempt);
        if (!found.ok) return found;
        hints = { ...hints, srids: found.value };
      } else if (error instanceof NeedsCrs) {
        return err({ kind: 'question', question: { kind: 'crs', file: request.files[0]?.name ?? '' } });
      } else throw error;
    }
  }
}
