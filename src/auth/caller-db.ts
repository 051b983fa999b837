// The database as the portal and the map server use it: every batch begins with the caller's scope, so that row security
// sees who asks.

import type { Result } from '../kernel/result.ts';
import type { Batch, BatchResult, DbError, Driver, ExecuteOptions, Session, Statement } from '../pg/driver.ts';
import { type Setting, scopeStatement } from '../pg/scope.ts';
import { wasEnded } from '../pg/was-ended.ts';
import { type Caller, claimsOf, roleOf, turnOf } from './caller.ts';
import { makeStreamGate } from './stream-gate.ts';

/**
 * For reads that a request of the catalogue is made of: they may be sent behind each other on one connection while they are quick, each with the scope of its
 * own caller and in its own transaction. Each batch less that wakes a connection saves time of the database and of the program.
 */
export const PIPELINED: ExecuteOptions = { sharing: 'any' };

/** What of the request the database is told besides who asks. */
export type RequestInfo = { readonly method: string; readonly path: string };

export type CallerDb = {
  readonly driver: Driver;
  /** Statements that only read, in one batch. The scope's own result is not among the results. */
  read(caller: Caller, info: RequestInfo, statements: Batch, options?: ExecuteOptions): Promise<BatchResult>;
  /** Statements that may write, in one batch: all of them or none. */
  write(caller: Caller, info: RequestInfo, statements: Batch, options?: ExecuteOptions): Promise<BatchResult>;
  /** The same where the mode of service forbids writing: what ends the mode. */
  writeInAnyMode(caller: Caller, info: RequestInfo, statements: Batch): Promise<BatchResult>;
  /**
   * Several batches in one transaction of the caller, for work that looks at rows in between. It is committed when `work`
   * returns an ok, rolled back when it returns an error or throws.
   */
  transaction<T, E>(
    caller: Caller,
    info: RequestInfo,
    work: (session: Session) => Promise<Result<T, E>>,
  ): Promise<Result<T, E | DbError>>;
  /**
   * COPY … TO STDOUT of a read: rows pass by as they come, however many they are. `before` runs in the same transaction. There are fewer
   * of these at once than connections; who comes later waits.
   */
  copyOut(
    caller: Caller,
    info: RequestInfo,
    before: Batch,
    copy: string,
    onChunk: (chunk: Buffer) => Promise<void> | void,
    options?: ExecuteOptions,
  ): Promise<Result<number, DbError>>;
  /** As the service itself: credentials, sessions, keys. Never with a caller's text as SQL. */
  service(statements: Batch, options?: ExecuteOptions): Promise<BatchResult>;
};

export type CallerDbOptions = {
  /** Longest that one statement may run; 0: as long as it likes. What knows better says so inside its own batch. */
  readonly statementTimeoutMs?: number;
};

const STATEMENT_MS = 30_000;

export function makeCallerDb(driver: Driver, { statementTimeoutMs = STATEMENT_MS }: CallerDbOptions = {}): CallerDb {
  const limits: ExecuteOptions = statementTimeoutMs === 0 ? {} : { timeLimitMs: statementTimeoutMs };
  const settings: readonly Setting[] = [...PLANNING, ['statement_timeout', String(statementTimeoutMs)]];
  const callerScope = (caller: Caller, info: RequestInfo, access: Access): Statement =>
    scopeOf(caller, info, access, settings);
  const execute = async (scope: Statement, statements: Batch, options: ExecuteOptions): Promise<BatchResult> => {
    const executed = await driver.execute([scope, ...statements], options);
    return executed.ok ? { ok: true, value: executed.value.slice(1) } : executed;
  };
  const stream = makeStreamGate(driver);
  return {
    driver,
    async read(caller, info, statements, options = {}) {
      const ask = (): Promise<BatchResult> =>
        execute(callerScope(caller, info, 'read'), statements, { ...limits, caller: turnOf(caller), ...options });
      const executed = await ask();
      return !executed.ok && wasEnded(executed.error) ? ask() : executed;
    },
    write: (caller, info, statements, options = {}) =>
      execute(callerScope(caller, info, 'write'), statements, { ...limits, caller: turnOf(caller), ...options }),
    writeInAnyMode: (caller, info, statements) =>
      execute(callerScope(caller, info, 'write-in-any-mode'), statements, { ...limits, caller: turnOf(caller) }),
    async transaction(caller, info, work) {
      const held = await driver.hold(
        async (session) => {
          const begun = await session.execute([{ text: 'begin', params: [] }, callerScope(caller, info, 'write')]);
          if (!begun.ok) return begun;
          const done = await work(session);
          const ended = await session.execute([{ text: done.ok ? 'commit' : 'rollback', params: [] }]);
          return done.ok && !ended.ok ? ended : done;
        },
        { caller: turnOf(caller) },
      );
      return held.ok ? held.value : held;
    },
    copyOut: (caller, info, before, copy, onChunk, options = {}) =>
      stream(
        () =>
          driver.copyOut([callerScope(caller, info, 'read'), ...before], copy, onChunk, {
            caller: turnOf(caller),
            ...options,
          }),
        options.signal,
        turnOf(caller),
      ),
    service: (statements, options = {}) => execute(AS_PLANNED, statements, options),
  };
}

type Access = 'read' | 'write' | 'write-in-any-mode';

/** Raises where the mode of service forbids it: once the mode is set, no copy of the program accepts a write. */
const MAY_WRITE = 'portal.check_writable()';

/** Our own statements name every schema; PostGIS may stand in `public`. */
const SEARCH_PATH = '"portal", "public"';

/**
 * Policies make statements look dear to the planner, which then compiles them and starts workers: many requests at once lose more
 * by that than one alone gains (200 clients got a third of the answers).
 */
const PLANNING: readonly Setting[] = [
  ['jit', 'off'],
  ['max_parallel_workers_per_gather', '0'],
];

/** What the service asks by itself has no caller, and the same plans. */
const AS_PLANNED: Statement = {
  name: 'service_planning',
  text: `select ${PLANNING.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`,
  params: [],
};

function scopeOf(
  caller: Caller,
  { method, path }: RequestInfo,
  access: Access,
  roleSettings: readonly Setting[],
): Statement {
  return scopeStatement(
    {
      readOnly: access === 'read',
      searchPath: SEARCH_PATH,
      roleSettings,
      role: roleOf(caller),
      claims: claimsOf(caller),
      method,
      path,
      headers: '{}',
      cookies: '{}',
      timezone: undefined,
      routineSettings: [],
      appSettings: [],
      check: access === 'write' ? MAY_WRITE : undefined,
    },
    true,
  );
}
