// Settings → a connection to the first host that answers and is of the wanted kind, as libpq goes through them.

import { randomBytes } from 'node:crypto';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../driver.ts';
import type { CancelOutcome, Connected } from '../session/connected.ts';
import { Connection } from '../session/connection.ts';
import { PreparedStatements } from '../wire/prepared-statements.ts';
import { cancelBackend } from './cancel.ts';
import type { ConnectSettings, HostTarget, SessionAttrs } from './connect-settings.ts';
import type { Endpoint } from './endpoint.ts';
import type { OnPostgresEvent } from './events.ts';
import { type OpenError, openSocket } from './open-socket.ts';
import { type TlsChoice, tlsChoices } from './tls-options.ts';

export type ConnectLimits = {
  readonly connectTimeoutMs: number;
  readonly statementCacheSize: number;
  readonly flightTimeoutMs: number | undefined;
};

type Unreachable = Extract<DbError, { kind: 'unreachable' }>;
type Reached = { readonly connected: Connected; readonly target: HostTarget };

export type Connector = (attrs?: SessionAttrs) => Promise<Result<Connected, Unreachable>>;

/** Refusals that trying again does not change. */
const FATAL = new Set(['28P01', '28000', '3D000']);

export function makeConnector(settings: ConnectSettings, limits: ConnectLimits, onEvent: OnPostgresEvent): Connector {
  // With sslmode=prefer, a host that has no TLS is not asked again for every connection.
  const withoutTls = new Set<HostTarget>();

  return async (attrs = settings.sessionAttrs) => {
    const began = performance.now();
    const reached = await tryHosts(attrs).catch((error: unknown): Result<never, Unreachable> => {
      // A setting that node or pg refuse outright.
      return err({
        kind: 'unreachable',
        message: error instanceof Error ? error.message : String(error),
        fatal: false,
      });
    });
    if (!reached.ok) {
      const { message, fatal } = reached.error;
      onEvent({ kind: 'connect-failed', message, fatal });
      return reached;
    }
    const { connected, target } = reached.value;
    onEvent({ kind: 'connected', host: target.host, port: target.port, ms: performance.now() - began });
    return ok(connected);
  };

  async function tryHosts(attrs: SessionAttrs): Promise<Result<Reached, Unreachable>> {
    const hosts = settings.shuffleHosts ? shuffled(settings.hosts) : settings.hosts;
    // prefer-standby goes round once for a standby and once for whatever there is.
    const rounds: readonly SessionAttrs[] = attrs === 'prefer-standby' ? ['standby', 'any'] : [attrs];
    const failures = new Set<string>();
    let isFull = false;
    for (const wanted of rounds) {
      for (const target of hosts) {
        const reached = await tryHost(target, wanted);
        if (reached.ok) return reached;
        failures.add(reached.error.message);
        isFull ||= reached.error.isFull === true;
        // As libpq: the server is there and said no; its siblings are not asked.
        if (reached.error.fatal) return reached;
      }
    }
    const message = [...failures].join('; ');
    return err({ kind: 'unreachable', message, fatal: false, ...(isFull ? { isFull } : {}) });
  }

  async function tryHost(target: HostTarget, wanted: SessionAttrs): Promise<Result<Reached, Unreachable>> {
    let choices: readonly TlsChoice[];
    try {
      choices = await tlsChoices(settings, target);
    } catch (error) {
      return err(unreachable(target, { message: String(error), sqlstate: undefined, reason: 'other' }));
    }
    if (choices.length > 1 && withoutTls.has(target)) choices = [false];
    let failure: OpenError = { message: 'nothing was tried', sqlstate: undefined, reason: 'other' };
    for (const tls of choices) {
      const opened = await openSocket(settings, target, tls, settings.connectTimeoutMs ?? limits.connectTimeoutMs);
      if (opened.ok) {
        const { socket, read, key } = opened.value;
        const address = socket.remoteAddress ?? target.address;
        const endpoint: Endpoint = { key, target, address, tls, directTls: settings.directTls };
        const cancel = (timeoutMs: number): Promise<CancelOutcome> => cancelBackend(endpoint, timeoutMs);
        const connection = new Connection(socket, {
          // Names no other connection uses, of this program or another.
          prepared: new PreparedStatements(limits.statementCacheSize, `s${randomBytes(6).toString('base64url')}_`),
          flightTimeoutMs: limits.flightTimeoutMs,
          // Whether it is gone or only slow, nobody wants the answer any more.
          onSilence: () => void cancel(limits.connectTimeoutMs),
          read,
        });
        if (await hasAttrs(connection, wanted)) return ok({ connected: { connection, cancel }, target });
        void connection.close('not the wanted kind of server');
        return err(
          unreachable(target, { message: `the server is not ${wanted}`, sqlstate: undefined, reason: 'other' }),
        );
      }
      failure = opened.error;
      if (failure.reason === 'no-tls') withoutTls.add(target);
      if (!isWorthOtherTls(failure)) break;
    }
    return err(unreachable(target, failure));
  }
}

/** Of the server, the database or the role. */
const TOO_MANY = '53300';

/** The server turned the way of talking down, not the user: pg_hba has other lines for TLS and for none. */
function isWorthOtherTls(failure: OpenError): boolean {
  return failure.reason === 'no-tls' || failure.sqlstate === '28000';
}

function unreachable(target: HostTarget, failure: OpenError): Unreachable {
  const where = target.address.startsWith('/')
    ? `socket "${target.address}/.s.PGSQL.${target.port}"`
    : `"${target.host}", port ${target.port}`;
  const fatal = failure.reason === 'no-password' || (failure.sqlstate !== undefined && FATAL.has(failure.sqlstate));
  const message = `connection to server at ${where} failed: ${failure.message}`;
  return { kind: 'unreachable', message, fatal, ...(failure.sqlstate === TOO_MANY ? { isFull: true } : {}) };
}

async function hasAttrs(connection: Connection, wanted: SessionAttrs): Promise<boolean> {
  if (wanted === 'any') return true;
  const text = `select pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('transaction_read_only')`;
  const outcome = await connection.fly([{ text, params: [] }]);
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

function shuffled<T>(items: readonly T[]): readonly T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
  }
  return mixed;
}
