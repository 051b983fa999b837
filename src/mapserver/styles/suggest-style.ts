// A layer and one of its columns → a style that follows the column: its most frequent values, or classes of its numbers. The
// values are asked for as the caller, who sees no more in a legend than in the data.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { categoryLayers, graduatedLayers, RAMP_NAMES, type RampName } from '../../geo/style/default-layers.ts';
import type { StyleLayer } from '../../geo/style/style-layer.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import { quoteIdent } from '../../sql/index.ts';
import { columnClass, tableOf, timeLimit } from '../layers/layer-sql.ts';
import type { MapFailure } from '../map-context.ts';

export type Suggestion = {
  readonly column: string;
  /** `category`: a colour per value; `quantile`: as many features in each class; `equal`: classes of one width. */
  readonly method: 'category' | 'quantile' | 'equal';
  readonly classes: number;
  readonly ramp: RampName;
};

type Query = Readonly<Record<string, unknown>>;

const MAX_MS = 10_000;

export function parseSuggestion(layer: VectorLayer, query: Query): Result<Suggestion, MapFailure> {
  const column = layer.columns.find(({ name }) => name === query['column']);
  if (column === undefined) return bad('column: the layer has no such column.');
  const isNumber = ['integer', 'number'].includes(columnClass(column.type));
  const method = query['method'] ?? (isNumber ? 'quantile' : 'category');
  if (method !== 'category' && method !== 'quantile' && method !== 'equal')
    return bad('method: category, quantile or equal.');
  if (method !== 'category' && !isNumber) return bad('method: only numbers have classes.');
  const most = method === 'category' ? 50 : 20;
  const classes = query['classes'] === undefined ? (method === 'category' ? 12 : 5) : Number(query['classes']);
  if (!Number.isInteger(classes) || classes < 1 || classes > most) return bad(`classes: a number from 1 to ${most}.`);
  const ramp = RAMP_NAMES.find((name) => name === (query['ramp'] ?? 'blues'));
  if (ramp === undefined) return bad(`ramp: ${RAMP_NAMES.join(', ')}.`);
  return ok({ column: column.name, method, classes, ramp });
}

export async function suggestStyle(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  layer: VectorLayer,
  { column, method, classes, ramp }: Suggestion,
): Promise<Result<readonly StyleLayer[], MapFailure>> {
  const name = quoteIdent(column);
  const kind = layer.geometry.kind;
  const type = layer.columns.find((one) => one.name === column)?.type ?? 'text';
  const isNumber = ['integer', 'number'].includes(columnClass(type));
  const text =
    method === 'category'
      ? `select to_json(${name}${isNumber ? '' : '::text'}) from ${tableOf(layer)} where ${name} is not null group by ${name} order by count(*) desc, ${name} limit $1::integer`
      : method === 'quantile'
        ? `select json_agg(x) from unnest((select percentile_cont(array(select i / $1::double precision from generate_series(1, $1::integer - 1) i)) within group (order by ${name}::double precision) from ${tableOf(layer)} where ${name}::double precision not in ('NaN', 'Infinity', '-Infinity'))) x`
        : `select json_build_array(min(${name}), max(${name})) from ${tableOf(layer)} where ${name}::double precision not in ('NaN', 'Infinity', '-Infinity')`;
  const flown = await db.read(caller, info, [
    timeLimit(MAX_MS),
    { text, params: [String(classes)].slice(0, method === 'equal' ? 0 : 1) },
  ]);
  if (!flown.ok) return err({ kind: 'database', error: flown.error });
  const cells = (flown.value[1]?.rows ?? []).map(([cell]): unknown => JSON.parse(cell?.toString() ?? 'null'));
  if (method === 'category') {
    const values = cells.filter((value) => typeof value === 'string' || typeof value === 'number');
    return ok(categoryLayers(kind, column, values));
  }
  const [list] = cells;
  const numbers = Array.isArray(list) ? list.filter((value): value is number => typeof value === 'number') : [];
  if (method === 'quantile') return ok(graduatedLayers(kind, column, ascending(numbers), ramp));
  const [low = 0, high = 0] = numbers;
  const edges = Array.from({ length: classes - 1 }, (_, i) => low + ((high - low) * (i + 1)) / classes);
  return ok(graduatedLayers(kind, column, ascending(edges), ramp));
}

/** Rounded to what people read, and each only once. */
function ascending(edges: readonly number[]): number[] {
  const rounded = edges.map((edge) => Number(edge.toPrecision(6)));
  return [...new Set(rounded)].sort((a, b) => a - b);
}

function bad(detail: string): Result<never, MapFailure> {
  return err({ kind: 'bad-request', detail });
}
