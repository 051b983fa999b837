// What every way of answering sends before its own statements: who asks, as the first statement of the transaction, then the operator's function and
// the relation guard, where they are set.

import type { ExecuteOptions, Statement } from '../../pg/driver.ts';
import { type ScopeParts, scopeStatement } from '../../pg/scope.ts';
import type { Who } from '../auth/authenticate.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { TransactionEnd } from '../run/run.ts';
import type { Exchange } from './exchange.ts';
import { limits } from './fill-statement.ts';
import { guardStatement } from './relation-guard.ts';
import { requestScope } from './request-scope.ts';
import { transactionEnd } from './result-check.ts';
import { sentSettings } from './sent-settings.ts';
import type { Shape } from './shape-cache.ts';

export type Work = {
  readonly exchange: Exchange;
  readonly request: ApiRequest;
  readonly shape: Shape;
  readonly role: string;
  readonly scope: ScopeParts;
  /** The statement of the scope, and what has to be asked before the main statement. */
  readonly before: readonly [Statement, ...Statement[]];
  readonly transaction: TransactionEnd;
  readonly options: ExecuteOptions;
  /** The body has to be whole, as something is asked about it when the database is done with it. */
  readonly isHeld: boolean;
};

export function makeWork(exchange: Exchange, request: ApiRequest, shape: Shape, who: Who, isHeld = false): Work {
  const { http, state, signal, trace } = exchange;
  const scope = requestScope(
    {
      http,
      sent: sentSettings(http),
      request,
      who,
      readOnly: shape.readOnly,
      routineSettings: shape.routineSettings,
      traceparent: trace?.traceparent,
    },
    state,
  );
  const before: [Statement, ...Statement[]] = [scopeStatement(scope, state.config.dbPreparedStatements)];
  if (state.preRequest !== undefined) before.push(state.preRequest);
  const guard = guardStatement(state, shape.guarded);
  if (guard !== undefined) before.push(guard);
  // A transaction that may only read waits for no row; whether it is quick, the driver finds out.
  const options: ExecuteOptions = { sharing: shape.readOnly ? 'any' : 'same-statement', ...limits(state) };
  return {
    exchange,
    request,
    shape,
    role: who.role,
    scope,
    before,
    transaction: transactionEnd(shape, who.role, state),
    options: signal === undefined ? options : { ...options, signal },
    isHeld,
  };
}
