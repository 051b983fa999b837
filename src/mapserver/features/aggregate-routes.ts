// `GET /ogc/collections/{layer}/aggregates`: counts, sums, means of the rows that the caller sees, grouped by values, classes of numbers, times or cells.
// What charts are made of: the database counts, no row is handed out. Plain tables are answered, too, though they are no collections.

import type { FastifyInstance } from 'fastify';
import { asPlainNumbers, parseExact, writeExact } from '../../kernel/exact-numbers.ts';
import { err, ok } from '../../kernel/result.ts';
import type { LayerTable } from '../../layer-ports/layer.ts';
import { layerFailure, type MapContext, requestInfo } from '../map-context.ts';
import { aggregateSql, type Grouping } from '../query/aggregate-sql.ts';
import { boxCondition } from '../query/feature-query.ts';
import { filterToSql } from '../query/filter-sql.ts';
import { WGS84 } from '../query/known-crs.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { type Sql, toStatement } from '../query/value.ts';
import { queryFailure } from '../query-failure.ts';
import { AGGREGATE_PARAMETERS, type AskedAggregate, parseAggregate } from './aggregate-request.ts';
import type { Query } from './items-request.ts';
import { JSON_TYPE } from './ogc-documents.ts';
import type { Ask, Handled, OgcRoute } from './ogc-route.ts';

const MAX_MS = 20_000;

export function registerAggregates(scope: FastifyInstance, context: MapContext, { route }: OgcRoute): void {
  scope.get('/ogc/collections/:layer/aggregates', route(answer, AGGREGATE_PARAMETERS));

  async function answer({ request, reply, caller }: Ask): Promise<Handled> {
    const info = requestInfo(request);
    const { layer: name } = request.params as { readonly layer: string };
    const found = await context.layers.findTable(caller, info, name);
    if (!found.ok) return err(layerFailure(found.error));
    const table = found.value;
    const asked = parseAggregate(request.query as Query, table);
    if (!asked.ok) return asked;
    const conditions = conditionsOf(table, asked.value);
    if (!conditions.ok) return conditions;
    const executed = await context.db.read(caller, info, [
      timeLimit(MAX_MS),
      toStatement(aggregateSql(table, asked.value, conditions.value)),
    ]);
    if (!executed.ok) return err(queryFailure(executed.error));
    const counted = parseExact(executed.value[1]?.rows[0]?.[0]?.toString() ?? 'null') as Counted;
    return ok(reply.type(JSON_TYPE).send(writeExact(toDocument(counted, asked.value.grouping))));
  }
}

function conditionsOf(table: LayerTable, { bbox, filter }: AskedAggregate) {
  const conditions: Sql[] = [];
  if (bbox !== undefined && table.geometry !== undefined)
    conditions.push(boxCondition({ ...table, geometry: table.geometry }, bbox, WGS84));
  if (filter !== undefined) {
    const condition = filterToSql(filter, table, WGS84);
    if (!condition.ok) return err({ kind: 'bad-request', detail: `filter: ${condition.error.said}.` } as const);
    conditions.push(condition.value);
  }
  return ok(conditions);
}

type Measured = { readonly count: number; readonly measure: number | string | null };
type CountedGroup = Measured & { readonly value: string | number | null; readonly across?: number };
type Ends = {
  readonly low?: number | string | null;
  readonly high?: number | string | null;
  readonly low_across?: number | null;
  readonly high_across?: number | null;
  readonly unit?: string;
};
type Counted = Measured & {
  readonly groups: readonly CountedGroup[];
  readonly others: (Measured & { readonly groups: number }) | null;
  readonly empty: number;
  readonly ends: Ends;
};

/** Numbers of classes become their ends; classes without rows are told, cells without rows are not. */
function toDocument({ ends, ...counted }: Counted, grouping: Grouping | undefined): unknown {
  const { low = null, high = null, unit } = ends;
  switch (grouping?.kind) {
    case 'bins': {
      const classOf = classesOf(low, high, grouping.bins);
      const byClass = new Map(counted.groups.map((group) => [Number(group.value), group]));
      const n = counted.groups.length === 0 ? 0 : low === high ? 1 : grouping.bins;
      const groups = Array.from({ length: n }, (_, i) => {
        const { count = 0, measure = null } = byClass.get(i + 1) ?? {};
        return { ...classOf(i + 1), count, measure: byClass.has(i + 1) ? measure : null };
      });
      return { ...counted, groups, low, high };
    }
    case 'cells': {
      const [classOf, acrossOf] = [
        classesOf(low, high, grouping.bins),
        classesOf(ends.low_across, ends.high_across, grouping.bins),
      ];
      const groups = counted.groups.map(({ value, across, count, measure }) => {
        const { from: across_from, to: across_to } = acrossOf(Number(across));
        return { ...classOf(Number(value)), across_from, across_to, count, measure };
      });
      return { ...counted, groups, low, high };
    }
    case 'times':
      return { ...counted, low, high, unit };
    default:
      return counted;
  }
}

type Class = { readonly from: number; readonly to: number };

function classesOf(low: unknown, high: unknown, bins: number): (n: number) => Class {
  const [least, most] = [Number(asPlainNumbers(low)), Number(asPlainNumbers(high))];
  const width = (most - least) / bins;
  return (n) => ({ from: least + (n - 1) * width, to: n >= bins || width === 0 ? most : least + n * width });
}
