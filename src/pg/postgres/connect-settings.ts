// Connection string and environment → everything needed to connect, as libpq would fill it in: what the string leaves
// out comes from PG… variables, then from defaults. Reads no files and opens nothing, except to see whether a socket exists.

import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type Conninfo, type ConninfoError, parseConninfo } from './conninfo.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type HostTarget = {
  /** As given: what certificates and password files are compared with. */
  readonly host: string;
  /** Where to connect: the address when one was given, else the host; a folder when it begins with a slash. */
  readonly address: string;
  readonly port: number;
};

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;
type SslMode = (typeof SSL_MODES)[number];

const SESSION_ATTRS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type SessionAttrs = (typeof SESSION_ATTRS)[number];

const CHANNEL_BINDINGS = ['disable', 'prefer', 'require'] as const;

export type TlsFiles = {
  readonly rootCert: string;
  readonly cert: string;
  readonly key: string;
  readonly crl: string;
  /** Files the caller named must be there; those at the usual places need not be. */
  readonly named: ReadonlySet<'rootCert' | 'cert' | 'key' | 'crl'>;
};

export type ConnectSettings = {
  readonly hosts: readonly HostTarget[];
  readonly shuffleHosts: boolean;
  readonly sessionAttrs: SessionAttrs;
  readonly user: string;
  readonly database: string;
  /** Undefined: looked up in the password file. */
  readonly password: string | undefined;
  readonly passfile: string;
  readonly sslMode: SslMode;
  readonly directTls: boolean;
  readonly tlsFiles: TlsFiles;
  readonly tlsKeyPassword: string | undefined;
  readonly tlsMinVersion: string | undefined;
  readonly tlsMaxVersion: string | undefined;
  readonly channelBinding: (typeof CHANNEL_BINDINGS)[number];
  readonly applicationName: string | undefined;
  readonly options: string | undefined;
  /** Undefined: not said, the caller's own limit holds. */
  readonly connectTimeoutMs: number | undefined;
  readonly keepAlive: boolean;
  readonly keepAliveIdleMs: number;
};

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['host', 'PGHOST'],
  ['hostaddr', 'PGHOSTADDR'],
  ['port', 'PGPORT'],
  ['dbname', 'PGDATABASE'],
  ['user', 'PGUSER'],
  ['password', 'PGPASSWORD'],
  ['passfile', 'PGPASSFILE'],
  ['channel_binding', 'PGCHANNELBINDING'],
  ['application_name', 'PGAPPNAME'],
  ['options', 'PGOPTIONS'],
  ['connect_timeout', 'PGCONNECT_TIMEOUT'],
  ['target_session_attrs', 'PGTARGETSESSIONATTRS'],
  ['load_balance_hosts', 'PGLOADBALANCEHOSTS'],
  ['sslmode', 'PGSSLMODE'],
  ['sslnegotiation', 'PGSSLNEGOTIATION'],
  ['sslrootcert', 'PGSSLROOTCERT'],
  ['sslcert', 'PGSSLCERT'],
  ['sslkey', 'PGSSLKEY'],
  ['sslcrl', 'PGSSLCRL'],
  ['ssl_min_protocol_version', 'PGSSLMINPROTOCOLVERSION'],
  ['ssl_max_protocol_version', 'PGSSLMAXPROTOCOLVERSION'],
]);

const DEFAULT_PORT = 5432;
const SOCKET_FOLDERS = ['/var/run/postgresql', '/tmp'];
const KEEPALIVE_IDLE_S = 30; // libpq leaves this to the system, where two hours is usual: too late for a pool

export function connectSettings(
  conninfo: string,
  env: Environment,
  fallbackApplicationName: string | undefined,
): Result<ConnectSettings, ConninfoError> {
  const parsed = parseConninfo(conninfo);
  if (!parsed.ok) return parsed;
  const get = (keyword: string): string | undefined => lookUp(parsed.value, env, keyword);

  const hosts = hostTargets(get);
  if (!hosts.ok) return hosts;
  const sslMode = oneOf(get('sslmode') ?? 'prefer', SSL_MODES, 'sslmode');
  if (!sslMode.ok) return sslMode;
  const sessionAttrs = oneOf(get('target_session_attrs') ?? 'any', SESSION_ATTRS, 'target_session_attrs');
  if (!sessionAttrs.ok) return sessionAttrs;
  const channelBinding = oneOf(get('channel_binding') ?? 'prefer', CHANNEL_BINDINGS, 'channel_binding');
  if (!channelBinding.ok) return channelBinding;
  const timeout = seconds(get('connect_timeout'), 'connect_timeout');
  if (!timeout.ok) return timeout;
  const keepAliveIdle = seconds(get('keepalives_idle'), 'keepalives_idle');
  if (!keepAliveIdle.ok) return keepAliveIdle;

  const home = env['HOME'] ?? '';
  const user = get('user') ?? env['USER'] ?? userInfo().username;
  return ok({
    hosts: hosts.value,
    shuffleHosts: get('load_balance_hosts') === 'random',
    sessionAttrs: sessionAttrs.value,
    user,
    database: get('dbname') ?? user,
    password: get('password'),
    passfile: get('passfile') ?? join(home, '.pgpass'),
    sslMode: sslMode.value,
    directTls: get('sslnegotiation') === 'direct',
    tlsFiles: tlsFiles(get, home),
    tlsKeyPassword: get('sslpassword'),
    tlsMinVersion: get('ssl_min_protocol_version'),
    tlsMaxVersion: get('ssl_max_protocol_version'),
    channelBinding: channelBinding.value,
    applicationName: get('application_name') ?? get('fallback_application_name') ?? fallbackApplicationName,
    options: get('options'),
    connectTimeoutMs: timeout.value === 0 ? undefined : timeout.value,
    keepAlive: get('keepalives') !== '0',
    keepAliveIdleMs: keepAliveIdle.value ?? KEEPALIVE_IDLE_S * 1000,
  });
}

function lookUp(conninfo: Conninfo, env: Environment, keyword: string): string | undefined {
  const given = conninfo.get(keyword);
  if (given !== undefined && given !== '') return given;
  const variable = VARIABLES.get(keyword);
  const found = variable === undefined ? undefined : env[variable];
  return found === '' ? undefined : found;
}

function hostTargets(
  get: (keyword: string) => string | undefined,
): Result<readonly [HostTarget, ...HostTarget[]], ConninfoError> {
  const names = get('host')?.split(',') ?? [];
  const addresses = get('hostaddr')?.split(',') ?? [];
  const ports = get('port')?.split(',') ?? [''];
  const count = Math.max(names.length, addresses.length, 1);
  if (names.length > 0 && addresses.length > 0 && names.length !== addresses.length) {
    return err({ kind: 'conninfo', message: 'host and hostaddr name different numbers of hosts' });
  }
  if (ports.length !== 1 && ports.length !== count) {
    return err({ kind: 'conninfo', message: 'host and port name different numbers of hosts' });
  }
  const targets: HostTarget[] = [];
  for (let i = 0; i < count; i++) {
    const portText = (ports.length === 1 ? ports[0] : ports[i]) ?? '';
    const port = portText === '' ? DEFAULT_PORT : Number(portText);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      return err({ kind: 'conninfo', message: 'the port in the connection string is not a port number' });
    }
    const name = names[i] ?? '';
    const address = addresses[i] ?? '';
    const host = name !== '' ? name : address !== '' ? address : defaultHost(port);
    targets.push({ host, address: address !== '' ? address : host, port });
  }
  const [first, ...others] = targets;
  if (first === undefined) return err({ kind: 'conninfo', message: 'no host' });
  return ok([first, ...others]);
}

/** Where a packaged libpq looks for a server of this machine; `localhost` when no socket is there. */
function defaultHost(port: number): string {
  return SOCKET_FOLDERS.find((folder) => existsSync(join(folder, `.s.PGSQL.${port}`))) ?? 'localhost';
}

function tlsFiles(get: (keyword: string) => string | undefined, home: string): TlsFiles {
  const folder = join(home, '.postgresql');
  const named = new Set<'rootCert' | 'cert' | 'key' | 'crl'>();
  const file = (kind: 'rootCert' | 'cert' | 'key' | 'crl', keyword: string, usual: string): string => {
    const given = get(keyword);
    if (given !== undefined) named.add(kind);
    return given ?? join(folder, usual);
  };
  return {
    rootCert: file('rootCert', 'sslrootcert', 'root.crt'),
    cert: file('cert', 'sslcert', 'postgresql.crt'),
    key: file('key', 'sslkey', 'postgresql.key'),
    crl: file('crl', 'sslcrl', 'root.crl'),
    named,
  };
}

function oneOf<const T extends string>(
  value: string,
  allowed: readonly T[],
  keyword: string,
): Result<T, ConninfoError> {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return ok(found);
  return err({ kind: 'conninfo', message: `${keyword} must be one of ${allowed.join(', ')}` });
}

function seconds(text: string | undefined, keyword: string): Result<number | undefined, ConninfoError> {
  if (text === undefined) return ok(undefined);
  const value = Number(text);
  if (!Number.isInteger(value))
    return err({ kind: 'conninfo', message: `${keyword} must be a whole number of seconds` });
  return ok(Math.max(0, value) * 1000);
}
