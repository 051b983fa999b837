// `headings=aliases` of a download: columns under the names that people know them by, in their order, without those that are hidden. In the formats that
// people read; programs know columns by their names, and shapefiles have ten letters for one.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerColumn } from '../../layer-ports/layer.ts';
import { shownColumns } from '../columns/shown-columns.ts';
import type { Query } from '../features/items-request.ts';
import type { MapFailure } from '../map-context.ts';
import type { FeatureQuery } from '../query/feature-query.ts';

const FORMATS: readonly string[] = ['csv', 'xlsx', 'geojson', 'json', 'kml', 'kmz'];

export type Headings = 'names' | 'aliases';

/** What is asked for, and the other parameters. */
export function takeHeadings(
  { headings = 'names', ...others }: Query,
  format: string,
): Result<{ readonly headings: Headings; readonly others: Query }, MapFailure> {
  if (headings !== 'names' && headings !== 'aliases')
    return err({ kind: 'bad-request', detail: 'headings is names or aliases.' });
  if (headings === 'aliases' && !FORMATS.includes(format))
    return err({ kind: 'bad-request', detail: `headings=aliases is for ${FORMATS.join(', ')}.` });
  return ok({ headings, others });
}

export function withHeadings(query: FeatureQuery, headings: Headings): FeatureQuery {
  return headings === 'names' ? query : { ...query, columns: withAliases(query) };
}

/** Two columns never have the same heading, nor one that of the key. */
function withAliases({ layer, columns }: FeatureQuery): readonly LayerColumn[] {
  const taken = new Set([layer.primaryKey]);
  return shownColumns(columns).map((column) => {
    const wanted = cutBytes(column.label || column.name, MAX_HEADING);
    let heading = wanted;
    for (let n = 2; taken.has(heading); n++) heading = `${wanted} (${n})`;
    taken.add(heading);
    return { ...column, heading };
  });
}

/** Names in the database have 63 bytes; some are for telling two of them apart. */
const MAX_HEADING = 56;

function cutBytes(text: string, most: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > most) cut = [...cut].slice(0, -1).join('');
  return cut;
}
