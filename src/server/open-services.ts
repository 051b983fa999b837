// The addresses of a command: portal, REST service, admin server. All of them are opened, or none.

import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { withAccessLog } from '../http/access-log.ts';
import { firstHeader, type HttpReply, type HttpRequest } from '../http/http-message.ts';
import type { MemoryBudget } from '../http/memory-budget.ts';
import { onlyReads, type ServiceMode } from '../http/service-mode.ts';
import type { Tracer } from '../http/tracing/tracer.ts';
import type { Observe } from '../kernel/observation.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { SessionBearer } from '../portal/oidc/session-bearer.ts';
import { type AdminParts, adminListener } from '../rest/edge/admin.ts';
import { refusal, refuseBody, restListener } from '../rest/edge/listener.ts';
import type { Metrics } from '../rest/edge/metrics.ts';
import type { RestFront } from '../rest/edge/rest-front.ts';
import { REST_V1 } from '../rest/pipeline/rest-v1.ts';
import { asSignedIn } from './as-signed-in.ts';
import type { ServerConfig, Services } from './config/config.ts';
import type { Health } from './health.ts';
import { type ListenAddress, type ListenError, type Listening, listen } from './listen.ts';
import type { PortalGate } from './portal/portal-gate.ts';
import { withBudget } from './with-budget.ts';

export type ServiceParts = {
  readonly config: ServerConfig;
  readonly services: Services;
  readonly rest: RestFront;
  readonly databases: AdminParts['databases'];
  /** Undefined: this process has no portal. */
  readonly portal: PortalGate | undefined;
  /** Whose session a cookie is of; undefined: the REST service takes no tokens of a portal, or not yet. */
  readonly sessionBearer: () => SessionBearer | undefined;
  readonly health: Pick<Health, 'answer' | 'isDraining'>;
  /** Of the database that a request to the REST service is for. */
  readonly mode: (path: string, host: string | undefined) => ServiceMode;
  readonly metrics: Metrics;
  readonly budget: MemoryBudget;
  readonly tracer: Tracer | undefined;
  readonly observe: Observe;
};

type Opened = Promise<Result<Listening, ListenError>>;

/** Large files over slow lines. */
const UPLOAD_MS = 6 * 3600 * 1000;

export async function openServices(parts: ServiceParts): Promise<Result<readonly Listening[], ListenError>> {
  const { config, services, portal, observe } = parts;
  const hasRest = services === 'all' || services === 'rest';
  const opened: Listening[] = [];
  const plan: [name: string, open: () => Opened][] = [];
  if (portal !== undefined) plan.push(['Portal', () => openPortal(parts, portal)]);
  if (hasRest) plan.push(['REST service', () => openRest(parts)]);
  // Last, because it looks at the one before it.
  if (config.adminServerPort !== undefined)
    plan.push(['Admin server', () => openAdmin(parts, config.adminServerPort ?? 0, opened.at(-1))]);
  for (const [name, open] of plan) {
    const listening = await open();
    if (!listening.ok) {
      await Promise.all(opened.map((one) => one.close(0)));
      return listening;
    }
    opened.push(listening.value);
    observe({ kind: 'listening', service: name, address: listening.value.address });
  }
  return ok(opened);
}

/** What a request to the REST service is refused with in this mode; undefined: it is answered. */
function closedReply(
  { rest, mode }: ServiceParts,
  method: string,
  path: string,
  host: string | undefined,
): HttpReply | undefined {
  const now = mode(path, host);
  if (now.kind === 'normal' || (now.kind === 'read-only' && onlyReads(method))) return undefined;
  return refusal(rest, { kind: 'service-closed', mode: now.kind, message: now.message });
}

/** The REST service, as the mode of service lets it. */
function restInMode(parts: ServiceParts): ReturnType<typeof restListener> {
  const listener = restListener(parts.rest, parts.budget);
  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const closed = closedReply(parts, method, url.split('?', 1)[0] ?? url, headers.host);
    if (closed === undefined) listener(request, response);
    else refuseBody(request, response, closed);
  };
}

function openRest(parts: ServiceParts): Opened {
  const { config, rest, budget } = parts;
  return listen(restInMode(parts), restAddress(config), {
    budget,
    stalledMs: config.serverStallTimeout * 1000,
    plain: !config.serverShortcuts.includes('plain-http')
      ? undefined
      : {
          // One too large is refused where every body is read.
          handle: (request, client) => {
            if (request.body.length > 0 && request.body.length > limitFor(rest, request)) return undefined;
            const closed = closedReply(parts, request.method, request.path, firstHeader(request.headers, 'host'));
            if (closed !== undefined) return Promise.resolve(closed);
            // Named one by one: the client is a connection with accessors, which a spread would leave behind.
            const { signal, remoteAddress, httpVersion } = client;
            return rest.answer(request, { signal, remoteAddress, httpVersion, memory: budget });
          },
          fit: (reply) => budget.fit(reply) ?? refusal(rest, { kind: 'memory-full' }),
          onFailure: rest.failed,
        },
    odd: {
      answer: (request) =>
        rest.answer(
          { ...request, headers: {}, body: new Uint8Array() },
          { signal: undefined, remoteAddress: undefined, httpVersion: '1.1' },
        ),
      onFailure: rest.failed,
    },
  });
}

function limitFor(rest: RestFront, { path, headers }: HttpRequest): number {
  return rest.addressee(path, firstHeader(headers, 'host')).config.serverMaxBodySize;
}

function restAddress(config: ServerConfig): ListenAddress {
  return config.serverUnixSocket === undefined
    ? { kind: 'tcp', host: config.serverHost, port: config.serverPort }
    : { kind: 'socket', path: config.serverUnixSocket, mode: config.serverUnixSocketMode };
}

function portalAddress({ portalHost: host, portalPort: port }: ServerConfig): ListenAddress {
  return { kind: 'tcp', host, port };
}

function adminAddress({ adminServerHost, serverHost }: ServerConfig, port: number): ListenAddress {
  return { kind: 'tcp', host: adminServerHost ?? serverHost, port };
}

/** What a command listens on, each with the setting that says so. */
export function addressesOf(config: ServerConfig, services: Services): readonly (readonly [string, ListenAddress])[] {
  const found: (readonly [string, ListenAddress])[] = [];
  if (services === 'all' || services === 'portal') found.push(['portal-port', portalAddress(config)]);
  if (services === 'all' || services === 'rest')
    found.push([config.serverUnixSocket === undefined ? 'server-port' : 'server-unix-socket', restAddress(config)]);
  if (config.adminServerPort !== undefined)
    found.push(['admin-server-port', adminAddress(config, config.adminServerPort)]);
  return found;
}

function openPortal(parts: ServiceParts, portal: PortalGate): Opened {
  const { config, tracer, budget, observe, health } = parts;
  const listener = asSignedIn(restInMode(parts), parts.sessionBearer);
  const logged = withAccessLog(withBudget(portal.handler, budget), {
    service: 'portal',
    observe,
    trustedProxies: config.serverTrustedProxies,
    tracing: tracer === undefined ? undefined : { tracer, ratio: config.serverTraceRatio },
  });
  return listen(
    (request, response) => {
      if (health.isDraining()) response.setHeader('Connection', 'close');
      if (health.answer(request, response)) return;
      if (request.url?.startsWith(`${REST_V1}/`) === true) listener(request, response);
      else logged(request, response);
    },
    portalAddress(config),
    { requestTimeoutMs: UPLOAD_MS, stalledMs: config.serverStallTimeout * 1000, isUpload, budget },
  );
}

function isUpload({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('multipart/') === true;
}

function openAdmin(parts: ServiceParts, port: number, main: Listening | undefined): Opened {
  const { config, databases, health, metrics } = parts;
  const reachesMain = (): Promise<boolean> => (main === undefined ? Promise.resolve(false) : answers(main));
  return listen(
    adminListener({ databases, metrics, reachesMain, isDraining: health.isDraining }),
    adminAddress(config, port),
    { exclusive: true },
  );
}

const CONNECT_MS = 2000;

function answers({ connection }: Listening): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...connection, timeout: CONNECT_MS });
    const done = (reached: boolean) => (): void => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', done(true)).once('error', done(false)).once('timeout', done(false));
  });
}
