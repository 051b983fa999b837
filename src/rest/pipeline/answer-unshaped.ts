// Answers without statements of a shape: refused plans, OPTIONS, the API described, live streams. A relation that the caller may not know of must not
// be told of here either, so the relation guard is asked by itself.

import { isForAll } from '../../http/cors.ts';
import { firstHeader, type HttpReply } from '../../http/http-message.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { ReadPlan } from '../plan/plan.ts';
import type { PlanError } from '../plan/plan-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { costProblem } from '../run/cost-problem.ts';
import { describeApi } from './describe-api.ts';
import type { Exchange } from './exchange.ts';
import { infoReply } from './info-reply.ts';
import { beforeLiveRows, makeLiveRead, wholeStatement } from './live-read.ts';
import { beyondLimits, costLimit } from './owner-limits.ts';
import type { Unshaped } from './plan-request.ts';
import { asUnknown, checkVisibility, guardedTarget } from './relation-guard.ts';

type Handled = Result<HttpReply, RestError>;

export function answerUnshaped(
  exchange: Exchange,
  request: ApiRequest,
  planned: Unshaped,
  who: Who,
): Handled | Promise<Handled> {
  switch (planned.kind) {
    case 'info':
      return unlessHidden(exchange, request, who, info(exchange, planned.allow));
    case 'describe':
      return describeApi(exchange, request, who, planned);
    case 'live':
      return openLive(exchange, request, who, planned.plan);
    default:
      return assertNever(planned);
  }
}

export function refuse(
  exchange: Exchange,
  request: ApiRequest,
  refused: PlanError,
  who: Who,
): Handled | Promise<Handled> {
  return unlessHidden(exchange, request, who, err(refused));
}

/** What is answered without the database must not tell that there is such a relation. */
function unlessHidden(exchange: Exchange, request: ApiRequest, who: Who, told: Handled): Handled | Promise<Handled> {
  const target = guardedTarget(request, exchange.state);
  if (target === undefined) return told;
  return checkVisibility(exchange, request, who, target).then((seen) => (seen.ok ? told : seen));
}

function info({ state, watch }: Exchange, allow: string): Handled {
  // Nothing is run for it, but its timing has the members that every other reply's has.
  watch.lap('plan');
  watch.lap('transaction');
  watch.lap('response');
  return ok(infoReply(allow, isForAll({ allowedOrigins: state.config.serverCorsAllowedOrigins })));
}

async function openLive(exchange: Exchange, request: ApiRequest, who: Who, plan: ReadPlan): Promise<Handled> {
  const { http, state, live, driver } = exchange;
  const read = makeLiveRead(http, state, who, request, plan);
  if (!read.ok) return read;
  const beyond = live === undefined ? ({ kind: 'live-impossible' } as const) : beyondLimits(exchange, plan, who.role);
  const [hidden] = read.value.guarded;
  if (live === undefined || beyond !== undefined) {
    const seen = hidden === undefined ? ok(undefined) : await checkVisibility(exchange, request, who, hidden);
    return seen.ok ? err(beyond ?? { kind: 'live-impossible' }) : seen;
  }
  const limit = costLimit(plan, who.role, state);
  if (limit !== undefined) {
    const [scope, ...more] = beforeLiveRows(read.value);
    if (scope === undefined) throw new Error('every batch begins with its scope');
    const refused = await costProblem(driver, scope, wholeStatement(read.value), limit, {}, more.at(-1));
    if (refused !== undefined) return err(asUnknown(refused, read.value.guarded));
  }
  const opened = await live.open(read.value, firstHeader(http.headers, 'last-event-id'));
  return opened.ok ? opened : err(asUnknown(opened.error, read.value.guarded));
}
