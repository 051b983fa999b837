// All listeners that ask the same as the same caller: one read for each change, whose difference to what they know is told to all of them.
//
// A group is an actor: it does one thing at a time. What is asked of it meanwhile (changed keys, a look at everything, somebody who joins)
// is noted and done in the next turn, together.

import { randomBytes } from 'node:crypto';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type Change, readChanges } from '../../pg/change-log/change-log.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import type { RestError } from '../errors/rest-error.ts';
import { limits } from '../pipeline/fill-statement.ts';
import type { LiveRead } from '../pipeline/live-port.ts';
import { beforeLiveRows, byKeyStatement, errorBody, wholeStatement } from '../pipeline/live-read.ts';
import { type LiveRow, MAX_LIVE_BYTES, runLive } from '../run/live-rows.ts';
import { eventId, type Heard, placeIn, positionIn } from './event-id.ts';
import { EventRing } from './event-ring.ts';
import { eventText, retryText } from './event-text.ts';
import { KnownRows, type RowChange } from './known-rows.ts';
import { LiveListener } from './live-listener.ts';
import type { AskSources, LiveSources } from './live-sources.ts';
import { orderedKeys } from './ordered-keys.ts';
import type { QueryGate } from './query-gate.ts';

export type GroupContext = {
  readonly driver: Driver;
  readonly gate: QueryGate;
  readonly askSources: AskSources;
  /** Resolves when changes of tables that are followed by logical decoding are heard of, or are known not to be for now. */
  readonly decoding: () => Promise<void>;
  /** Whether changes are not heard of for now, and rows are read every few seconds instead. */
  readonly isPolled: (isDecoded: boolean) => boolean;
  readonly now: () => number;
  /** Stands for what is asked by whom, in every copy of the program. */
  readonly tag: string;
  /** Up to where in the change log groups have been told of changes. */
  readonly position: () => string | undefined;
  /** How many bytes of past events a group may keep. */
  readonly ringBytes: () => number;
  /** Told how many rows more, or fewer, the group knows; returns how many all groups know. */
  readonly addRows: (more: number) => number;
  /** Forgets groups that nobody listens to; returns how many rows the others know. */
  readonly makeRoom: () => number;
  readonly onTold: (events: number, listeners: number, lagMs: number | undefined) => void;
  readonly onDelayed: (error: DbError) => void;
  readonly onLeft: (listener: LiveListener, how: 'client-left' | 'too-slow') => void;
  readonly onBug: (cause: unknown) => RestError;
  /** Nobody is in it any more, and nobody will be told anything. */
  readonly onEnded: (error: RestError, listeners: number) => void;
};

/** `from`: the last event that it has seen here; `heardUpTo`: in the change log, from another group. */
type Joiner = {
  readonly from: number | undefined;
  readonly heardUpTo: string | undefined;
  readonly done: (joined: Result<LiveListener, RestError>) => void;
};

/** `position`: in the change log; all changes up to there are in the turn, or were in one before. */
type Turn = {
  readonly keys: readonly string[];
  readonly whole: boolean;
  readonly joiners: readonly Joiner[];
  readonly position: string | undefined;
};

/** More keys than this are not looked at one by one. */
const MAX_KEYS = 2000;
/** A read of everything is not begun again at once: it takes a tenth of the time at most. */
const WHOLE_SHARE = 10;
const WHOLE_PAUSE_MS = 100;
const RETRY_MS = [200, 500, 1000, 2000, 5000] as const;
/** After an end, and after a stop. */
const COME_BACK_MS = 2000;

export class LiveGroup {
  readonly listeners: Set<LiveListener> = new Set();
  emptySince: number;
  nextCheckAt: number;
  #read: LiveRead;
  #sources: LiveSources | undefined;
  readonly #context: GroupContext;
  readonly #known = new KnownRows();
  readonly #ring = new EventRing();
  /** Ids of events begin with it: those of another group, or of this one before its rows were told anew, mean nothing here. */
  #epoch = newEpoch();
  #seq = 0;
  /** Up to where in the change log listeners have heard. */
  #position: string | undefined;
  #isKeyed = true;
  #hasRead = false;
  /** What listeners were told last of how changes come to them. */
  #isPolled = false;
  #keys = new Set<string>();
  #wholeDue = false;
  #checkDue = false;
  #changedAt: number | undefined;
  #joiners: Joiner[] = [];
  #isWorking = false;
  #waiting = 0;
  /** Rows that are counted with those of all groups. */
  #counted = 0;
  #failures = 0;
  #wholeNotBefore = 0;
  #timer: NodeJS.Timeout | undefined;
  #end: RestError | undefined;

  constructor(read: LiveRead, context: GroupContext) {
    this.#read = read;
    this.#context = context;
    this.emptySince = context.now();
    this.nextCheckAt = this.#checkTime();
  }

  get read(): LiveRead {
    return this.#read;
  }

  get rows(): number {
    return this.#known.size;
  }

  /** How many have not been answered yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Depends on tables that are followed by logical decoding. */
  get isDecoded(): boolean {
    return this.#sources?.isDecoded === true;
  }

  /** `lastEventId`: of a listener that comes back. `ready`: changes are heard of from then on. */
  async join(
    lastEventId: string | undefined,
    ready: Promise<Result<void, DbError>>,
  ): Promise<Result<LiveListener, RestError>> {
    this.#waiting += 1;
    try {
      const started = await ready;
      if (!started.ok) return started;
      return await new Promise((resolve) => {
        if (this.#end !== undefined) resolve(err(this.#end));
        else {
          const from = placeIn(this.#epoch, lastEventId);
          const heardUpTo = from === undefined ? positionIn(lastEventId, this.#heard()) : undefined;
          this.#joiners.push({ from, heardUpTo, done: resolve });
        }
        this.#work();
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  /** `at`: when it was. */
  changed(change: Change, at: number): void {
    const { relation } = change;
    // What it depends on is not known yet: it is about to read everything.
    if (this.#sources === undefined || !this.#sources.relations.has(relation)) return;
    const { byKey, key: primaryKey } = this.#read.query;
    const isByKey = relation === this.#sources.root && byKey !== undefined;
    const keys = isByKey ? orderedKeys(change, primaryKey) : undefined;
    if (keys === undefined) this.#wholeDue = true;
    // It may be followed in another way from now on.
    if (change.keys === undefined) this.#checkDue = true;
    if (keys !== undefined) for (const key of keys) this.#keys.add(key);
    if (this.#keys.size > MAX_KEYS) this.#wholeDue = true;
    this.#changedAt = Math.min(this.#changedAt ?? at, at);
    this.#work();
  }

  anythingChanged(): void {
    this.#wholeDue = true;
    this.#work();
  }

  /** Looks whether the caller may still read, and where changes are not all heard of, at everything. */
  check(): void {
    this.nextCheckAt = this.#checkTime();
    this.#checkDue = true;
    this.#work();
  }

  /** The schema or the settings have changed. */
  planned(read: LiveRead): void {
    const isSame = read.query.whole.text === this.#read.query.whole.text;
    this.#read = read;
    if (!isSame) this.#wholeDue = true;
    this.check();
  }

  /** Tells everybody when changes begin, or cease, to be heard of as they happen. */
  tellPace(): void {
    if (this.#sources === undefined || !this.#hasRead) return;
    const isPolled = this.#context.isPolled(this.isDecoded);
    if (isPolled === this.#isPolled) return;
    this.#isPolled = isPolled;
    this.tellAll(Buffer.from(paceText(isPolled)));
  }

  tellAll(bytes: Buffer): void {
    const most = this.#read.state.config.liveMaxQueue;
    for (const listener of this.listeners) {
      if (listener.tell(bytes, most)) continue;
      this.#leave(listener, 'too-slow');
      listener.destroy();
    }
  }

  /** It is not there any more. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#end ??= { kind: 'live-stopping' };
    this.#context.addRows(-this.#counted);
    this.#counted = 0;
  }

  /** Tells all listeners why, and lets them go. */
  end(error: RestError): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    this.forget();
    const { size } = this.listeners;
    const last = Buffer.from(retryText(COME_BACK_MS) + eventText('end', errorBody(error, this.#read)));
    for (const listener of this.listeners) listener.end(last);
    this.listeners.clear();
    for (const { done } of this.#joiners.splice(0)) done(err(error));
    this.#context.onEnded(error, size);
  }

  #leave(listener: LiveListener, how: 'client-left' | 'too-slow'): void {
    if (!this.listeners.delete(listener)) return;
    if (this.listeners.size === 0) this.emptySince = this.#context.now();
    this.#context.onLeft(listener, how);
  }

  #checkTime(): number {
    // Not all at once.
    return this.#context.now() + this.#read.state.config.liveRecheck * 1000 * (0.8 + Math.random() * 0.2);
  }

  #work(): void {
    if (this.#isWorking || this.#end !== undefined) return;
    this.#isWorking = true;
    void this.#turns();
  }

  async #turns(): Promise<void> {
    try {
      for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) {
        const taking = turn;
        const done = await this.#context.gate(() => this.#take(taking));
        if (!this.#settle(taking, done)) return;
      }
    } catch (cause) {
      this.end(this.#context.onBug(cause));
    } finally {
      // In the same breath as the last look for work, with nothing awaited between: what comes from here on begins anew.
      this.#isWorking = false;
    }
  }

  /** False: there is nothing more to do, now or ever. */
  #settle(turn: Turn, done: Result<void, RestError>): boolean {
    const error = this.#end ?? (done.ok ? undefined : done.error);
    if (error === undefined) {
      this.#failures = 0;
      return true;
    }
    for (const joiner of turn.joiners) joiner.done(err(error));
    if (this.#end !== undefined) return false;
    // What nobody has joined yet is nothing to try again.
    if (!isPassing(error) || (this.listeners.size === 0 && this.#sources === undefined)) {
      this.end(error);
      return false;
    }
    this.#putBack(turn);
    this.#context.onDelayed(error);
    this.#later(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? 5000);
    this.#failures += 1;
    return false;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#work(), ms);
  }

  /** What is due, and forgotten as such; undefined: nothing is, or not yet. */
  #nextTurn(): Turn | undefined {
    if (this.#end !== undefined) return undefined;
    const { byKey } = this.#read.query;
    const resumes = this.#joiners.every(
      ({ from }) => from !== undefined && this.#ring.after(from, this.#seq) !== undefined,
    );
    const hasWork = this.#joiners.length > 0 || this.#wholeDue || this.#checkDue || this.#keys.size > 0;
    if (!hasWork) return undefined;
    const whole =
      this.#wholeDue || !resumes || byKey === undefined || (this.#checkDue && this.#sources?.isComplete !== true);
    const wait = this.#wholeNotBefore - this.#context.now();
    if (whole && this.#joiners.length === 0 && wait > 0) {
      this.#later(wait);
      return undefined;
    }
    const turn = { keys: [...this.#keys], whole, joiners: this.#joiners, position: this.#context.position() };
    this.#keys = new Set();
    this.#joiners = [];
    this.#wholeDue = false;
    return turn;
  }

  #putBack({ keys, whole }: Turn): void {
    for (const key of keys) this.#keys.add(key);
    if (whole) this.#wholeDue = true;
  }

  async #take(turn: Turn): Promise<Result<void, RestError>> {
    const { driver, now, askSources, decoding } = this.#context;
    const read = this.#read;
    if (this.#checkDue || this.#sources === undefined) {
      const sources = await askSources(read.relations);
      if (!sources.ok) return sources;
      this.#checkDue = false;
      this.#sources = sources.value;
      // Before the rows are read, so that nothing falls between the two.
      if (sources.value.isDecoded) await decoding();
    }
    const began = now();
    const changedAt = this.#changedAt;
    this.#changedAt = undefined;
    const main = (turn.whole ? undefined : byKeyStatement(read, turn.keys)) ?? wholeStatement(read);
    const options = { sharing: 'any', ...limits(read.state) } as const;
    const found = await runLive(beforeLiveRows(read), main, driver, options);
    if (!found.ok) return found;
    if (this.#end !== undefined) return err(this.#end);
    // Told after the read, so that nobody learns of a relation that is hidden from them.
    const { followable, others } = this.#sources;
    if (followable.length + others.length > 0) return err({ kind: 'live-unfollowed', followable, others });
    if (found.value.full) return err({ kind: 'live-too-large', limit: MAX_LIVE_BYTES });
    const { rows } = found.value;
    // Read after the rows: what changes from here on is told to everybody.
    const caughtUp = new Map<Joiner, Buffer>();
    for (const joiner of turn.joiners) {
      const missed = joiner.heardUpTo === undefined ? undefined : await this.#missedSince(joiner.heardUpTo);
      if (missed !== undefined) caughtUp.set(joiner, missed);
    }
    if (this.#end !== undefined) return err(this.#end);
    this.#position = turn.position;
    const told = turn.whole ? this.#compareAll(rows) : { changes: this.#known.update(rows), keys: [], isNew: false };
    if (turn.whole) this.#wholeNotBefore = now() + Math.max(WHOLE_PAUSE_MS, (now() - began) * WHOLE_SHARE);
    const beyond = this.#beyondBounds();
    if (beyond !== undefined) return err(beyond);
    if (told.isNew) this.#tellAnew(rows, told.keys);
    // The first rows are news to nobody: whoever joins is given them.
    else if (this.#hasRead) this.#tell(told.changes, changedAt);
    this.#hasRead = true;
    this.tellPace();
    this.#welcome(turn.joiners, rows, told.keys, caughtUp);
    return ok(undefined);
  }

  /**
   * What somebody has missed who has heard of all changes up to a position of the log, in another copy of the program: the rows that were
   * changed since, as they are now. Undefined: it is not known.
   */
  async #missedSince(position: string): Promise<Buffer | undefined> {
    const read = this.#read;
    const { root, isComplete, isDecoded } = this.#sources ?? {};
    if (root === undefined || isComplete !== true || isDecoded === true || read.query.byKey === undefined)
      return undefined;
    const { driver } = this.#context;
    const since = await readChanges(driver, position);
    if (!since.ok || since.value.overflow) return undefined;
    const ofRoot = since.value.changes.filter(({ relation }) => relation === root);
    const keys = new Set(ofRoot.flatMap((change) => change.keys ?? []));
    if (ofRoot.some((change) => change.keys === undefined) || keys.size > MAX_KEYS) return undefined;
    const main = keys.size === 0 ? undefined : byKeyStatement(read, [...keys]);
    if (main === undefined) return EMPTY;
    const found = await runLive(beforeLiveRows(read), main, driver, { sharing: 'any', ...limits(read.state) });
    if (!found.ok || found.value.full) return undefined;
    const texts = found.value.rows.map(({ key = 'null', row }) =>
      changeText(row === undefined ? { kind: 'gone', key } : { kind: 'row', key, row }, undefined),
    );
    return Buffer.from(texts.join(''));
  }

  /** `isNew`: keys are other ones than before, so that listeners begin anew. */
  #compareAll(rows: readonly LiveRow[]): {
    readonly changes: readonly RowChange[];
    readonly keys: readonly string[];
    readonly isNew: boolean;
  } {
    const keyed = this.#isKeyed ? this.#known.replace(rows) : undefined;
    if (keyed !== undefined) return { ...keyed, isNew: false };
    // The key of a view is guessed from its tables, and a join may have made several rows of one.
    const bare = this.#known.replace(rows.map(({ row }) => ({ key: undefined, row })));
    if (bare === undefined) throw new Error('rows without keys have keys of their own');
    const isNew = this.#hasRead && this.#isKeyed && rows.some(({ key }) => key !== undefined);
    this.#isKeyed = false;
    return { ...bare, isNew };
  }

  #beyondBounds(): RestError | undefined {
    const { liveMaxRows, liveMaxRowsTotal } = this.#read.state.config;
    const all = this.#context.addRows(this.#known.size - this.#counted);
    this.#counted = this.#known.size;
    if (this.#known.size > liveMaxRows)
      return { kind: 'live-too-many-rows', limit: liveMaxRows, setting: 'live-max-rows' };
    if (all > liveMaxRowsTotal && this.#context.makeRoom() > liveMaxRowsTotal)
      return { kind: 'live-too-many-rows', limit: liveMaxRowsTotal, setting: 'live-max-rows-total' };
    return undefined;
  }

  #tell(changes: readonly RowChange[], changedAt: number | undefined): void {
    if (changes.length === 0) return;
    const most = this.#context.ringBytes();
    const all: Buffer[] = [];
    for (const change of changes) {
      this.#seq += 1;
      const bytes = Buffer.from(changeText(change, this.#id()));
      this.#ring.add(this.#seq, bytes, most);
      all.push(bytes);
    }
    const { size } = this.listeners;
    if (size > 0) this.tellAll(all.length === 1 ? (all[0] ?? EMPTY) : Buffer.concat(all));
    const lagMs = changedAt === undefined ? undefined : Math.max(0, this.#context.now() - changedAt);
    this.#context.onTold(changes.length, size, lagMs);
  }

  #tellAnew(rows: readonly LiveRow[], keys: readonly string[]): void {
    this.#epoch = newEpoch();
    this.#seq = 0;
    this.#ring.clear();
    const bytes = this.#everything(rows, keys, 'keys-changed');
    for (const listener of this.listeners) listener.give(bytes);
  }

  #welcome(
    joiners: readonly Joiner[],
    rows: readonly LiveRow[],
    keys: readonly string[],
    caughtUp: ReadonlyMap<Joiner, Buffer>,
  ): void {
    let everything: Buffer | undefined;
    for (const joiner of joiners) {
      const { from, done } = joiner;
      const elsewhere = caughtUp.get(joiner);
      const missed = from === undefined ? elsewhere && [elsewhere] : this.#ring.after(from, this.#seq);
      if (missed === undefined) everything ??= this.#everything(rows, keys, 'start');
      const first = missed === undefined ? everything : Buffer.concat([...missed, this.#ready()]);
      const listener = new LiveListener(first ?? EMPTY);
      this.listeners.add(listener);
      listener.once('close', () => this.#leave(listener, 'client-left'));
      done(ok(listener));
    }
  }

  #everything(rows: readonly LiveRow[], keys: readonly string[], reason: string): Buffer {
    const texts = [eventText('reset', JSON.stringify({ reason }))];
    for (const [i, { row }] of rows.entries())
      texts.push(changeText({ kind: 'row', key: keys[i] ?? 'null', row: row ?? 'null' }, undefined));
    return Buffer.concat([Buffer.from(texts.join('')), this.#ready()]);
  }

  #ready(): Buffer {
    const ready = eventText('ready', JSON.stringify({ rows: this.#known.size }), this.#id());
    return Buffer.from(this.#isPolled ? paceText(true) + ready : ready);
  }

  #id(): string {
    return eventId(this.#epoch, this.#seq, this.#heard());
  }

  #heard(): Heard {
    const { tag, now } = this.#context;
    // Another copy of the program finds nothing in the log of what was decoded.
    return { tag, position: this.isDecoded ? undefined : this.#position, now: now() };
  }
}

const EMPTY = Buffer.alloc(0);

function newEpoch(): string {
  return randomBytes(9).toString('base64url');
}

/** For people who look, and programs that show how fresh their rows are. */
function paceText(isPolled: boolean): string {
  const slow = {
    changes: 'polled',
    reason: 'The service is not told of changes, and compares all rows every two seconds. Its log says why.',
  };
  return eventText('pace', JSON.stringify(isPolled ? slow : { changes: 'heard' }));
}

function changeText(change: RowChange, id: string | undefined): string {
  return change.kind === 'gone'
    ? eventText('gone', `{"key":${change.key}}`, id)
    : eventText('row', `{"key":${change.key},"row":${change.row}}`, id);
}

/** Trouble of the database that goes by without anybody's doing: connections lost, a server that restarts, too much to do. */
function isPassing(error: RestError): error is DbError {
  switch (error.kind) {
    case 'lost':
    case 'pool-timeout':
    case 'pool-full':
      return true;
    case 'unreachable':
      return !error.fatal;
    case 'sql':
      return /^(?:08|40|53|57P)/.test(error.sqlstate);
    default:
      return false;
  }
}
