// What would be found for the first rows of a table: few, since each may be a question to a geocoder.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessFault } from '../../layer-ports/process.ts';
import type { Lookup } from './geocoding/lookup.ts';
import { foundCells } from './geocoding/place-rows.ts';
import type { Part, Recipe } from './query/recipe.ts';
import { type Sampling, sampleRows } from './sample-rows.ts';

const SAMPLE_ROWS = 3;

export type PlacesPreview = Sampling & { readonly recipe: Recipe; readonly part: Part; readonly lookup: Lookup };

/** GeoJSON; rows that nothing was found for have no geometry. */
export async function previewPlaces(preview: PlacesPreview): Promise<Result<string, ProcessFault>> {
  const { recipe, part, lookup, timeLimitMs } = preview;
  const read = await sampleRows(preview, part, SAMPLE_ROWS);
  if (!read.ok) return read;
  const rows = read.value;
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
