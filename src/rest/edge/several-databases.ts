// A router in front of several REST services, one for each database: the host of a request, or else the first segment of its path, says
// whose it is. Each service has a state, pool and caches of its own, and knows nothing of the others; here nothing is kept but their names.

import { clientAddress } from '../../http/client-address.ts';
import { corsHeaders } from '../../http/cors.ts';
import { firstHeader, type HttpReply, type HttpRequest } from '../../http/http-message.ts';
import { REQUEST_ID, requestId } from '../../http/request-id.ts';
import type { Observe } from '../../kernel/observation.ts';
import type { RestConfig } from '../config/config.ts';
import { errorReply } from '../errors/error-reply.ts';
import type { RestService } from '../lifecycle/rest-service.ts';
import type { ClientInfo } from '../pipeline/client-info.ts';
import { corsRules } from '../pipeline/cors-rules.ts';
import { underMount } from '../pipeline/under-mount.ts';
import type { RestFront } from './rest-front.ts';

type NamedService = { readonly name: string; readonly service: RestService };

export type SeveralDatabases = {
  readonly databases: readonly NamedService[];
  /** Of the program: for what is about none of them. */
  readonly config: () => RestConfig;
  readonly version: string;
  readonly observe: Observe;
  readonly now?: () => number;
};

type Chosen = NamedService & { readonly path: string; readonly mount: string | undefined };

/** Of a name that nobody has, the answer repeats no more than this. */
const SHOWN = 63;

export function severalDatabases(several: SeveralDatabases): RestFront {
  const byName = new Map(several.databases.map((named) => [named.name, named]));
  const byHost = new Map(
    several.databases.flatMap((named) =>
      named.service.state().config.serverHosts.map((host) => [host.toLowerCase(), named] as const),
    ),
  );

  function choose(path: string, host: string | undefined): Chosen | undefined {
    const own = byHost.size === 0 || host === undefined ? undefined : byHost.get(hostName(host));
    if (own !== undefined) return { ...own, path, mount: undefined };
    const name = firstSegment(path);
    const named = byName.get(name);
    if (named === undefined) return undefined;
    return { ...named, path: path.slice(name.length + 1) || '/', mount: `/${name}` };
  }

  return {
    async answer(http, client) {
      const chosen = choose(http.path, firstHeader(http.headers, 'host'));
      if (chosen === undefined) return unknownDatabase(several, http, client);
      const { service, path, mount } = chosen;
      if (mount === undefined) return service.answer(http, client);
      return underMount(await service.answer({ ...http, path, mount }, client), mount);
    },
    failed: (cause) => several.databases[0]?.service.failed(cause),
    refused: (...refusal) => several.databases[0]?.service.refused(...refusal),
    addressee(path, host) {
      const chosen = choose(path, host);
      if (chosen === undefined) return { config: several.config(), path };
      return { ...chosen.service.addressee(chosen.path), database: chosen.name };
    },
  };
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end < 0 ? undefined : end);
}

/** Without port, and without the dot that a complete name may end with. */
function hostName(host: string): string {
  const bare = host.replace(/:\d{0,5}$/, '').toLowerCase();
  return bare.endsWith('.') ? bare.slice(0, -1) : bare;
}

function unknownDatabase(
  { config, version, observe, now = Date.now }: SeveralDatabases,
  http: HttpRequest,
  client: ClientInfo,
): HttpReply {
  const settings = config();
  const id = requestId(http.headers);
  const reply = errorReply(
    { kind: 'unknown-database', name: firstSegment(http.path).slice(0, SHOWN) },
    { isAuthenticated: false, isHead: http.method === 'HEAD', retryAfterSeconds: 0, codes: settings.errorCodes },
  );
  observe({
    kind: 'request',
    id,
    service: 'rest',
    atMs: now(),
    tookMs: 0,
    remoteAddress: clientAddress(client.remoteAddress, http.headers, settings.serverTrustedProxies),
    role: undefined,
    method: http.method,
    target: http.query === '' ? http.path : `${http.path}?${http.query}`,
    httpVersion: client.httpVersion,
    status: reply.status,
    bytes: reply.body?.length,
    referer: firstHeader(http.headers, 'referer'),
    userAgent: firstHeader(http.headers, 'user-agent'),
  });
  return {
    ...reply,
    headers: [
      ...reply.headers,
      ['Server', `survest/${version}`],
      [REQUEST_ID, id],
      ...corsHeaders(http.headers, corsRules(settings)),
    ],
  };
}
