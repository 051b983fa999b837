// One replica: a pool for reads, and a health check on a small connection of its own, several times a second. What the check finds decides
// whether reads go there: it answers, it is a replica of our primary, it replays, and it is not too far behind.

import type { DbError, Driver } from '../driver.ts';
import type { PrimaryPositions } from './lag.ts';
import { parseLsn } from './lsn.ts';

export type ReplicaDrivers = {
  /** For requests. */
  readonly reads: () => Driver;
  /** One connection, whose batches are given up after a fraction of a second. */
  readonly watch: () => Driver;
};

/** Why reads do not go there; undefined: they do. */
export type LeftOut = 'unknown' | 'unreachable' | 'not-a-replica' | 'other-cluster' | 'paused' | 'lagging';

type Cluster = {
  readonly positions: PrimaryPositions;
  /** Of the primary; undefined: not known yet. */
  readonly identifier: string | undefined;
};

export type ReplicaOptions = {
  /** Host and port. */
  readonly name: string;
  readonly drivers: ReplicaDrivers;
  readonly cluster: () => Cluster;
  readonly maxLagMs: () => number;
  /** Told when reads begin to go there, or no longer do. */
  readonly onChange: (name: string, leftOut: LeftOut | undefined, message: string | undefined) => void;
  readonly now: () => number;
};

/** Without an answer for so long, whoever still waits for this replica is told that it is gone. */
const CUT_OFF_MS = 5000;
/** Where somebody waits for it to come to a position. */
const URGENT_MS = 10;
const INTERVAL_MS = 200;

// A primary that once was a replica has no such functions to answer with: hence the case.
const STATE = `
  select pg_catalog.pg_is_in_recovery(),
         pg_catalog.pg_last_wal_replay_lsn(),
         case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_is_wal_replay_paused() end,
         (select system_identifier from pg_catalog.pg_control_system())`;

export class Replica {
  readonly name: string;
  readonly #options: ReplicaOptions;
  readonly #watch: Driver;
  #reads: Driver;
  #leftOut: LeftOut | undefined = 'unknown';
  #replayed: bigint | undefined;
  #lagMs: number | undefined;
  #answeredAt: number;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #closed = false;
  readonly #waiting = new Set<{ readonly lsn: bigint; readonly done: (there: boolean) => void }>();
  /** Reads answered, and those that another server had to answer. */
  reads = 0;
  handedOn = 0;

  constructor(options: ReplicaOptions) {
    this.name = options.name;
    this.#options = options;
    this.#watch = options.drivers.watch();
    this.#reads = options.drivers.reads();
    this.#answeredAt = options.now();
    void this.#look();
  }

  get driver(): Driver {
    return this.#reads;
  }

  get isUsable(): boolean {
    return this.#leftOut === undefined;
  }

  get leftOut(): LeftOut | undefined {
    return this.#leftOut;
  }

  /** Milliseconds behind the primary, when it was last looked at. */
  get lagMs(): number | undefined {
    return this.#lagMs;
  }

  hasReplayed(lsn: bigint): boolean {
    return this.#replayed !== undefined && this.#replayed >= lsn;
  }

  /** Whether it comes to that position within the time. */
  reaches(lsn: bigint, withinMs: number): Promise<boolean> {
    if (this.hasReplayed(lsn)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (there: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(there);
      };
      const waiter = { lsn, done };
      const timer = setTimeout(() => done(false), withinMs);
      this.#waiting.add(waiter);
      if (!this.#isAsking) this.#lookIn(0);
    });
  }

  /** A request failed there: until the next look nobody else is sent. */
  suspect(error: DbError): void {
    this.#become('unreachable', wordsOf(error));
    if (!this.#isAsking) this.#lookIn(0);
  }

  async close(deadlineMs?: number): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#leaveWaiting();
    await Promise.all([this.#watch.close(0), this.#reads.close(deadlineMs)]);
  }

  #lookIn(ms: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    this.#isAsking = true;
    const asked = await this.#watch.execute([{ text: STATE, params: [], name: 'replica_state' }]);
    this.#isAsking = false;
    if (this.#closed) return;
    if (asked.ok) this.#learn(asked.value[0]?.rows[0]?.map((cell) => cell?.toString()) ?? []);
    else this.#unanswered(asked.error);
    this.#lookIn(this.#waiting.size > 0 ? URGENT_MS : INTERVAL_MS);
  }

  #learn([isReplica, replayed, isPaused, identifier]: readonly (string | undefined)[]): void {
    const { now, cluster, maxLagMs } = this.#options;
    const { positions, identifier: ours } = cluster();
    this.#answeredAt = now();
    this.#replayed = parseLsn(replayed ?? '');
    this.#lagMs = this.#replayed === undefined ? undefined : positions.lagOf(this.#replayed, now());
    for (const { lsn, done } of [...this.#waiting]) if (this.hasReplayed(lsn)) done(true);
    if (isReplica !== 't') this.#become('not-a-replica');
    else if (ours === undefined || this.#lagMs === undefined) this.#become('unknown');
    else if (identifier !== ours) this.#become('other-cluster');
    else if (isPaused === 't') this.#become('paused');
    else this.#become(this.#lagMs <= maxLagMs() ? undefined : 'lagging');
  }

  #unanswered(error: DbError): void {
    this.#become('unreachable', wordsOf(error));
    this.#leaveWaiting();
    if (this.#options.now() - this.#answeredAt < CUT_OFF_MS) return;
    this.#answeredAt = this.#options.now();
    // A machine that is gone does not close its connections; those who wait on them would wait for ever.
    void this.#reads.close(0);
    this.#reads = this.#options.drivers.reads();
  }

  #leaveWaiting(): void {
    for (const { done } of [...this.#waiting]) done(false);
  }

  #become(leftOut: LeftOut | undefined, message?: string): void {
    if (leftOut === this.#leftOut) return;
    this.#leftOut = leftOut;
    this.#options.onChange(this.name, leftOut, message);
  }
}

function wordsOf(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}
