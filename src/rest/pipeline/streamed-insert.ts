// A large insert whose body lies on disk: each piece of it goes through parser, plan and query as a request of its own, and all of them are one
// transaction. Only what needs none of the rows back is done so.

import { firstHeader, type HttpReply, type HttpRequest } from '../../http/http-message.ts';
import type { SpooledBody } from '../../http/spooled-body.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { scopeStatement } from '../../pg/scope.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { type BodyPiece, BodySplitter, type SplitKind, type SplitProblem } from '../request/body-pieces.ts';
import { HELD_BYTES } from '../request/limits.ts';
import { parseContentType } from '../request/media-type.ts';
import { parseRequest } from '../request/parse-request.ts';
import { makeReply } from '../response/reply.ts';
import { costProblem } from '../run/cost-problem.ts';
import { type InsertPiece, insertPieces } from '../run/insert-pieces.ts';
import type { Exchange } from './exchange.ts';
import { filled } from './fill-statement.ts';
import { makeShape, shapeOptions } from './make-shape.ts';
import { beyondLimits, costLimit, limitedContext } from './owner-limits.ts';
import { asUnknown, checkVisibility, guardedTarget, guardStatement } from './relation-guard.ts';
import { requestScope } from './request-scope.ts';
import { isolationOf } from './result-check.ts';
import { sentSettings } from './sent-settings.ts';
import { type Shape, shapeKey } from './shape-cache.ts';
import { withToken } from './with-token.ts';

type Handled = Result<HttpReply, RestError>;

const PIECE_BYTES = 1024 * 1024;

/** One piece, understood. */
type Ready = { readonly request: ApiRequest; readonly shape: Shape; readonly piece: BodyPiece };

/** `hold`: it has to be held as a whole, and is small enough for that. */
export async function insertStreamed(exchange: Exchange, who: Who, body: SpooledBody): Promise<Handled | 'hold'> {
  const { http, state, driver, signal, watch, streaming } = exchange;
  const kind = splitKind(http);
  const { serverMaxBodySize: limit } = state.config;
  const otherwise = body.size <= limit ? 'hold' : err({ kind: 'payload-too-large', limit } as const);
  if (kind === undefined || streaming === undefined || body.size <= HELD_BYTES) return otherwise;
  const pieces = readPieces(exchange, who, body, kind);
  const first = await pieces.next();
  if (first.done === true) throw new Error('a body has a first piece');
  if (!first.value.ok) return first.value;
  const { request, shape } = first.value.value;
  const { plan } = shape;
  watch.lap('plan');
  const isPlain = plan.kind === 'mutate' && plan.change.kind === 'insert' && plan.tree === undefined;
  const isLooked = shape.before !== undefined || shape.check !== undefined;
  if (!isPlain || isLooked || plan.media.explain !== undefined) return otherwise;
  const beyond = beyondLimits(exchange, plan, who.role);
  if (beyond !== undefined) return err(beyond);
  const scope = requestScope(
    {
      http,
      sent: sentSettings(http),
      request,
      who,
      readOnly: false,
      routineSettings: [],
      traceparent: exchange.trace?.traceparent,
    },
    state,
  );
  const scoped = scopeStatement(scope, state.config.dbPreparedStatements);
  const guard = guardStatement(state, shape.guarded);
  const cost = costLimit(plan, who.role, state);
  const whose = signal === undefined ? {} : { signal };
  if (cost !== undefined) {
    const refused = await costProblem(driver, scoped, filled(shape.main, request, who.role, state), cost, whose, guard);
    if (refused !== undefined) return err(asUnknown(refused, shape.guarded));
  }
  const before = [scoped, state.preRequest, guard].filter((statement) => statement !== undefined);
  const rollback = (request.preferences.tx ?? state.config.dbTxEnd).startsWith('rollback');
  const work = {
    before,
    isolation: isolationOf(shape, who.role, state),
    rollback,
    pieces: statementsOf(first.value.value, pieces, (ready) => insertPiece(ready, who, exchange)),
  };
  // No time limit of its own: each of its statements has one.
  const found = await insertPieces(work, driver, streaming().gate, whose);
  watch.lap('transaction');
  if (!found.ok) return err(asUnknown(found.error, shape.guarded));
  const reply = makeReply(request, shape, { found: found.value, estimate: undefined });
  watch.lap('response');
  return withToken(exchange, request.preferences, reply);
}

/** Bodies that are read in pieces; undefined: it has to be held as a whole. */
export function splitKind({ headers }: Pick<HttpRequest, 'headers'>): SplitKind | undefined {
  const { kind } = parseContentType(firstHeader(headers, 'content-type'));
  return kind === 'json' || kind === 'ndjson' || kind === 'csv' ? kind : undefined;
}

async function* readPieces(
  exchange: Exchange,
  who: Who,
  body: SpooledBody,
  kind: SplitKind,
): AsyncGenerator<Result<Ready, RestError>, void, undefined> {
  const { serverMaxBodySize: row } = exchange.state.config;
  const splitter = new BodySplitter(kind, { piece: PIECE_BYTES, row });
  let keys: ReadonlySet<string> | undefined;
  const read = async (piece: BodyPiece): Promise<Result<Ready, RestError>> => {
    const ready = await readPiece(exchange, who, piece);
    if (!ready.ok) return ready;
    const { payload } = ready.value.request;
    const own = payload?.kind === 'json' ? payload.keys : undefined;
    if (own === undefined || (own.length === 0 && piece.rows === 0)) return ready;
    if (keys !== undefined && (keys.size !== own.length || !own.every((key) => keys?.has(key) === true)))
      return err({ kind: 'body-invalid', problem: { kind: 'keys-differ' } });
    keys ??= new Set(own);
    return ready;
  };
  for await (const chunk of body.chunks()) {
    const split = splitter.push(chunk);
    if (!split.ok) return yield err(splitError(split.error));
    if (split.value !== undefined) yield await read(split.value);
  }
  const last = splitter.finish();
  if (!last.ok) return yield err(splitError(last.error));
  if (last.value !== undefined) yield await read(last.value);
}

function splitError(problem: SplitProblem): RestError {
  return problem.kind === 'row-too-large' ? problem : { kind: 'body-invalid', problem };
}

async function readPiece(exchange: Exchange, who: Who, piece: BodyPiece): Promise<Result<Ready, RestError>> {
  const { state } = exchange;
  if (state.cache === undefined) return err({ kind: 'schema-cache-missing' });
  const { spooled: _, ...head } = exchange.http;
  const http: HttpRequest = { ...head, body: piece.bytes };
  const request = parseRequest(http, state.config, state.cache.timezones, state.cursorKey);
  if (!request.ok) return err(atLine(request.error, piece));
  const limited = limitedContext(request.value, who.role, state.config, state.cache);
  const key = shapeKey(http, request.value) + limited.key;
  const known = state.shapes.get(key);
  if (known !== undefined) return ok({ request: request.value, shape: known, piece });
  const plan = makePlan(request.value, limited.context);
  if (!plan.ok) {
    const target = guardedTarget(request.value, state);
    const seen = target === undefined ? ok(undefined) : await checkVisibility(exchange, request.value, who, target);
    return seen.ok ? plan : seen;
  }
  if (plan.value.kind === 'info' || plan.value.kind === 'describe')
    return err({ kind: 'payload-too-large', limit: state.config.serverMaxBodySize });
  const shape = makeShape(request.value, plan.value, shapeOptions(state, plan.value));
  state.shapes.set(key, shape);
  return ok({ request: request.value, shape, piece });
}

/** Lines are counted from the beginning of the body. */
function atLine(error: RestError, { lines }: BodyPiece): RestError {
  if (error.kind !== 'body-invalid' || !('line' in error.problem)) return error;
  return { ...error, problem: { ...error.problem, line: error.problem.line + lines } };
}

async function* statementsOf(
  first: Ready,
  others: AsyncIterable<Result<Ready, RestError>>,
  made: (ready: Ready) => InsertPiece,
): AsyncGenerator<Result<InsertPiece, RestError>, void, undefined> {
  yield ok(made(first));
  for await (const ready of others) yield ready.ok ? ok(made(ready.value)) : ready;
}

function insertPiece({ request, shape, piece }: Ready, who: Who, { state }: Exchange): InsertPiece {
  const { payload } = request;
  if (payload?.kind !== 'json') throw new Error('a piece is JSON when it was read');
  return {
    statement: filled(shape.main, request, who.role, state),
    bytes: payload.bytes,
    isArray: payload.isArray,
    before: piece.before,
  };
}
