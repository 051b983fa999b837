// Keeps up to `max` connections and lends each to one user at a time; who finds none free waits in line.
//
// A connection given back goes to whoever has waited longest, else on top of the idle ones: the ones at the bottom are
// then left alone long enough to be closed.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { CancelSignal, DbError, PoolStats } from '../driver.ts';
import type { Connected } from './connected.ts';
import type { CloseReason, OnSessionEvent } from './session-event.ts';

export type PoolOptions = {
  readonly max: number;
  readonly acquisitionTimeoutMs: number;
  /** How many may wait; more are refused at once. Undefined: as many as come. */
  readonly maxWaiting?: number;
  readonly idleMs: number;
  readonly lifetimeMs: number;
  readonly open: () => Promise<Result<Connected, DbError>>;
  readonly onEvent: OnSessionEvent;
};

export type OnAcquired = (result: Result<Connected, DbError>) => void;

/** Whether who waits would also share this connection with whoever has it. */
export type MayJoin = (connected: Connected) => boolean;

type Waiter = {
  readonly settle: OnAcquired;
  readonly mayJoin: MayJoin | undefined;
  readonly since: number;
};

/** How long a server that takes no further connection is not asked for one. */
const FULL_MS = 1000;

export class Pool {
  readonly #options: PoolOptions;
  /** All that are open, lent or not. */
  readonly #open = new Set<Connected>();
  readonly #idle: Connected[] = [];
  readonly #waiters = new Set<Waiter>();
  /** Why we are closing a connection ourselves; any other end is a loss. */
  readonly #closing = new WeakMap<Connected, CloseReason>();
  #connecting = 0;
  #waits = 0;
  #waitedMs = 0;
  #sweepTimer: NodeJS.Timeout | undefined;
  /** For whoever has waited longest: nobody else can be due before. */
  #patienceTimer: NodeJS.Timeout | undefined;
  /** Set: the server was full a moment ago. */
  #fullTimer: NodeJS.Timeout | undefined;
  #closed = false;
  #allClosed: Promise<void> | undefined;
  #onEmpty: () => void = () => {};

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  stats(): PoolStats {
    return {
      max: this.#options.max,
      open: this.#open.size,
      idle: this.#idle.length,
      waiting: this.#waiters.size,
      waits: this.#waits,
      waitedMs: this.#waitedMs,
    };
  }

  /** An idle connection, if there is one: then nobody is waiting, and taking it is fair. */
  take(): Connected | undefined {
    return this.#idle.pop();
  }

  get hasIdle(): boolean {
    return this.#idle.length > 0;
  }

  /** How many are lent. */
  get busy(): number {
    return this.#open.size - this.#idle.length;
  }

  get hasWaiters(): boolean {
    return this.#waiters.size > 0;
  }

  /** Old enough to be closed when it comes back, and to come back soon. */
  isDue(connected: Connected): boolean {
    return this.#closed || performance.now() - connected.connection.bornAt >= this.#options.lifetimeMs;
  }

  /** Lets whoever has waited longest into a connection that is lent, if it is one who shares; says whether it was. */
  letJoin(connected: Connected): boolean {
    const [first] = this.#waiters;
    if (first?.mayJoin?.(connected) !== true) return false;
    first.settle(ok(connected));
    return true;
  }

  acquire(signal?: CancelSignal): Promise<Result<Connected, DbError>> {
    return new Promise((resolve) => this.request(signal, resolve));
  }

  /** `acquire` for the hot path: `settle` is called once, at once where a connection is free. */
  request(signal: CancelSignal | undefined, settle: OnAcquired, mayJoin?: MayJoin): void {
    if (this.#closed) {
      settle(err({ kind: 'closed' }));
      return;
    }
    if (signal?.aborted === true) {
      settle(err({ kind: 'cancelled' }));
      return;
    }
    const idle = this.take();
    if (idle !== undefined) {
      settle(ok(idle));
      return;
    }
    const { maxWaiting } = this.#options;
    if (maxWaiting !== undefined && this.#waiters.size >= maxWaiting) {
      settle(err({ kind: 'pool-full', waiting: this.#waiters.size }));
      return;
    }
    const leave = (): void => waiter.settle(err({ kind: 'cancelled' }));
    const waiter: Waiter = {
      settle: (result) => {
        this.#waiters.delete(waiter);
        this.#waits++;
        this.#waitedMs += performance.now() - waiter.since;
        signal?.removeEventListener('abort', leave);
        settle(result);
      },
      mayJoin,
      since: performance.now(),
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiters.add(waiter);
    this.#patienceTimer ??= setTimeout(() => this.#endPatience(), this.#options.acquisitionTimeoutMs);
    this.#connectForWaiters();
  }

  /** Takes a connection back. It must be outside any transaction, with nothing under way. */
  give(connected: Connected): void {
    const { connection } = connected;
    if (!connection.isOpen) return;
    const now = performance.now();
    if (this.#closed) this.#close(connected, 'shutdown');
    else if (now - connection.bornAt >= this.#options.lifetimeMs) this.#close(connected, 'lifetime');
    else this.#offer(connected, now);
  }

  /** Closes a connection that is lent and cannot be given back clean. */
  discard(connected: Connected, message: string): void {
    if (!connected.connection.isOpen) return;
    this.#closing.set(connected, 'unclean');
    connected.connection.destroy(message);
  }

  flushIdle(): void {
    for (const connected of this.#idle.splice(0)) this.#close(connected, 'flushed');
  }

  /** Lends no more; resolves when all that were lent have come back, or `deadlineMs` are over and the rest is cut off. */
  close(deadlineMs: number): Promise<void> {
    this.#allClosed ??= this.#closeAll(deadlineMs);
    return this.#allClosed;
  }

  async #closeAll(deadlineMs: number): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#sweepTimer);
    clearTimeout(this.#patienceTimer);
    clearTimeout(this.#fullTimer);
    for (const waiter of this.#waiters) waiter.settle(err({ kind: 'closed' }));
    const goodbyes = this.#idle.splice(0).map((connected) => this.#close(connected, 'shutdown'));
    if (this.#open.size > 0 || this.#connecting > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadlineMs);
        this.#onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      for (const connected of this.#open) {
        this.#closing.set(connected, 'shutdown');
        connected.connection.destroy('the driver was closed');
      }
    }
    await Promise.all(goodbyes);
  }

  #offer(connected: Connected, now: number): void {
    const [first] = this.#waiters;
    if (first !== undefined) {
      first.settle(ok(connected));
      return;
    }
    connected.connection.idleSince = now;
    this.#idle.push(connected);
    this.#sweepLater(Math.min(this.#options.idleMs, this.#options.lifetimeMs));
  }

  #endPatience(): void {
    const afterMs = this.#options.acquisitionTimeoutMs;
    this.#patienceTimer = undefined;
    const now = performance.now();
    for (const waiter of this.#waiters) {
      const left = waiter.since + afterMs - now;
      if (left > 0) {
        this.#patienceTimer = setTimeout(() => this.#endPatience(), Math.ceil(left));
        return;
      }
      waiter.settle(err({ kind: 'pool-timeout', afterMs }));
      this.#options.onEvent({ kind: 'pool-timeout', afterMs, waiting: this.#waiters.size });
    }
  }

  #connectForWaiters(): void {
    // Whoever waits is served by those that are open; asking a full server for more only takes its time.
    if (this.#fullTimer !== undefined && this.#open.size > 0) return;
    while (this.#connecting < this.#waiters.size && this.#open.size + this.#connecting < this.#options.max) {
      this.#connecting++;
      void this.#connect();
    }
  }

  async #connect(): Promise<void> {
    const opened = await this.#options.open();
    this.#connecting--;
    if (!opened.ok) {
      this.#failWaiters(opened.error);
    } else {
      const connected = opened.value;
      this.#open.add(connected);
      connected.connection.onEnd = (message) => this.#onEnd(connected, message);
      if (connected.connection.isOpen) this.give(connected);
      else this.#onEnd(connected, 'the connection was lost at once');
    }
    if (this.#open.size === 0 && this.#connecting === 0) this.#onEmpty();
  }

  /**
   * One failure answers one waiter; all of them, when nothing is left that could serve the others. A server that takes no further
   * connection for now fails nobody, as long as there is one that works.
   */
  #failWaiters(error: DbError): void {
    const hopeless = this.#open.size === 0 && this.#connecting === 0;
    if (error.kind === 'unreachable' && error.isFull === true && !hopeless && !this.#closed) {
      this.#fullTimer ??= setTimeout(() => {
        this.#fullTimer = undefined;
        if (!this.#closed) this.#connectForWaiters();
      }, FULL_MS).unref();
      return;
    }
    for (const waiter of this.#waiters) {
      waiter.settle(err(error));
      if (!hopeless) break;
    }
    if (!this.#closed) this.#connectForWaiters();
  }

  #onEnd(connected: Connected, message: string): void {
    this.#open.delete(connected);
    const at = this.#idle.indexOf(connected);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#options.onEvent({ kind: 'closed', reason: this.#closing.get(connected) ?? 'lost', message });
    if (!this.#closed) this.#connectForWaiters();
    else if (this.#open.size === 0 && this.#connecting === 0) this.#onEmpty();
  }

  #close(connected: Connected, reason: CloseReason): Promise<void> {
    this.#closing.set(connected, reason);
    return connected.connection.close(reason);
  }

  #sweepLater(ms: number): void {
    if (this.#sweepTimer !== undefined) return;
    this.#sweepTimer = setTimeout(() => this.#sweep(), Math.ceil(ms));
    this.#sweepTimer.unref();
  }

  #sweep(): void {
    this.#sweepTimer = undefined;
    const { idleMs, lifetimeMs } = this.#options;
    const now = performance.now();
    let nextDue = Number.POSITIVE_INFINITY;
    for (const connected of [...this.#idle]) {
      const { idleSince, bornAt } = connected.connection;
      const idleDue = idleSince + idleMs;
      const lifetimeDue = bornAt + lifetimeMs;
      if (idleDue <= now || lifetimeDue <= now) {
        this.#close(connected, idleDue <= now ? 'idle' : 'lifetime');
      } else {
        nextDue = Math.min(nextDue, idleDue, lifetimeDue);
      }
    }
    if (this.#idle.length > 0) this.#sweepLater(nextDue - now);
  }
}
