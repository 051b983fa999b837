// Load balancing of reads over streaming replicas: which server answers the next read. The set follows the settings while the program runs.

import type { DbError, Driver } from '../driver.ts';
import { PrimaryPositions } from './lag.ts';
import { parseLsn } from './lsn.ts';
import { type LeftOut, Replica, type ReplicaDrivers } from './replica.ts';

export type ReplicaEvent = {
  readonly server: string;
  /** Undefined: reads go there. */
  readonly leftOut: LeftOut | undefined;
  readonly message: string | undefined;
};

export type ReplicaStats = {
  readonly server: string;
  readonly usable: boolean;
  readonly lagSeconds: number | undefined;
  readonly reads: number;
  readonly handedOn: number;
  readonly connections: number;
};

export type ReplicasOptions = {
  /** A connection to the primary, to look where it is. */
  readonly watchPrimary: () => Driver;
  readonly open: (uri: string) => ReplicaDrivers;
  /** How a server is called in logs and metrics: without its password. */
  readonly nameOf: (uri: string) => string;
  readonly onEvent: (event: ReplicaEvent) => void;
  readonly now?: () => number;
};

export type Wish = {
  /** What has to be seen already. */
  readonly lsn: bigint | undefined;
  /** Those that were tried. */
  readonly not: ReadonlySet<Replica>;
};

/** How long a read waits for a replica to come to its position before it goes to the primary. */
const WAIT_MS = 200;
const INTERVAL_MS = 200;

const WHERE = `
  select case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn() else pg_catalog.pg_current_wal_insert_lsn() end,
         (select system_identifier from pg_catalog.pg_control_system())`;

export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #now: () => number;
  readonly #replicas = new Map<string, Replica>();
  #positions = new PrimaryPositions();
  #identifier: string | undefined;
  #watch: Driver | undefined;
  #timer: NodeJS.Timeout | undefined;
  #maxLagMs = 0;

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether any are named, be they usable or not. */
  get hasAny(): boolean {
    return this.#replicas.size > 0;
  }

  /** Takes the place of the set before; replicas that are in both stay as they are. */
  follow(uris: readonly string[], maxLagMs: number): void {
    this.#maxLagMs = maxLagMs;
    for (const [uri, replica] of this.#replicas) {
      if (uris.includes(uri)) continue;
      this.#replicas.delete(uri);
      void replica.close();
    }
    for (const uri of uris) {
      if (this.#replicas.has(uri)) continue;
      const replica = new Replica({
        name: this.#options.nameOf(uri),
        drivers: this.#options.open(uri),
        cluster: () => ({ positions: this.#positions, identifier: this.#identifier }),
        maxLagMs: () => this.#maxLagMs,
        onChange: (server, leftOut, message) => this.#options.onEvent({ server, leftOut, message }),
        now: this.#now,
      });
      this.#replicas.set(uri, replica);
    }
    if (this.hasAny) this.#begin();
    else void this.#end();
  }

  /** The replica that is to answer; undefined: the primary is. A promise only where a position has to be waited for. */
  choose({ lsn, not }: Wish): Replica | undefined | Promise<Replica | undefined> {
    const fresh = this.#leastBusy((replica) => !not.has(replica) && (lsn === undefined || replica.hasReplayed(lsn)));
    if (fresh !== undefined || lsn === undefined) return fresh;
    const candidate = this.#leastBusy((replica) => !not.has(replica));
    return candidate?.reaches(lsn, WAIT_MS).then((there) => (there && candidate.isUsable ? candidate : undefined));
  }

  stats(): readonly ReplicaStats[] {
    return [...this.#replicas.values()].map((replica) => ({
      server: replica.name,
      usable: replica.isUsable,
      lagSeconds: replica.lagMs === undefined ? undefined : replica.lagMs / 1000,
      reads: replica.reads,
      handedOn: replica.handedOn,
      connections: replica.driver.stats().open,
    }));
  }

  async close(): Promise<void> {
    const replicas = [...this.#replicas.values()];
    this.#replicas.clear();
    await Promise.all([this.#end(), ...replicas.map((replica) => replica.close())]);
  }

  #leastBusy(isFit: (replica: Replica) => boolean): Replica | undefined {
    let best: Replica | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const replica of this.#replicas.values()) {
      if (!replica.isUsable || !isFit(replica)) continue;
      const { open, idle, waiting } = replica.driver.stats();
      // Among those that are equally busy they take turns.
      const busy = open - idle + waiting + replica.reads * 1e-12;
      if (busy < least) {
        best = replica;
        least = busy;
      }
    }
    return best;
  }

  #begin(): void {
    if (this.#watch !== undefined) return;
    this.#watch = this.#options.watchPrimary();
    void this.#look(this.#watch);
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const watch = this.#watch;
    this.#watch = undefined;
    this.#positions = new PrimaryPositions();
    this.#identifier = undefined;
    await watch?.close(0);
  }

  /** Without a primary its last position still holds: who has replayed that goes on answering. */
  async #look(watch: Driver): Promise<void> {
    const asked = await watch.execute([{ text: WHERE, params: [], name: 'primary_position' }]);
    if (watch !== this.#watch) return;
    if (asked.ok) {
      const [position, identifier] = asked.value[0]?.rows[0] ?? [];
      const lsn = parseLsn(position?.toString() ?? '');
      if (lsn !== undefined) this.#positions.note(lsn, this.#now());
      this.#identifier = identifier?.toString();
    }
    this.#timer = setTimeout(() => void this.#look(watch), INTERVAL_MS);
    this.#timer.unref();
  }
}

/**
 * Whether another server may know better. A replica has no last word on errors: it may not know a table, column, function or grant that the
 * primary has, it cancels what stands in the way of the log, and it refuses what a primary does (temporary tables, serializable). Only who
 * has left, and what took too long, is not asked about again.
 */
export function mayKnowBetter(error: DbError): boolean {
  switch (error.kind) {
    case 'cancelled':
    case 'pool-timeout':
      return false;
    case 'sql':
      return error.sqlstate !== QUERY_CANCELED;
    case 'unreachable':
    case 'lost':
    case 'closed':
    case 'pool-full':
      return true;
  }
}

/** Whether the replica itself is the trouble, and not the statement. */
export function isGone(error: DbError): boolean {
  if (error.kind === 'sql') return SHUTDOWN.has(error.sqlstate);
  return error.kind === 'unreachable' || error.kind === 'lost' || error.kind === 'closed';
}

const QUERY_CANCELED = '57014';
/** Shutdown, crash, not yet accepting connections, too many connections. */
const SHUTDOWN: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300']);
