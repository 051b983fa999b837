// Settings → a connection to the first host that answers and is of the wanted kind.

import { randomBytes } from 'node:crypto';
import { ok, type Result } from '../../kernel/result.ts';
import type { CancelOutcome, Connected } from '../session/connected.ts';
import { Connection } from '../session/connection.ts';
import { PreparedStatements } from '../wire/prepared-statements.ts';
import { cancelBackend } from './cancel.ts';
import type { ConnectSettings, SessionAttrs } from './connect-settings.ts';
import { type Endpoint, isHere } from './endpoint.ts';
import type { OnPostgresEvent } from './events.ts';
import type { OpenedSocket } from './open-socket.ts';
import { makeReachHost, type Unreachable } from './reach-host.ts';

export type ConnectLimits = {
  readonly connectTimeoutMs: number;
  readonly statementCacheSize: number;
  readonly batchTimeoutMs: number | undefined;
  /** How long a statement waits for a lock before the server refuses it; undefined: as the server is set. */
  readonly lockTimeoutMs?: number | undefined;
};

export type Connector = (attrs?: SessionAttrs) => Promise<Result<Connected, Unreachable>>;

export function makeConnector(settings: ConnectSettings, limits: ConnectLimits, onEvent: OnPostgresEvent): Connector {
  const { connectTimeoutMs, lockTimeoutMs } = limits;
  const sessionOptions = lockTimeoutMs === undefined ? undefined : `-c lock_timeout=${lockTimeoutMs}`;
  const reach = makeReachHost({ settings, connectTimeoutMs, sessionOptions, accept });

  async function accept(
    { socket, read }: OpenedSocket,
    endpoint: Endpoint,
    wanted: SessionAttrs,
  ): Promise<Connected | undefined> {
    const cancel = (timeoutMs: number): Promise<CancelOutcome> => cancelBackend(endpoint, timeoutMs);
    const connection = new Connection(socket, {
      // Names no other connection uses, of this program or another.
      prepared: new PreparedStatements(limits.statementCacheSize, `s${randomBytes(6).toString('base64url')}_`),
      batchTimeoutMs: limits.batchTimeoutMs,
      // Whether it is gone or only slow, nobody wants the answer any more.
      onSilence: () => void cancel(connectTimeoutMs),
      read,
    });
    if (await hasAttrs(connection, wanted)) return { connection, cancel, isHere: isHere(endpoint) };
    void connection.close('not the wanted kind of server');
    return undefined;
  }

  return async (attrs = settings.sessionAttrs) => {
    const began = performance.now();
    const reached = await reach(attrs);
    if (!reached.ok) {
      const { message, fatal } = reached.error;
      onEvent({ kind: 'connect-failed', message, fatal });
      return reached;
    }
    const { value, target } = reached.value;
    onEvent({ kind: 'connected', host: target.host, port: target.port, ms: performance.now() - began });
    return ok(value);
  };
}

async function hasAttrs(connection: Connection, wanted: SessionAttrs): Promise<boolean> {
  if (wanted === 'any') return true;
  const text = `select pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('transaction_read_only')`;
  const outcome = await connection.execute([{ text, params: [] }]);
  const row = outcome.kind === 'reply' ? outcome.reply.results[0]?.rows[0] : undefined;
  if (row === undefined) return false;
  const standby = row[0]?.toString() === 't';
  const readOnly = row[1]?.toString() === 'on';
  switch (wanted) {
    case 'read-write':
      return !readOnly;
    case 'read-only':
      return readOnly;
    case 'primary':
      return !standby;
    case 'standby':
    case 'prefer-standby':
      return standby;
  }
}
