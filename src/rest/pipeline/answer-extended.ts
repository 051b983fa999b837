// Requests in which an extension has a part: owners' limits, a cost limit, the relation guard, explanations of access, replicas, consistency tokens,
// traces. The three stages are those of every request, with the extensions' questions before and after them.

import type { HttpReply } from '../../http/http-message.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { wasEnded } from '../../pg/was-ended.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { costProblem } from '../run/cost-problem.ts';
import type { Outcome } from '../run/run.ts';
import type { Exchange } from './exchange.ts';
import { explainRefusal, explainReply, explainsAccess } from './explain-access.ts';
import { filled } from './fill-statement.ts';
import { beyondLimits, costLimit } from './owner-limits.ts';
import { askServers, mayBeBehind, type Server } from './read-servers.ts';
import { asUnknown, checkVisibility, guardStatement } from './relation-guard.ts';
import type { Shape } from './shape-cache.ts';
import { operationOf } from './traced-operation.ts';
import { runWay } from './ways/choose-way.ts';
import { withToken } from './with-token.ts';
import { makeWork, type Work } from './work.ts';

type Handled = Result<HttpReply, RestError>;

export async function answerExtended(
  exchange: Exchange,
  request: ApiRequest,
  shape: Shape,
  who: Who,
  replyTo: (work: Work, outcome: Outcome, who: Who) => Handled,
): Promise<Handled> {
  const { state, watch, trace } = exchange;
  const { plan } = shape;
  const beyond = beyondLimits(exchange, plan, who.role);
  if (beyond !== undefined) return refusedByOwner(exchange, request, shape, who, beyond);
  if (trace !== undefined) trace.operation = operationOf(plan);
  const explains = explainsAccess(request, plan, who.role, state);
  const work = makeWork(exchange, request, shape, who, explains);
  const primary: Server = { driver: exchange.driver, gate: undefined };
  const ask = async (server: Server): Promise<Result<Outcome, RestError>> => {
    const refused = await tooCostly(work, server);
    return refused === undefined ? runWay(work, server) : err(refused);
  };
  const mayLag = !explains && mayBeBehind(exchange, request, shape, work.transaction);
  let outcome = mayLag ? await askServers(exchange, ask) : await ask(primary);
  if (!outcome.ok && shape.readOnly && wasEnded(outcome.error)) outcome = await ask(primary);
  watch.lap('transaction');
  const explained = { request, plan, scope: work.scope, affected: undefined };
  if (!outcome.ok) {
    const told = asUnknown(outcome.error, shape.guarded);
    return err(explains ? await explainRefusal(exchange, explained, told) : told);
  }
  const made = replyTo(work, outcome.value, who);
  const reply = shape.readOnly ? made : await withToken(exchange, request.preferences, made);
  watch.lap('response');
  if (!explains) return reply;
  const affected = plan.kind === 'mutate' ? outcome.value.found.page : undefined;
  return explainReply(exchange, { ...explained, affected }, reply);
}

/** `db-max-cost`, and owners' limits of the kind. Undefined: it may run. */
async function tooCostly(
  { exchange, request, shape, role, before, options }: Work,
  { driver }: Server,
): Promise<RestError | undefined> {
  const { state } = exchange;
  const limit = costLimit(shape.plan, role, state);
  if (limit === undefined || shape.plan.media.explain !== undefined || shape.call !== undefined) return undefined;
  const statement = filled(shape.before ?? shape.main, request, role, state);
  exchange.onMain?.(statement.text);
  const whose = options.signal === undefined ? {} : { signal: options.signal };
  return costProblem(driver, before[0], statement, limit, whose, guardStatement(state, shape.guarded));
}

/** Nobody is told of the limits on a relation that they may not know of. */
async function refusedByOwner(
  exchange: Exchange,
  request: ApiRequest,
  { guarded: [hidden] }: Shape,
  who: Who,
  beyond: RestError,
): Promise<Handled> {
  const seen = hidden === undefined ? ok(undefined) : await checkVisibility(exchange, request, who, hidden);
  return seen.ok ? err(beyond) : seen;
}
