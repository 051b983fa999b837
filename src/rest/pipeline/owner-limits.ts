// Limits of owners around one request: the rows it may have before it is planned, and everything else once it is. Without any limit in the
// database nothing here is looked at.

import type { RestError } from '../errors/rest-error.ts';
import { exceededLimit, rootOf, rowLimit, rulesFor } from '../plan/check-limits.ts';
import type { QueryPlan } from '../plan/plan.ts';
import type { PlanContext } from '../plan/plan-context.ts';
import { smaller } from '../plan/window-plan.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Exchange } from './exchange.ts';
import type { RestState } from './state.ts';

/** `key`: what the plan depends on beside the shape of the request. */
export type LimitedContext = { readonly context: PlanContext; readonly key: string };

export function limitedContext(
  { target, schema }: ApiRequest,
  role: string,
  config: RestState['config'],
  cache: NonNullable<RestState['cache']>,
): LimitedContext {
  if (!cache.hasLimits) return { context: { cache, config }, key: '' };
  const relation = target.kind === 'relation' ? { schema, name: target.name } : undefined;
  const rows = smaller(rowLimit(rulesFor(cache, role)(relation)), config.dbMaxRows);
  return { context: { cache, config: { ...config, dbMaxRows: rows } }, key: `\0${rows ?? ''}` };
}

export type CostLimit = { readonly most: number; readonly where?: string };

/** The strictest limit on costs; undefined: there is none. */
export function costLimit(plan: QueryPlan, role: string, { cache, config }: RestState): CostLimit | undefined {
  let limit: CostLimit | undefined = config.dbMaxCost === undefined ? undefined : { most: config.dbMaxCost };
  if (cache?.hasLimits !== true) return limit;
  for (const { cost, where } of rulesFor(cache, role)(rootOf(plan)))
    if (cost !== undefined && (limit === undefined || cost < limit.most)) limit = { most: cost, where };
  return limit;
}

/** Undefined: the request is within all limits. It counts for those on rates. */
export function beyondLimits(
  { state, limitWait }: Pick<Exchange, 'state' | 'limitWait'>,
  plan: QueryPlan,
  role: string,
): RestError | undefined {
  const { cache } = state;
  if (cache?.hasLimits !== true) return undefined;
  const rules = rulesFor(cache, role);
  for (const { rate, where } of rules(rootOf(plan))) {
    const wait = rate === undefined ? 0 : (limitWait?.(`${where}\0${role}`, rate) ?? 0);
    if (wait > 0) return { kind: 'rate-limited', retryAfterSeconds: wait, where };
  }
  return exceededLimit(plan, rules);
}
