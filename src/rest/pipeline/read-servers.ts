// Reads on replicas: which server is asked, and who is asked next when one cannot answer. Writes, and reads that must see everything, go to
// the primary.

import { makeStreamGate, type StreamGate } from '../../auth/stream-gate.ts';
import { firstHeader } from '../../http/http-message.ts';
import type { Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import type { Replica } from '../../pg/replicas/replica.ts';
import { isGone, mayKnowBetter } from '../../pg/replicas/replicas.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { readConsistencyToken } from '../request/consistency-token.ts';
import type { TransactionEnd } from '../run/run.ts';
import { tracedDriver } from '../run/traced-driver.ts';
import type { Exchange } from './exchange.ts';
import type { Shape } from './shape-cache.ts';

export const CONSISTENCY_TOKEN = 'Consistency-Token';

/** A server of the database, and the gate for what it streams; undefined: the one of the exchange. */
export type Server = { readonly driver: Driver; readonly gate: StreamGate | undefined };

/**
 * Asks replicas as long as one may answer, and the primary when none has. What has begun to be answered is never asked for again.
 */
export async function askServers<T>(
  exchange: Exchange,
  ask: (server: Server) => Promise<Result<T, RestError>>,
): Promise<Result<T, RestError>> {
  const { replicas, driver, trace } = exchange;
  const primary = (): Promise<Result<T, RestError>> => ask({ driver, gate: undefined });
  if (replicas === undefined) return primary();
  const lsn = wantedPosition(exchange);
  if (lsn === 'unknown') return primary();
  const tried = new Set<Replica>();
  for (;;) {
    const replica = await replicas.choose({ lsn, not: tried });
    if (replica === undefined) return primary();
    tried.add(replica);
    const to = trace === undefined ? replica.driver : tracedDriver(replica.driver, trace, replica.name);
    const answered = await ask({ driver: to, gate: gateOf(replica) });
    if (answered.ok) replica.reads += 1;
    if (answered.ok || !isDbError(answered.error) || !mayKnowBetter(answered.error)) return answered;
    replica.handedOn += 1;
    if (!isGone(answered.error)) return primary();
    replica.suspect(answered.error);
  }
}

/** Reads of relations, and by GET calls of functions that promise to change nothing. */
export function mayBeBehind(
  { replicas }: Pick<Exchange, 'replicas'>,
  { action, preferences }: ApiRequest,
  { plan, readOnly }: Shape,
  transaction: TransactionEnd,
): boolean {
  if (replicas === undefined || !replicas.hasAny || !readOnly || preferences.consistency === 'strong') return false;
  // No replica has it.
  if (transaction.kind === 'checked' && transaction.isolation === 'serializable') return false;
  if (plan.kind === 'read') return true;
  return (
    plan.kind === 'call' && action.kind === 'call' && action.by !== 'post' && plan.routine.volatility !== 'volatile'
  );
}

/** Of the token that came along; one that nobody can read is held against the primary, which has seen everything. */
function wantedPosition({ http }: Exchange): bigint | undefined | 'unknown' {
  const token = firstHeader(http.headers, 'consistency-token');
  return token === undefined ? undefined : (readConsistencyToken(token) ?? 'unknown');
}

const gates = new WeakMap<Replica, StreamGate>();

function gateOf(replica: Replica): StreamGate {
  let gate = gates.get(replica);
  if (gate === undefined) {
    gate = makeStreamGate({ stats: () => replica.driver.stats() });
    gates.set(replica, gate);
  }
  return gate;
}

const DB_ERRORS: ReadonlySet<string> = new Set<DbError['kind']>([
  'sql',
  'unreachable',
  'lost',
  'pool-timeout',
  'pool-full',
  'cancelled',
  'closed',
]);

function isDbError(error: RestError): error is DbError {
  return DB_ERRORS.has(error.kind);
}
