// The pipeline: authenticate → parse → plan → query → run → reply, top to bottom. Parsing and planning ask nobody; a
// request that fails there, and OPTIONS, never takes a database connection.

import { isForAll } from '../../http/cors.ts';
import { firstHeader, type HttpReply } from '../../http/http-message.ts';
import { type SpooledBody, wholeBody } from '../../http/spooled-body.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { FlyOptions, Statement } from '../../pg/driver.ts';
import { type Setting, scopeStatement } from '../../pg/scope.ts';
import { wasEnded } from '../../pg/was-ended.ts';
import { authenticate, type Who } from '../auth/authenticate.ts';
import { isOwnWrite } from '../auth/own-write.ts';
import type { RestError } from '../errors/rest-error.ts';
import { isColumnar } from '../plan/columnar.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan, QueryPlan, ReadPlan } from '../plan/plan.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { parseRequest } from '../request/parse-request.ts';
import { makeReply } from '../response/reply.ts';
import { costProblem } from '../run/cost-problem.ts';
import { type Outcome, run } from '../run/run.ts';
import { runProcedure } from '../run/run-procedure.ts';
import { stillAllowed } from '../run/still-allowed.ts';
import { handleBatch, isBatch } from './batch.ts';
import { describeApi } from './describe-api.ts';
import type { Exchange } from './exchange.ts';
import { explainRefusal, explainReply, explainsAccess } from './explain-access.ts';
import { filled, limits } from './fill-statement.ts';
import { infoReply } from './info-reply.ts';
import { beforeLiveRows, makeLiveRead, wholeStatement } from './live-read.ts';
import { makeShape } from './make-shape.ts';
import { beyondLimits, costLimit, limitedContext } from './owner-limits.ts';
import { preRequest } from './pre-request.ts';
import { type Asked, askServers, mayBeBehind } from './read-servers.ts';
import { askGuard, asUnknown, guardedRelations, guardedTarget, guardStatement } from './relation-guard.ts';
import { requestScope } from './request-scope.ts';
import { resultCheck, transactionEnd } from './result-check.ts';
import { sentSettings } from './sent-settings.ts';
import { type Shape, shapeKey } from './shape-cache.ts';
import type { RestState } from './state.ts';
import { insertStreamed } from './streamed-insert.ts';
import { tenantState } from './tenant-state.ts';
import { operationOf } from './traced-operation.ts';
import { answerCopy } from './ways/copy.ts';
import { answerLevels, areLevelsAsked } from './ways/levels.ts';
import { procedureWork } from './ways/procedure.ts';
import { answerRows, noteSize, READ_COMMITTED } from './ways/rows.ts';
import { withToken } from './with-token.ts';

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
  const tenant = tenantState(asked.state, who.value);
  const exchange = tenant.ok && tenant.value !== asked.state ? { ...asked, state: tenant.value } : asked;
  const { http, state, watch } = exchange;
  exchange.onWho(who.value);
  const wait = exchange.roleWait?.(who.value.role) ?? 0;
  if (wait > 0) return err({ kind: 'rate-limited', retryAfterSeconds: wait });
  watch.lap('jwt');
  if (state.cache === undefined) return err({ kind: 'schema-cache-missing' });
  if (!tenant.ok) return tenant;
  if (http.spooled !== undefined) return handleSpooled(exchange, who.value, http.spooled);
  if (isBatch(http, state)) return handleBatch(exchange, who.value);
  const request = parseRequest(http, state.config, state.cache.timezones, state.cursorKey);
  if (!request.ok) return request;
  watch.lap('parse');
  const limited = limitedContext(request.value, who.value.role, state.config, state.cache);
  const key = shapeKey(http, request.value) + limited.key;
  const known = state.shapes.get(key);
  if (known !== undefined) return answer(exchange, request.value, known, who.value);
  const plan = makePlan(request.value, limited.context);
  const target = plan.ok && plan.value.kind !== 'info' ? undefined : guardedTarget(request.value, state);
  if (target !== undefined) {
    // What is refused or answered without the database must not tell that there is such a relation.
    const told = plan.ok ? info(exchange, plan.value) : plan;
    return askGuard(exchange, request.value, who.value, target).then((seen) => (seen.ok ? told : seen));
  }
  if (!plan.ok) return plan;
  switch (plan.value.kind) {
    case 'info':
      return info(exchange, plan.value);
    case 'describe':
      return describeApi(exchange, request.value, who.value, plan.value);
    default: {
      if (plan.value.kind === 'read' && plan.value.media.format.kind === 'events')
        return openLive(exchange, request.value, who.value, plan.value);
      const shape = makeShape(request.value, plan.value satisfies QueryPlan, {
        prepare: state.config.dbPreparedStatements,
        copies: state.config.serverShortcuts.includes('copied-inserts'),
        guarded: state.config.dbRelationGuard === undefined ? [] : guardedRelations(plan.value, state.cache),
      });
      state.shapes.set(key, shape);
      return answer(exchange, request.value, shape, who.value);
    }
  }
}

async function openLive(exchange: Exchange, request: ApiRequest, who: Who, plan: ReadPlan): Promise<Handled> {
  const { http, state, live, driver } = exchange;
  const read = makeLiveRead(http, state, who, request, plan);
  if (!read.ok) return read;
  const beyond = live === undefined ? ({ kind: 'live-impossible' } as const) : beyondLimits(exchange, plan, who.role);
  const [hidden] = read.value.guarded;
  if (live === undefined || beyond !== undefined) {
    const seen = hidden === undefined ? ok(undefined) : await askGuard(exchange, request, who, hidden);
    return seen.ok ? err(beyond ?? { kind: 'live-impossible' }) : seen;
  }
  const limit = costLimit(plan, who.role, state);
  if (limit !== undefined) {
    const [scope, ...more] = beforeLiveRows(read.value);
    if (scope === undefined) throw new Error('every flight begins with its scope');
    const refused = await costProblem(driver, scope, wholeStatement(read.value), limit, {}, more.at(-1));
    if (refused !== undefined) return err(asUnknown(refused, read.value.guarded));
  }
  const opened = await live.open(read.value, firstHeader(http.headers, 'last-event-id'));
  return opened.ok ? opened : err(asUnknown(opened.error, read.value.guarded));
}

async function handleSpooled(exchange: Exchange, who: Who, body: SpooledBody): Promise<Handled> {
  const inserted = await insertStreamed(exchange, who, body);
  if (inserted !== 'hold') return inserted;
  const { spooled: _, ...http } = exchange.http;
  // It has been counted.
  return handleAs({ ...exchange, http: { ...http, body: await wholeBody(body) }, roleWait: undefined }, ok(who));
}

function info({ state, watch }: Exchange, plan: Plan): Handled {
  if (plan.kind !== 'info') throw new Error('only a plan for OPTIONS is answered so');
  // Nothing is run for it, but its timing has the members that every other reply's has.
  watch.lap('plan');
  watch.lap('transaction');
  watch.lap('response');
  return ok(infoReply(plan.allow, isForAll({ allowedOrigins: state.config.serverCorsAllowedOrigins })));
}

async function answer(exchange: Exchange, request: ApiRequest, shape: Shape, who: Who): Promise<Handled> {
  const { http, state, signal, watch } = exchange;
  const { plan } = shape;
  watch.lap('plan');
  const beyond = beyondLimits(exchange, plan, who.role);
  if (beyond !== undefined) return refusedByOwner(exchange, request, shape, who, beyond);
  const levels = shape.levels !== undefined && areLevelsAsked(shape.levels) ? shape.levels.statement : undefined;
  exchange.onMain?.((levels ?? shape.rows?.held.cells ?? shape.rows?.held.texts ?? shape.main).text);
  const scope = requestScope(
    {
      http,
      sent: sentSettings(http),
      request,
      who,
      readOnly: shape.readOnly,
      routineSettings: routineSettings(plan, state),
      traceparent: exchange.trace?.traceparent,
    },
    state,
  );
  if (exchange.trace !== undefined) exchange.trace.operation = operationOf(plan);
  const scoped = scopeStatement(scope, state.config.dbPreparedStatements);
  const main = filled(shape.main, request, who.role, state);
  const before = shape.before === undefined ? undefined : filled(shape.before, request, who.role, state);
  const guard = guardStatement(state, shape.guarded);
  const limit = costLimit(plan, who.role, state);
  const procedure = procedureWork(request, shape, scope, state);
  const estimate = shape.estimate === undefined ? undefined : filled(shape.estimate, request, who.role, state);
  const transaction = transactionEnd(request, shape, who.role, state);
  // A transaction that may only read waits for no row; whether it is quick, the driver finds out.
  const options: FlyOptions = {
    sharing: shape.readOnly ? 'any' : 'alike',
    ...limits(state),
    ...(signal === undefined ? {} : { signal }),
  };
  const explains = explainsAccess(request, plan, who.role, state);

  async function ask({ driver, gate }: Asked): Promise<Result<Outcome | undefined, RestError>> {
    if (limit !== undefined && plan.media.explain === undefined && shape.call === undefined) {
      const whose = signal === undefined ? {} : { signal };
      const refused = await costProblem(driver, scoped, before ?? main, limit, whose, guard);
      if (refused !== undefined) return err(refused);
    }
    if (procedure !== undefined) return runProcedure(procedure, driver, options);
    if (shape.levels !== undefined && areLevelsAsked(shape.levels) && transaction.kind === 'commit') {
      const read = { levels: shape.levels, request, role: who.role, state, estimate };
      const asked = { ...read, before: present(scoped, preRequest(state), guard) };
      const answered = await answerLevels(asked, driver, options);
      if (!answered.ok || answered.value !== undefined) return answered;
    }
    if (shape.copy !== undefined && transaction.kind === 'commit') {
      const insert = { copy: shape.copy, request, role: who.role, state };
      const asked = { ...insert, before: present(scoped, preRequest(state), guard) };
      const answered = await answerCopy(asked, driver, options);
      if (answered.ok && answered.value !== undefined) exchange.onMain?.(shape.copy.statement.text);
      if (!answered.ok || answered.value !== undefined) return answered;
    }
    const columnar = isColumnar(plan.media.format);
    if (shape.rows !== undefined && (transaction.kind === 'commit' || columnar)) {
      const rows = {
        rows: shape.rows,
        format: plan.media.format,
        request,
        role: who.role,
        state,
        estimate,
        isolation: transaction.kind === 'commit' ? READ_COMMITTED : transaction.isolation,
        rollback: transaction.kind === 'checked' && transaction.rollback,
      };
      // What is asked about an answer is asked when the database is done with it.
      const { streaming } = exchange;
      const gated = streaming === undefined || gate === undefined ? streaming : { ...streaming, gate };
      const asked = {
        ...rows,
        before: present(scoped, preRequest(state), guard),
        streaming: explains ? undefined : gated,
      };
      const answered = await answerRows(asked, driver, options);
      if (!answered.ok || answered.value !== undefined) return answered;
      if (columnar) throw new Error('only a stream can be as large as a body of columns may be');
    }
    const isPlan = plan.media.explain !== undefined;
    const work = { scope: scoped, preRequest: preRequest(state), guard, before, main, estimate, isPlan, transaction };
    const done = await run(work, driver, options);
    if (done.ok && shape.rows?.of === 'call-once') noteSize(shape.rows, done.value.found.body);
    return done;
  }

  const mayLag = !explains && mayBeBehind(exchange, request, shape, transaction);
  const primary: Asked = { driver: exchange.driver, gate: undefined };
  let outcome = mayLag ? await askServers(exchange, ask) : await ask(primary);
  if (!outcome.ok && shape.readOnly && wasEnded(outcome.error)) outcome = await ask(primary);
  watch.lap('transaction');
  const explained = { request, plan, scope, affected: undefined };
  if (!outcome.ok) {
    const told = asUnknown(outcome.error, shape.guarded);
    return err(explains ? await explainRefusal(exchange, explained, told) : told);
  }
  if (outcome.value === undefined) throw new Error('a run has an outcome');
  if (shape.levels !== undefined) shape.levels.seen.bytes = outcome.value.found.body.length;
  const problem = shape.readOnly ? resultCheck(request, shape)?.(outcome.value.found) : undefined;
  if (problem !== undefined) return err(problem);
  const made = makeReply(request, shape, outcome.value);
  if (!made.ok) outcome.value.stream?.destroy();
  else if (outcome.value.stream !== undefined) {
    const { exp } = who.claims;
    exchange.streaming?.open?.add(outcome.value.stream, {
      expiresAt: who.hasToken && typeof exp === 'number' ? exp * 1000 : undefined,
      mayGoOn: () => stillAllowed(exchange.driver, present(scoped, preRequest(state), guard), main),
      onCut: exchange.streaming.onCut ?? (() => {}),
    });
  }
  const reply = shape.readOnly ? made : await withToken(exchange, request.preferences, made);
  watch.lap('response');
  if (!explains) return reply;
  const affected = plan.kind === 'mutate' ? outcome.value.found.page : undefined;
  return explainReply(exchange, { ...explained, affected }, reply);
}

/** Nobody is told of the limits on a relation that they may not know of. */
async function refusedByOwner(
  exchange: Exchange,
  request: ApiRequest,
  { guarded: [hidden] }: Shape,
  who: Who,
  beyond: RestError,
): Promise<Handled> {
  const seen = hidden === undefined ? ok(undefined) : await askGuard(exchange, request, who, hidden);
  return seen.ok ? err(beyond) : seen;
}

function present(...statements: readonly (Statement | undefined)[]): readonly Statement[] {
  return statements.filter((statement) => statement !== undefined);
}

const NO_SETTINGS: readonly Setting[] = [];

function routineSettings(plan: QueryPlan, { config }: RestState): readonly Setting[] {
  switch (plan.kind) {
    case 'read':
    case 'mutate':
      return NO_SETTINGS;
    case 'call':
      if (plan.routine.settings.length === 0) return NO_SETTINGS;
      // The isolation level is not a setting of the transaction but its beginning.
      return plan.routine.settings.filter(
        ([name]) => name !== 'default_transaction_isolation' && config.dbHoistedTxSettings.includes(name),
      );
    default:
      return assertNever(plan);
  }
}
