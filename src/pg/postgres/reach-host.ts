// Settings → the first host that answers and that whoever asked accepts, as libpq goes through them: hosts, TLS or none, authentication. What is
// made of the socket (a connection for batches, one for replication) is the caller's.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../driver.ts';
import type { ConnectSettings, HostTarget, SessionAttrs } from './connect-settings.ts';
import type { Endpoint } from './endpoint.ts';
import { type OpenError, type OpenedSocket, openSocket, type StartupKind } from './open-socket.ts';
import { type TlsChoice, tlsChoices } from './tls-options.ts';

export type Unreachable = Extract<DbError, { kind: 'unreachable' }>;

type Reached<T> = { readonly value: T; readonly target: HostTarget };

export type ReachHost<T> = (attrs: SessionAttrs) => Promise<Result<Reached<T>, Unreachable>>;

export type ReachOptions<T> = {
  readonly settings: ConnectSettings;
  readonly connectTimeoutMs: number;
  readonly startup?: StartupKind;
  /** Session settings of ours, as in PGOPTIONS (`-c name=value`). Those of the connection string hold over them, and a pooler that knows none is asked without. */
  readonly sessionOptions?: string | undefined;
  /** Undefined: the server is not of the wanted kind, and the socket has been closed. */
  readonly accept: (opened: OpenedSocket, endpoint: Endpoint, wanted: SessionAttrs) => Promise<T | undefined>;
};

/** Refusals that trying again does not change. */
const FATAL = new Set(['28P01', '28000', '3D000']);

export function makeReachHost<T>(options: ReachOptions<T>): ReachHost<T> {
  const { settings, connectTimeoutMs, startup, sessionOptions, accept } = options;
  // What a host does not have it is not asked for again with every connection: TLS with sslmode=prefer, session settings.
  const withoutTls = new Set<HostTarget>();
  const withoutOptions = new Set<HostTarget>();

  return async (attrs) => {
    try {
      return await tryHosts(attrs);
    } catch (error) {
      // A setting that node or pg refuse outright.
      const message = error instanceof Error ? error.message : String(error);
      return err({ kind: 'unreachable', message, fatal: false });
    }
  };

  async function tryHosts(attrs: SessionAttrs): Promise<Result<Reached<T>, Unreachable>> {
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

  async function tryHost(target: HostTarget, wanted: SessionAttrs): Promise<Result<Reached<T>, Unreachable>> {
    let choices: readonly TlsChoice[];
    try {
      choices = await tlsChoices(settings, target);
    } catch (error) {
      return err(unreachable(target, { message: String(error), sqlstate: undefined, reason: 'other' }));
    }
    if (choices.length > 1 && withoutTls.has(target)) choices = [false];
    let failure: OpenError = { message: 'nothing was tried', sqlstate: undefined, reason: 'other' };
    for (const tls of choices) {
      const opened = await open(target, tls);
      if (opened.ok) {
        const { socket, key } = opened.value;
        const address = socket.remoteAddress ?? target.address;
        const endpoint: Endpoint = { key, target, address, tls, directTls: settings.directTls };
        const value = await accept(opened.value, endpoint, wanted);
        if (value !== undefined) return ok({ value, target });
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

  async function open(target: HostTarget, tls: TlsChoice): Promise<Result<OpenedSocket, OpenError>> {
    const timeoutMs = settings.connectTimeoutMs ?? connectTimeoutMs;
    if (sessionOptions !== undefined && !withoutOptions.has(target)) {
      const both = settings.options === undefined ? sessionOptions : `${sessionOptions} ${settings.options}`;
      const opened = await openSocket({ ...settings, options: both }, target, tls, timeoutMs, startup);
      if (opened.ok || opened.error.sqlstate !== PROTOCOL_VIOLATION) return opened;
      withoutOptions.add(target);
    }
    return openSocket(settings, target, tls, timeoutMs, startup);
  }
}

/** By which a pooler refuses startup parameters that it does not know. */
const PROTOCOL_VIOLATION = '08P01';

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

function shuffled<T>(items: readonly T[]): readonly T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
  }
  return mixed;
}
