// Whether features of a layer have no value in a column, as the map server knows: a legend tells of such only where there are some.

import { type Guard, isListOf, isRecordOf, isText } from '../lib/guard.ts';
import type { LegendEntry } from '../lib/legend.ts';
import { getFor } from './client.ts';

export type MissingValues = { readonly missing: readonly string[] };

export const isMissingValues: Guard<MissingValues> = isRecordOf<MissingValues>({ missing: isListOf(isText) });

/** Undefined: the legend has nothing for features without a value. */
export function missingPath(layer: string, entries: readonly LegendEntry[]): string | undefined {
  const columns = [...new Set(entries.flatMap(({ missing }) => missing ?? []))];
  if (columns.length === 0) return undefined;
  const query = new URLSearchParams(columns.map((column) => ['missing', column]));
  return `/styles/${encodeURIComponent(layer)}/statistics.json?${query}`;
}

/** What is on the map. As long as nobody knows, features without a value are not told of. */
export function occurring(entries: readonly LegendEntry[], known: MissingValues | undefined): readonly LegendEntry[] {
  return entries.filter(({ missing }) => missing === undefined || known?.missing.includes(missing) === true);
}

/** The same for a legend that is drawn once. Where the services do not say, it tells how such features would look. */
export async function occurringNow(layer: string, entries: readonly LegendEntry[]): Promise<readonly LegendEntry[]> {
  const path = missingPath(layer, entries);
  if (path === undefined) return entries;
  const reply = await getFor(isMissingValues, path);
  return reply.ok ? occurring(entries, reply.value) : entries;
}
