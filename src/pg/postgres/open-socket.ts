// Settings and one host → a socket on which the server waits for queries, by way of pg's Client: it does TLS, SCRAM and
// the other ways to authenticate. At the first ReadyForQuery its reader is taken off the socket, and that is its end.

import pg from 'pg';
import { err, ok, type Result } from '../../kernel/result.ts';
import { directSocket, type ReadBytes, type Socket } from '../session/byte-source.ts';
import type { ConnectSettings, HostTarget } from './connect-settings.ts';
import { passwordFromFile } from './passfile.ts';
import type { TlsChoice } from './tls-options.ts';

/** Names the backend to the server when its statement is to be cancelled. */
export type BackendKey = { readonly processId: number; readonly secret: number };

export type OpenedSocket = {
  readonly socket: Socket;
  readonly read: ReadBytes | undefined;
  readonly key: BackendKey;
};

export type OpenError = {
  readonly message: string;
  /** Undefined when it was not the server that refused. */
  readonly sqlstate: string | undefined;
  readonly reason: 'refused' | 'no-password' | 'no-tls' | 'other';
};

/** `replication`: a WAL sender of the database, which takes replication commands and simple queries, and no batches. */
export type StartupKind = 'session' | 'replication';

export async function openSocket(
  settings: ConnectSettings,
  target: HostTarget,
  tls: TlsChoice,
  timeoutMs: number,
  startup: StartupKind = 'session',
): Promise<Result<OpenedSocket, OpenError>> {
  let passwordMissing = false;
  const direct = tls === false ? directSocket() : undefined;
  const client = new pg.Client({
    host: target.address,
    port: target.port,
    ...(direct === undefined ? {} : { stream: () => direct.socket }),
    user: settings.user,
    database: settings.database,
    password: async () => {
      const { host, port } = target;
      const { user, database, passfile } = settings;
      const password = settings.password ?? (await passwordFromFile(passfile, { host, port, database, user }));
      if (password !== undefined && password !== '') return password;
      passwordMissing = true;
      throw new Error('the server asks for a password and none was supplied');
    },
    ssl: tls === false ? false : { ...tls }, // pg makes the private key unprintable on the object it is given
    ...(settings.directTls && tls !== false ? { sslnegotiation: 'direct' as const } : {}),
    enableChannelBinding: tls !== false && settings.channelBinding === 'require',
    ...(settings.applicationName === undefined ? {} : { application_name: settings.applicationName }),
    ...(settings.options === undefined ? {} : { options: settings.options }),
    // Of the startup message; the types of pg do not know it.
    ...(startup === 'replication' ? { replication: 'database' } : {}),
    keepAlive: settings.keepAlive,
    keepAliveInitialDelayMillis: settings.keepAliveIdleMs,
    connectionTimeoutMillis: timeoutMs,
  });

  let key: BackendKey = { processId: 0, secret: 0 };
  client.connection.once('backendKeyData', (message: { processID: number; secretKey: number }) => {
    key = { processId: message.processID, secret: message.secretKey };
  });
  let boundToChannel = false;
  client.connection.once('authenticationSASL', (message: { mechanisms: readonly string[] }) => {
    boundToChannel = message.mechanisms.includes('SCRAM-SHA-256-PLUS');
  });
  // Once connected, the errors of the socket are heard on the socket itself.
  client.on('error', () => {});

  return new Promise((resolve) => {
    client.connect((error: Error | null) => {
      const socket = client.connection.stream as Socket;
      if (error !== null && error !== undefined) {
        socket.destroy();
        resolve(err(openError(error, passwordMissing)));
      } else if (settings.channelBinding === 'require' && !boundToChannel) {
        socket.destroy();
        resolve(err({ message: 'channel binding is required and was not used', sqlstate: undefined, reason: 'other' }));
      } else {
        // In the same turn as the ReadyForQuery, so that pg's reader sees no byte of ours; paused until there is a
        // Connection to read them. pg's listeners for `error` and `close` stay: they tell only the client.
        socket.removeAllListeners('data');
        socket.pause();
        resolve(ok({ socket, read: direct?.read, key }));
      }
    });
  });
}

function openError(error: Error, passwordMissing: boolean): OpenError {
  const message = describe(error);
  if (passwordMissing) return { message, sqlstate: undefined, reason: 'no-password' };
  if (error instanceof pg.DatabaseError) return { message, sqlstate: error.code, reason: 'refused' };
  const noTls = message.includes('does not support SSL') || message.includes('establishing an SSL connection');
  return { message, sqlstate: undefined, reason: noTls ? 'no-tls' : 'other' };
}

function describe(error: Error): string {
  // When a name has several addresses, node tries them all and the message is in the parts.
  if (error instanceof AggregateError) return error.errors.map((each) => describe(each)).join('; ');
  return error.message;
}
