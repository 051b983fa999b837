// A planned request → its statements, their run, its reply: the last three stages.

import type { HttpReply } from '../../http/http-message.ts';
import { err, type Result } from '../../kernel/result.ts';
import { wasEnded } from '../../pg/was-ended.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { makeReply } from '../response/reply.ts';
import type { Outcome } from '../run/run.ts';
import { stillAllowed } from '../run/still-allowed.ts';
import { answerExtended } from './answer-extended.ts';
import type { Exchange } from './exchange.ts';
import { filled } from './fill-statement.ts';
import type { Shape } from './shape-cache.ts';
import { runWay } from './ways/choose-way.ts';
import { makeWork, type Work } from './work.ts';

type Answered = Promise<Result<HttpReply, RestError>>;

export function answer(exchange: Exchange, request: ApiRequest, shape: Shape, who: Who): Answered {
  exchange.watch.lap('plan');
  const isExtended = shape.isExtended || exchange.trace !== undefined || exchange.replicas?.hasAny === true;
  return isExtended
    ? answerExtended(exchange, request, shape, who, replyTo)
    : answerPlain(makeWork(exchange, request, shape, who), who);
}

/** No extension has a part in it, and one server answers. */
async function answerPlain(work: Work, who: Who): Answered {
  const { driver, watch } = work.exchange;
  const server = { driver, gate: undefined };
  let outcome = await runWay(work, server);
  if (!outcome.ok && work.shape.readOnly && wasEnded(outcome.error)) outcome = await runWay(work, server);
  watch.lap('transaction');
  if (!outcome.ok) return outcome;
  const reply = replyTo(work, outcome.value, who);
  watch.lap('response');
  return reply;
}

/** What a transaction that may only read has brought is checked here: there is nothing to undo. */
function replyTo(work: Work, outcome: Outcome, who: Who): Result<HttpReply, RestError> {
  const { request, shape } = work;
  const problem = shape.readOnly ? shape.check?.(outcome.found) : undefined;
  if (problem !== undefined) return err(problem);
  const made = makeReply(request, shape, outcome);
  if (outcome.stream !== undefined) {
    if (made.ok) watchStream(work, outcome.stream, who);
    else outcome.stream.destroy();
  }
  return made;
}

/** Ends a stream whose caller may not go on reading: the token has expired, or a grant was revoked. */
function watchStream(
  { exchange, request, shape, before }: Work,
  stream: NonNullable<Outcome['stream']>,
  who: Who,
): void {
  const { driver, state } = exchange;
  const streaming = exchange.streaming?.();
  const { exp } = who.claims;
  streaming?.open?.add(stream, {
    expiresAt: who.hasToken && typeof exp === 'number' ? exp * 1000 : undefined,
    mayGoOn: () => stillAllowed(driver, before, filled(shape.main, request, who.role, state)),
    onCut: streaming.onCut ?? (() => {}),
  });
}
