// A batch: several requests as one caller in one transaction. Each goes through the stages that it would go through alone; what a
// reference stands for joins as a value when the request before it is answered, and has no way into the address but that.

import { randomBytes } from 'node:crypto';
import { isForAll } from '../../http/cors.ts';
import { allHeaders, type HttpReply, type HttpRequest } from '../../http/http-message.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { mayOnlyRead, type Who } from '../auth/authenticate.ts';
import { errorReply } from '../errors/error-reply.ts';
import type { RestError } from '../errors/rest-error.ts';
import { isColumnar } from '../plan/columnar.ts';
import { makePlan } from '../plan/make-plan.ts';
import { checkPreferences } from '../plan/preference-plan.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { type BatchItem, parseBatch, placeOf, placesOf } from '../request/batch.ts';
import { lookedUp, lookUp, nothingWanted, type Wanted, want } from '../request/batch-answers.ts';
import { fillSpans, type Reference } from '../request/batch-reference.ts';
import { parseRequest } from '../request/parse-request.ts';
import { type Preferences, parsePreferences } from '../request/preferences.ts';
import { chooseSchema } from '../request/schema-header.ts';
import { refusedText } from '../request/text-check.ts';
import { makeReply } from '../response/reply.ts';
import type { Outcome } from '../run/run.ts';
import { type BatchStep, runBatch } from '../run/run-batch.ts';
import { transactionEnded } from '../run/run-procedure.ts';
import type { Routine } from '../schema-cache/schema-cache.ts';
import { type BatchAnswer, batchBody } from './batch-body.ts';
import { type BatchScope, batchScope, stepScope } from './batch-scope.ts';
import type { Exchange } from './exchange.ts';
import { filled, limits } from './fill-statement.ts';
import { infoReply } from './info-reply.ts';
import { makeShape, shapeOptions } from './make-shape.ts';
import { beyondLimits, costLimit, limitedContext } from './owner-limits.ts';
import { asUnknown, guardedTarget, guardStatement, unknownTable } from './relation-guard.ts';
import { isolationOf } from './result-check.ts';
import { type Shape, shapeKey } from './shape-cache.ts';
import { type RestState, tokenCheckOf } from './state.ts';
import { withToken } from './with-token.ts';

type Handled = Result<HttpReply, RestError>;

/** One request of the batch that has been found possible. */
type Ready = { readonly http: HttpRequest; readonly request: ApiRequest; readonly shape: Shape };

/** Whether the address is that of batches: no relation of the schema has its name. */
export function isBatch({ method, path, headers }: HttpRequest, { config, cache }: RestState): boolean {
  const { serverBatchPath: name } = config;
  if (name === '' || path.length !== name.length + 1 || !path.endsWith(name)) return false;
  const chosen = chooseSchema(method, headers, config.dbSchemas);
  const schema = chosen.ok ? chosen.value.schema : config.dbSchemas[0];
  return cache?.table(schema, name) === undefined && cache?.undescribed(schema, name) === undefined;
}

export async function handleBatch(exchange: Exchange, who: Who): Promise<Handled> {
  const { http, state, watch } = exchange;
  const { config, cache } = state;
  if (cache === undefined) return err({ kind: 'schema-cache-missing' });
  if (http.method === 'OPTIONS')
    return ok(infoReply('OPTIONS,POST', isForAll({ allowedOrigins: config.serverCorsAllowedOrigins })));
  if (http.method !== 'POST') return err({ kind: 'batch-method', method: http.method });
  // Nobody can guess it, so no text of a client passes for a reference.
  const mark = `svrst${randomBytes(9).toString('hex').replaceAll('e', 'x')}`;
  const items = parseBatch(http.body, {
    maxRequests: config.serverBatchSize,
    standIn: (place, index) => standIn(mark, place, index),
  });
  if (!items.ok) return items;
  const wait = exchange.moreWait?.(who.role, items.value.length - 1) ?? 0;
  if (wait > 0) return err({ kind: 'rate-limited', retryAfterSeconds: wait });
  const txAllowed = config.dbTxEnd.endsWith('allow-override');
  const preferences = parsePreferences(allHeaders(http.headers, 'prefer'), { txAllowed, timezones: cache.timezones });
  const strict = checkPreferences(preferences);
  if (strict !== undefined) return err(strict);
  watch.lap('parse');
  return withToken(exchange, preferences, await new Batch(exchange, who, preferences, items.value, mark).run());
}

/** What a reference stands for, as JSON. */
type ValueOf = (place: number, reference: Reference) => Result<Uint8Array, RestError>;

const NULL = Buffer.from('null');
const SOMETHING = Buffer.from('0');

/** Any value does to see whether a request is possible. */
const unknownYet: ValueOf = () => ok(SOMETHING);

function referencesOf({ inAddress, inBody }: BatchItem): readonly Reference[] {
  return [...inAddress, ...inBody.flatMap(({ by }) => ('reference' in by ? [by.reference] : []))];
}

function isReady(ready: Ready | HttpReply | undefined): ready is Ready {
  return ready !== undefined && 'shape' in ready;
}

/** Writes whose rows nobody looks at, before the commit or after it. */
function isQuiet({ shape }: Ready): boolean {
  return shape.plan.kind === 'mutate' && shape.plan.tree === undefined && (shape.raises || shape.check === undefined);
}

/** Why a procedure cannot be called in a batch, whose requests are of one transaction and, as a rule, of one round trip. */
function whyAlone({ procedure }: Routine): string | undefined {
  if (procedure === undefined) return undefined;
  if (procedure.outside) return 'calls a procedure that runs outside the transaction; call it by itself';
  return procedure.outputs.length === 0 ? undefined : 'calls a procedure with OUT arguments; call it by itself';
}

function told(failure: RestError, { plan, guarded, call }: Shape): RestError {
  const ended = call !== undefined && plan.kind === 'call' ? transactionEnded(failure, plan.routine.name) : undefined;
  return ended ?? asUnknown(failure, guarded);
}

type Isolation = ReturnType<typeof isolationOf>;

function strongest(levels: readonly Isolation[]): Isolation {
  if (levels.includes('serializable')) return 'serializable';
  return levels.includes('repeatable read') ? 'repeatable read' : 'read committed';
}

/** The headers of the batch itself, without those that each request has for itself. */
function withoutOwn(headers: HttpRequest['headers']): HttpRequest['headers'] {
  const kept: Record<string, string | readonly string[] | undefined> = {};
  for (const [name, value] of Object.entries(headers)) if (!OWN.has(name)) kept[name] = value;
  return kept;
}

const OWN: ReadonlySet<string> = new Set([
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'content-length',
  'prefer',
  'range',
  'range-unit',
]);

/** A JSON text, number or truth value as a filter takes it. */
function plainText(json: Uint8Array): string | undefined {
  const text = Buffer.from(json).toString();
  if (text.startsWith('"')) return String(JSON.parse(text));
  return /^(?:-?\d|true$|false$)/.test(text) ? text : undefined;
}

function standIn(mark: string, place: number, index: number): string {
  return `${mark}n${place}n${index}e`;
}

class Batch {
  readonly #exchange: Exchange;
  readonly #who: Who;
  readonly #preferences: Preferences;
  readonly #items: readonly BatchItem[];
  readonly #places: ReadonlyMap<string, number>;
  /** How every stand-in begins. */
  readonly #mark: string;
  readonly #ready: (Ready | HttpReply | undefined)[] = [];
  /** What the batch wants of the answer of each. */
  readonly #wanted = new Map<number, Wanted>();
  readonly #answers: BatchAnswer[];
  readonly #broken = new Set<number>();
  #bytes = 0;
  /** By how much references have made the requests larger. */
  #grown = 0;

  constructor(exchange: Exchange, who: Who, preferences: Preferences, items: readonly BatchItem[], mark: string) {
    this.#exchange = exchange;
    this.#who = who;
    this.#preferences = preferences;
    this.#items = items;
    this.#places = placesOf(items);
    this.#mark = mark;
    this.#answers = items.map(({ id }) => ({ id, reply: undefined }));
  }

  #standIn(place: number, index: number): string {
    return standIn(this.#mark, place, index);
  }

  async run(): Promise<Handled> {
    try {
      return await this.#run();
    } finally {
      this.#exchange.memory?.give(this.#grown);
    }
  }

  async #run(): Promise<Handled> {
    const { state, driver, signal, watch, http } = this.#exchange;
    const mode = this.#preferences.batch ?? 'all';
    // Everything is looked at before anything is done.
    for (const [place, item] of this.#items.entries()) {
      for (const reference of referencesOf(item)) this.#want(reference);
      const made = this.#make(place, unknownYet);
      if (!made.ok && mode === 'all') return this.#end(place, made.error);
      if (!made.ok) this.#fail(place, made.error);
      this.#ready.push(made.ok ? made.value : undefined);
    }
    for (const place of this.#wanted.keys()) {
      const problem = this.#cannotBeUsed(place);
      if (problem !== undefined) return err(problem);
    }
    watch.lap('plan');
    const shapes = this.#ready.flatMap((ready) => (isReady(ready) ? [ready] : []));
    this.#exchange.onMain?.(shapes.map(({ shape }) => shape.main.text).join(';\n'));
    const rollback =
      this.#preferences.tx === undefined
        ? state.config.dbTxEnd.startsWith('rollback')
        : this.#preferences.tx === 'rollback';
    const isolation = strongest(shapes.map(({ shape }) => isolationOf(shape, this.#who.role, state)));
    const scope: BatchScope = {
      http,
      who: this.#who,
      timezone: this.#preferences.timezone,
      traceparent: this.#exchange.trace?.traceparent,
    };
    const done = await runBatch(
      {
        scope: batchScope(scope, state),
        isolation,
        rollback,
        mode,
        size: this.#items.length,
        needs: (place) => this.#items[place]?.needs ?? new Set(),
        step: (place) => this.#step(place, scope),
        answer: (place, outcome) => this.#answer(place, outcome),
        failed: (place, error) => this.#fail(place, error),
        quiet:
          mode === 'all' &&
          !rollback &&
          isolation === 'read committed' &&
          this.#wanted.size === 0 &&
          shapes.every(({ shape }) => costLimit(shape.plan, this.#who.role, state) === undefined) &&
          this.#ready.every((ready) => isReady(ready) && isQuiet(ready)),
      },
      driver,
      { ...limits(state), ...(signal === undefined ? {} : { signal }) },
    );
    watch.lap('transaction');
    if (!done.ok) return done;
    return this.#end(done.value.at, undefined);
  }

  #want(reference: Reference): void {
    const place = placeOf(reference, this.#places);
    let wanted = this.#wanted.get(place);
    if (wanted === undefined) {
      wanted = nothingWanted();
      this.#wanted.set(place, wanted);
    }
    want(wanted, reference);
  }

  /** A write that shows nothing, or a body that is no JSON, has nothing to refer to. */
  #cannotBeUsed(place: number): RestError | undefined {
    const ready = this.#ready[place];
    if (ready === undefined) return undefined;
    const format = isReady(ready) ? ready.shape.plan.media.format.kind : 'none';
    const shows =
      isReady(ready) &&
      !ready.shape.headOnly &&
      (ready.shape.plan.kind !== 'mutate' || ready.shape.plan.tree !== undefined);
    if (shows && (format === 'array' || format === 'object' || format === 'geojson')) return undefined;
    for (const [user, item] of this.#items.entries()) {
      const reference = referencesOf(item).find((one) => placeOf(one, this.#places) === place);
      if (reference !== undefined)
        return { kind: 'batch-reference', place: user + 1, reference: reference.text, why: 'no-answer' };
    }
    return undefined;
  }

  /** The request as its stages make it, with what references stand for in its body and among its values. */
  #make(place: number, valueFor: ValueOf): Result<Ready | HttpReply, RestError> {
    const { state, http: outer } = this.#exchange;
    const item = this.#items[place];
    if (item === undefined || state.cache === undefined) throw new Error('a batch has no such request');
    const invalid = (why: string): Result<never, RestError> => err({ kind: 'batch-invalid', place: place + 1, why });
    const values = new Map<string, Uint8Array>();
    for (const reference of referencesOf(item)) {
      const value = valueFor(place, reference);
      if (!value.ok) return value;
      values.set(reference.text, value.value);
    }
    const tooLarge = this.#grow(place, item, values);
    if (tooLarge !== undefined) return err(tooLarge);
    const http: HttpRequest = {
      method: item.method,
      path: item.path,
      query: item.query,
      headers: { ...withoutOwn(outer.headers), ...item.headers },
      body: fillSpans(item.body, item.inBody, ({ text }) => values.get(text) ?? NULL),
    };
    if (isBatch({ ...http, method: 'POST' }, state)) return invalid('is itself a batch');
    const parsed = parseRequest(http, state.config, state.cache.timezones, state.cursorKey);
    if (!parsed.ok) return parsed;
    if (parsed.value.preferences.tx !== undefined || parsed.value.preferences.timezone !== undefined)
      return invalid('prefers tx or timezone, which a batch says once for all');
    const request = this.#withValues(place, item, parsed.value, values);
    if (!request.ok) return request;
    const limited = limitedContext(request.value, this.#who.role, state.config, state.cache);
    const key = shapeKey(http, request.value) + limited.key;
    let shape = state.shapes.get(key);
    if (shape === undefined) {
      const plan = makePlan(request.value, limited.context);
      // Nobody has asked yet whether the caller may know of the relation: nothing about it is told.
      const hidden = plan.ok && plan.value.kind !== 'info' ? undefined : guardedTarget(request.value, state);
      if (hidden !== undefined) return err(unknownTable(hidden));
      if (!plan.ok) return plan;
      if (plan.value.kind === 'describe') return invalid('asks for the description of the API');
      if (plan.value.kind === 'info') return ok(infoReply(plan.value.allow, false));
      if (plan.value.media.format.kind === 'events') return invalid('asks for a live stream');
      if (isColumnar(plan.value.media.format)) return invalid('asks for Arrow or Parquet; ask for it by itself');
      shape = makeShape(request.value, plan.value, shapeOptions(state, plan.value));
      state.shapes.set(key, shape);
    }
    const alone = shape.plan.kind === 'call' ? whyAlone(shape.plan.routine) : undefined;
    return alone === undefined ? ok({ http, request: request.value, shape }) : invalid(alone);
  }

  /** References multiply: a value may stand in a thousand places. What that comes to is known before anything is put together. */
  #grow(place: number, item: BatchItem, values: ReadonlyMap<string, Uint8Array>): RestError | undefined {
    const sizeOf = ({ text }: Reference): number => values.get(text)?.length ?? 0;
    let more = 0;
    for (const reference of item.inAddress) more += sizeOf(reference);
    for (const { start, end, by } of item.inBody)
      if ('reference' in by) more += Math.max(0, sizeOf(by.reference) - (end - start));
    if (more === 0) return undefined;
    const limit = this.#exchange.state.config.serverMaxBodySize;
    if (item.body.length + more > limit || this.#grown + more > limit)
      return { kind: 'batch-request-too-large', place: place + 1, limit };
    if (this.#exchange.memory?.grow(more) === false) return { kind: 'memory-full' };
    this.#grown += more;
    return undefined;
  }

  /** Stand-ins that were read as values give way to what they stand for; where one was read as anything else, the request is refused. */
  #withValues(
    place: number,
    item: BatchItem,
    request: ApiRequest,
    values: ReadonlyMap<string, Uint8Array>,
  ): Result<ApiRequest, RestError> {
    if (item.inAddress.length === 0) return ok(request);
    const wrong = (reference: Reference | undefined, why: 'not-a-value' | 'not-plain'): Result<never, RestError> =>
      err({ kind: 'batch-reference', place: place + 1, reference: reference?.text ?? '', why });
    const texts = new Map<string, string>();
    for (const [index, reference] of item.inAddress.entries()) {
      const text = plainText(values.get(reference.text) ?? NULL);
      if (text === undefined) return wrong(reference, 'not-plain');
      texts.set(this.#standIn(place, index), text);
    }
    const used = new Set<string>();
    const textOf = (standIn: string): string => {
      used.add(standIn);
      return texts.get(standIn) ?? '';
    };
    // In a list every value is quoted, and what could end a quote is escaped.
    const filledIn = request.values.map((value) =>
      texts.has(value)
        ? textOf(value)
        : this.#replaced(value, '"', (standIn) => `"${textOf(standIn).replace(/["\\]/g, '\\$&')}"`),
    );
    const misplaced = item.inAddress.findIndex((_, index) => !used.has(this.#standIn(place, index)));
    if (misplaced >= 0) return wrong(item.inAddress[misplaced], 'not-a-value');
    if (filledIn.some((value) => value.includes(this.#mark))) return wrong(item.inAddress[0], 'not-a-value');
    const refused = refusedText(request.query, filledIn);
    return refused === undefined ? ok({ ...request, values: filledIn }) : err(refused);
  }

  /** `around`: what stands before and behind a stand-in for it to count. In one pass, whatever the number of them. */
  #replaced(text: string, around: string, by: (standIn: string) => string): string {
    const start = around + this.#mark;
    let made = '';
    let at = 0;
    for (let found = text.indexOf(start); found >= 0; found = text.indexOf(start, at)) {
      const end = text.indexOf('e', found + start.length) + 1;
      const isWhole = end > 0 && text.startsWith(around, end);
      made += text.slice(at, found);
      made += isWhole ? by(text.slice(found + around.length, end)) : start;
      at = isWhole ? end + around.length : found + start.length;
    }
    return made + text.slice(at);
  }

  readonly #resolved: ValueOf = (place, reference) => {
    const of = placeOf(reference, this.#places);
    const wanted = this.#wanted.get(of);
    const found = wanted === undefined ? undefined : lookedUp(wanted, reference);
    if (found !== undefined && 'bytes' in found) return ok(found.bytes);
    const why = found?.rows === undefined ? 'not-found' : 'several';
    return err({ kind: 'batch-reference', place: place + 1, reference: reference.text, why });
  };

  #step(place: number, scope: BatchScope): Result<BatchStep | undefined, RestError> {
    const { state } = this.#exchange;
    const item = this.#items[place];
    const before = this.#ready[place];
    if (item === undefined || before === undefined) return ok(undefined);
    for (const needed of item.needs)
      if (this.#broken.has(needed))
        return err({ kind: 'batch-failed', place: needed + 1, id: this.#items[needed]?.id });
    const made = item.needs.size === 0 ? ok(before) : this.#make(place, this.#resolved);
    if (!made.ok) return made;
    this.#ready[place] = made.value;
    if (!isReady(made.value)) return ok(undefined);
    const { request, shape, http } = made.value;
    const beyond = beyondLimits(this.#exchange, shape.plan, this.#who.role);
    // Nobody has asked yet whether the caller may know of the relation.
    if (beyond !== undefined) return err(shape.guarded[0] === undefined ? beyond : unknownTable(shape.guarded[0]));
    const asked = state.preRequest;
    const guard = guardStatement(state, shape.guarded);
    return ok({
      before: [
        stepScope({ ...scope, http, schema: request.schema }, state),
        ...(asked === undefined ? [] : [asked]),
        ...(guard === undefined ? [] : [guard]),
        ...[shape.before, shape.call].flatMap((one) =>
          one === undefined ? [] : [filled(one, request, this.#who.role, state)],
        ),
      ],
      main: filled(shape.main, request, this.#who.role, state),
      estimate: shape.estimate === undefined ? undefined : filled(shape.estimate, request, this.#who.role, state),
      isPlan: shape.plan.media.explain !== undefined,
      readOnly: shape.readOnly,
      answers: shape.plan.kind !== 'mutate' || shape.plan.tree !== undefined,
      check: shape.check,
      quiet: isQuiet(made.value),
      maxCost:
        shape.plan.media.explain === undefined && shape.call === undefined
          ? costLimit(shape.plan, this.#who.role, state)
          : undefined,
    });
  }

  #answer(place: number, outcome: Outcome | undefined): Result<unknown, RestError> {
    const ready = this.#ready[place];
    if (ready === undefined) return ok(undefined);
    const reply = isReady(ready)
      ? outcome === undefined
        ? ok(undefined)
        : makeReply(ready.request, ready.shape, outcome)
      : ok(ready);
    if (!reply.ok) return reply;
    if (reply.value === undefined) return ok(undefined);
    this.#bytes += reply.value.body?.length ?? 0;
    const limit = this.#exchange.state.config.serverMaxBodySize;
    if (this.#bytes > limit) return err({ kind: 'batch-answer-too-large', limit });
    const answer = this.#answers[place];
    if (answer !== undefined) answer.reply = this.#readable(place, reply.value);
    const wanted = this.#wanted.get(place);
    if (wanted !== undefined && reply.value.body !== undefined) lookUp(wanted, Buffer.from(reply.value.body));
    return ok(undefined);
  }

  #fail(place: number, failure: RestError): void {
    const ready = this.#ready[place];
    const error = ready !== undefined && isReady(ready) ? told(failure, ready.shape) : failure;
    const { state } = this.#exchange;
    const item = this.#items[place];
    const reply = errorReply(error, {
      isAuthenticated: !this.#who.isAnonymous,
      mayOnlyRead: tokenCheckOf(state, this.#who) !== undefined && item?.method !== 'GET' && mayOnlyRead(this.#who),
      isHead: item?.method === 'HEAD',
      retryAfterSeconds: 0,
      codes: state.config.errorCodes,
    });
    const answer = this.#answers[place];
    if (answer !== undefined) answer.reply = this.#readable(place, reply);
    this.#broken.add(place);
  }

  /** With references as they were written, where stand-ins would show. */
  #readable(place: number, reply: HttpReply): HttpReply {
    const item = this.#items[place];
    if (item === undefined || item.inAddress.length === 0) return reply;
    const references = new Map(item.inAddress.map(({ text }, index) => [this.#standIn(place, index), text]));
    const written = (text: string): string => this.#replaced(text, '', (standIn) => references.get(standIn) ?? standIn);
    return {
      ...reply,
      headers: reply.headers.map(([name, value]) => [name, written(value)]),
      ...(reply.body !== undefined && reply.status >= 400
        ? { body: Buffer.from(written(Buffer.from(reply.body).toString())) }
        : {}),
    };
  }

  /** `failed`: the request that took all the others with it. */
  #end(failed: number | undefined, error: RestError | undefined): Handled {
    const { watch } = this.#exchange;
    if (failed !== undefined) {
      if (error !== undefined) this.#fail(failed, error);
      for (let place = 0; place < this.#items.length; place++)
        if (place !== failed)
          this.#fail(place, { kind: 'batch-failed', place: failed + 1, id: this.#items[failed]?.id });
    }
    const status = failed === undefined ? this.#status() : (this.#answers[failed]?.reply?.status ?? 500);
    const body = batchBody(this.#answers);
    const applied = (['batch', 'tx', 'handling', 'timezone', 'consistency'] as const).flatMap((name) =>
      this.#preferences[name] === undefined ? [] : [`${name}=${this.#preferences[name]}`],
    );
    watch.lap('response');
    return ok({
      status,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ...(applied.length === 0 ? [] : [['Preference-Applied', applied.join(', ')] as const]),
        ['Content-Length', String(body.length)],
      ],
      body,
    });
  }

  /** Only what went wrong after the commit shows in the status of a batch that was not undone. */
  #status(): number {
    if (this.#preferences.batch === 'each') return 200;
    const [first] = this.#broken;
    return first === undefined ? 200 : (this.#answers[first]?.reply?.status ?? 500);
  }
}
