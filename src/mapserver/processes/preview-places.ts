// What would be found for the first rows of a table: few, since each may be a question to a geocoder.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessFault } from '../../layer-ports/process.ts';
import { textRows } from '../../pg/rows.ts';
import { fromSql } from '../query/feature-query.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { toStatement } from '../query/value.ts';
import type { Lookup } from './geocoding/lookup.ts';
import { foundCells } from './geocoding/place-rows.ts';
import type { Part, Recipe } from './query/recipe.ts';
import { faultOf, queryOf } from './run-recipe.ts';

const SAMPLE_ROWS = 3;

export type PlacesPreview = {
  readonly db: CallerDb;
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly recipe: Recipe;
  readonly part: Part;
  readonly lookup: Lookup;
  readonly timeLimitMs: number;
};

/** GeoJSON; rows that nothing was found for have no geometry. */
export async function previewPlaces(preview: PlacesPreview): Promise<Result<string, ProcessFault>> {
  const { db, caller, info, recipe, part, lookup, timeLimitMs } = preview;
  const statement = toStatement(part.select(fromSql({ ...queryOf(part), isAnyOrder: false, limit: SAMPLE_ROWS })));
  const executed = await db.read(caller, info, [timeLimit(timeLimitMs), statement], { timeLimitMs });
  if (!executed.ok) return err(faultOf(executed.error));
  const rows = textRows(executed.value[1] ?? { rows: [], tag: '' });
  const addresses = rows.map((row) => {
    const [place, country] = row.slice(-2).map((cell) => cell?.trim() ?? '');
    return { place: place ?? '', country: country ?? '' };
  });
  const signal = AbortSignal.timeout(2 * timeLimitMs);
  const found = await lookup.find(addresses, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return err({ kind: 'unfinished' } as const);
  });
  if (!found.ok) {
    const { error } = found;
    if (error.kind === 'unfinished') return refused('The geocoder takes too long for a preview.');
    return error.kind === 'unavailable' ? refused(error.said) : err(error);
  }
  const features = found.value.map((match, i) => {
    const cells = [...(rows[i] ?? []).slice(0, -2), ...foundCells(addresses[i] ?? NOWHERE, match, lookup.source)];
    const [best] = match.candidates;
    return {
      type: 'Feature',
      geometry: best === undefined ? null : { type: 'Point', coordinates: [best.lon, best.lat] },
      properties: Object.fromEntries(recipe.columns.map(({ name }, at) => [name, cells[at] ?? null])),
    };
  });
  return ok(JSON.stringify({ type: 'FeatureCollection', sampleRows: SAMPLE_ROWS, features }));
}

const NOWHERE = { place: '', country: '' };

function refused(said: string): Result<never, ProcessFault> {
  return err({ kind: 'refused', said });
}
