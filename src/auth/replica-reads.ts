// Reads of the portal and the map services on streaming replicas. A caller with a read point is answered by a replica that has replayed it; all reads of one
// point go to the same server, since what one of them finds may be the key under which the answer of the next is kept. Once that server fails, or the caller
// has written, the primary answers: it is never behind what was seen already.

import type { Result } from '../kernel/result.ts';
import type { DbError, Driver } from '../pg/driver.ts';
import { ACKNOWLEDGED } from '../pg/replicas/acknowledged.ts';
import { parseLsn } from '../pg/replicas/lsn.ts';
import type { Replica } from '../pg/replicas/replica.ts';
import { isGone, mayKnowBetter, type Replicas } from '../pg/replicas/replicas.ts';
import type { Caller, ReadPoint } from './caller.ts';
import type { CallerDb } from './caller-db.ts';

export type ReplicaReads = {
  /** As the primary's, but for reads of callers that have a read point. */
  readonly db: CallerDb;
  /** Whether the settings name any replicas. */
  isOn(): boolean;
  /** Where the primary is now: a replica that has come there has everything that was acknowledged before. Undefined: it cannot be asked. */
  position(): Promise<bigint | undefined>;
};

const NONE: ReadonlySet<Replica> = new Set();

export function makeReplicaReads(
  primary: CallerDb,
  replicas: Replicas,
  callerDbOn: (driver: Driver) => CallerDb,
): ReplicaReads {
  /** By the driver, which a replica changes when it was away. */
  const dbs = new WeakMap<Driver, CallerDb>();
  /** Undefined: the primary. */
  const chosen = new WeakMap<ReadPoint, Promise<Replica | undefined>>();
  const PRIMARY = Promise.resolve(undefined);

  function dbOf({ driver }: Replica): CallerDb {
    const known = dbs.get(driver) ?? callerDbOn(driver);
    dbs.set(driver, known);
    return known;
  }

  async function serverFor({ readPoint }: Caller): Promise<Replica | undefined> {
    if (readPoint === undefined || !replicas.hasAny) return undefined;
    const choice = chosen.get(readPoint) ?? Promise.resolve(replicas.choose({ lsn: readPoint.lsn, not: NONE }));
    chosen.set(readPoint, choice);
    const replica = await choice;
    return replica?.isUsable === true ? replica : stayOnPrimary(readPoint);
  }

  function stayOnPrimary(readPoint: ReadPoint | undefined): undefined {
    if (readPoint !== undefined) chosen.set(readPoint, PRIMARY);
  }

  async function ask<T>(
    caller: Caller,
    on: (db: CallerDb) => Promise<Result<T, DbError>>,
    /** What has been passed on in part is not asked for again. */
    hasBegun: () => boolean = () => false,
  ): Promise<Result<T, DbError>> {
    const replica = await serverFor(caller);
    if (replica === undefined) return on(primary);
    const answered = await on(dbOf(replica));
    if (answered.ok) replica.reads += 1;
    if (answered.ok || hasBegun() || !mayKnowBetter(answered.error)) return answered;
    replica.handedOn += 1;
    if (isGone(answered.error)) replica.suspect(answered.error);
    stayOnPrimary(caller.readPoint);
    return on(primary);
  }

  return {
    isOn: () => replicas.hasAny,
    async position() {
      const executed = await primary.service([ACKNOWLEDGED]);
      return executed.ok ? parseLsn(executed.value[0]?.rows[0]?.[0]?.toString() ?? '') : undefined;
    },
    db: {
      ...primary,
      read: (caller, info, statements, options) => ask(caller, (db) => db.read(caller, info, statements, options)),
      copyOut(caller, info, before, copy, onChunk, options) {
        let hasBegun = false;
        const passOn = (chunk: Buffer): Promise<void> | void => {
          hasBegun = true;
          return onChunk(chunk);
        };
        return ask(
          caller,
          (db) => db.copyOut(caller, info, before, copy, passOn, options),
          () => hasBegun,
        );
      },
      write(caller, ...rest) {
        stayOnPrimary(caller.readPoint);
        return primary.write(caller, ...rest);
      },
      writeInAnyMode(caller, ...rest) {
        stayOnPrimary(caller.readPoint);
        return primary.writeInAnyMode(caller, ...rest);
      },
      transaction(caller, ...rest) {
        stayOnPrimary(caller.readPoint);
        return primary.transaction(caller, ...rest);
      },
    },
  };
}
