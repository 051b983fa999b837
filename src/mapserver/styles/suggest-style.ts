// A layer and one of its columns → a style that follows the column: its most frequent values, or classes of its numbers, from the
// column's statistics, which are the caller's: nobody sees more in a legend than in the data.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { CLASS_METHODS, type ClassMethod } from '../../geo/style/class-breaks.ts';
import { categoryLayers, graduatedLayers, RAMP_NAMES, type RampName } from '../../geo/style/default-layers.ts';
import type { StyleLayer } from '../../geo/style/style-layer.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { crowdOf } from '../cells/crowd-zoom.ts';
import { columnClass } from '../columns/column-class.ts';
import type { MapFailure } from '../map-context.ts';
import type { Sql } from '../query/value.ts';
import { columnStatistics, parsePassing } from './column-statistics.ts';

export type Suggestion = {
  readonly column: string;
  /** `category`: a colour per value; otherwise classes of numbers. */
  readonly method: 'category' | ClassMethod;
  readonly classes: number;
  readonly ramp: RampName;
  /** Made of the rows alone that pass; undefined: of all. */
  readonly passing: Sql | undefined;
};

type Query = Readonly<Record<string, unknown>>;

const METHODS = ['category', ...CLASS_METHODS] as const;

export function parseSuggestion(layer: VectorLayer, query: Query): Result<Suggestion, MapFailure> {
  const column = layer.columns.find(({ name }) => name === query['column']);
  if (column === undefined) return bad('column: the layer has no such column.');
  const isNumber = ['integer', 'number'].includes(columnClass(column.type));
  const method = METHODS.find((one) => one === (query['method'] ?? (isNumber ? 'quantile' : 'category')));
  if (method === undefined) return bad(`method: ${METHODS.join(', ')}.`);
  if (method !== 'category' && !isNumber) return bad('method: only numbers have classes.');
  const most = method === 'category' ? 50 : 20;
  const classes = query['classes'] === undefined ? (method === 'category' ? 12 : 5) : Number(query['classes']);
  if (!Number.isInteger(classes) || classes < 1 || classes > most) return bad(`classes: a number from 1 to ${most}.`);
  const ramp = RAMP_NAMES.find((name) => name === (query['ramp'] ?? 'blues'));
  if (ramp === undefined) return bad(`ramp: ${RAMP_NAMES.join(', ')}.`);
  const passing = parsePassing(layer, query);
  return passing.ok ? ok({ column: column.name, method, classes, ramp, passing: passing.value }) : passing;
}

export async function suggestStyle(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  layer: VectorLayer,
  { column, method, classes, ramp, passing }: Suggestion,
): Promise<Result<readonly StyleLayer[], MapFailure>> {
  const kind = layer.geometry.kind;
  const found = layer.columns.find(({ name }) => name === column);
  if (found === undefined) return bad('column: the layer has no such column.');
  const isCategory = method === 'category';
  const statistics = await columnStatistics(db, caller, info, layer, {
    column: found,
    method: isCategory ? undefined : method,
    classes,
    categories: isCategory ? classes : 0,
    bins: 1,
    passing,
  });
  if (!statistics.ok) return statistics;
  const { categories, breaks } = statistics.value;
  const crowd = crowdOf(layer);
  return ok(
    isCategory
      ? categoryLayers(
          kind,
          column,
          categories.map(({ value }) => value),
          crowd,
        )
      : graduatedLayers(kind, column, breaks, ramp, crowd),
  );
}

function bad(detail: string): Result<never, MapFailure> {
  return err({ kind: 'bad-request', detail });
}
