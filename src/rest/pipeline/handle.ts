// The pipeline: authenticate → parse → plan → query → run → reply, top to bottom. Parsing and planning ask nobody; a
// request that fails there, and OPTIONS, never takes a database connection.

import type { HttpReply } from '../../http/http-message.ts';
import { type SpooledBody, wholeBody } from '../../http/spooled-body.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { authenticate, type Who } from '../auth/authenticate.ts';
import { isOwnWrite } from '../auth/own-write.ts';
import type { RestError } from '../errors/rest-error.ts';
import { parseRequest } from '../request/parse-request.ts';
import { admit } from './admit.ts';
import { answer } from './answer.ts';
import { answerUnshaped, refuse } from './answer-unshaped.ts';
import { handleBatch, isBatch } from './batch.ts';
import type { Exchange, LoadedExchange } from './exchange.ts';
import { planRequest } from './plan-request.ts';
import { insertStreamed } from './streamed-insert.ts';
import { takeTurns } from './take-turns.ts';

type Handled = Result<HttpReply, RestError>;

/** A promise only where somebody has to be waited for: each one between here and the client costs every request. */
export function handle(exchange: Exchange): Handled | Promise<Handled> {
  const { http, state } = exchange;
  const takesCookie = state.auth.cookieName !== undefined && isOwnWrite(http, state.config);
  const who = authenticate(http.headers, state.auth, takesCookie);
  return who instanceof Promise ? who.then((known) => handleAs(exchange, known)) : handleAs(exchange, who);
}

function handleAs(asked: Exchange, who: Result<Who, RestError>): Handled | Promise<Handled> {
  if (!who.ok) return who;
  const admitted = admit(asked, who.value);
  if (!admitted.ok) return admitted;
  const exchange = takeTurns(admitted.value, who.value);
  const { http, state, watch } = exchange;
  if (http.spooled !== undefined) return handleSpooled(exchange, who.value, http.spooled);
  if (isBatch(http, state)) return handleBatch(exchange, who.value);
  const request = parseRequest(http, state.config, state.cache.timezones, state.cursorKey);
  if (!request.ok) return request;
  watch.lap('parse');
  const planned = planRequest(http, request.value, who.value.role, state);
  if (!planned.ok) return refuse(exchange, request.value, planned.error, who.value);
  return planned.value.kind === 'query'
    ? answer(exchange, request.value, planned.value, who.value)
    : answerUnshaped(exchange, request.value, planned.value, who.value);
}

async function handleSpooled(exchange: LoadedExchange, who: Who, body: SpooledBody): Promise<Handled> {
  const inserted = await insertStreamed(exchange, who, body);
  if (inserted !== 'hold') return inserted;
  const { spooled: _, ...http } = exchange.http;
  // It has been counted.
  return handleAs({ ...exchange, http: { ...http, body: await wholeBody(body) }, roleWait: undefined }, ok(who));
}
