// `/mcp` on the portal: who asks, by a bearer token alone, and what the tools of the protocol ask in their name: the portal's own addresses, within the program,
// and the REST service. Where a client finds out how to sign its person in stands beside it (RFC 9728).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { HttpReply, HttpRequest } from '../../http/http-message.ts';
import { onlyReads } from '../../http/service-mode.ts';
import { answerMcp, fault, MCP_PATH } from '../../mcp/answer-mcp.ts';
import { type Ask, carriedHeaders, readBounded, readReply } from '../../mcp/asking.ts';
import { API_SCOPES, signAccountToken } from '../oidc/access-token.ts';
import type { BearerTokens } from '../oidc/bearer-tokens.ts';
import { MOUNT } from '../oidc/provider.ts';
import type { SigningKeys } from '../oidc/signing-keys.ts';
import type { PortalContext } from '../portal-context.ts';

export type AgentOptions = {
  /** `write` offers the tools that write. */
  readonly mode: 'read' | 'write';
  /** The REST service, under its limits for agents. */
  readonly rest: (http: HttpRequest, remoteAddress: string | undefined) => Promise<HttpReply>;
};

type AgentParts = AgentOptions & {
  readonly keys: SigningKeys;
  readonly bearer: BearerTokens;
  readonly version: string;
  /** Undefined: the portal has whatever address it is reached by. */
  readonly publicUrl: string | undefined;
};

const METADATA = '/.well-known/oauth-protected-resource';
const MAX_BODY = 2 * 1024 * 1024;
/** As long as a tool may take. */
const TOKEN_SECONDS = 60;

export async function registerAgents(app: FastifyInstance, context: PortalContext, parts: AgentParts): Promise<void> {
  const { identify, answerError, baseUrl } = context;
  const scopes = parts.mode === 'write' ? API_SCOPES : (['read'] as const);
  for (const path of [METADATA, METADATA + MCP_PATH])
    app.get(path, async (request) => ({
      resource: baseUrl(request) + MCP_PATH,
      authorization_servers: [baseUrl(request) + MOUNT],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    }));

  await app.register(async (scope) => {
    // A message is read as it came: what it says is for the protocol's library.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: MCP_PATH,
      exposeHeadRoute: false,
      async handler(request, reply) {
        // What a browser sends by itself proves nothing here.
        delete request.raw.headers.cookie;
        const isOther = request.headers.authorization !== undefined && !/^bearer /i.test(request.headers.authorization);
        if (isOther) return send(reply, challenge(request, 'invalid_token', scopes.join(' ')));
        const who = await identify(request);
        if (!who.ok) {
          if (who.error.kind === 'bad-credentials')
            return send(reply, challenge(request, 'invalid_token', scopes.join(' ')));
          return answerError(request, reply, who.error);
        }
        return send(reply, await answerAs(request, who.value));
      },
    });
  });

  function answerAs(request: FastifyRequest, caller: Caller): Promise<HttpReply> {
    const { raw, body } = request;
    const http: HttpRequest = {
      method: request.method,
      path: MCP_PATH,
      query: '',
      headers: raw.headers,
      body: Buffer.isBuffer(body) ? body : new Uint8Array(),
    };
    const isVisitor = caller.kind === 'visitor';
    const mayWrite = !isVisitor && (caller.scope ?? '').split(' ').includes('write');
    const ownOrigin = parts.publicUrl === undefined ? undefined : new URL(parts.publicUrl).origin;
    const lacks = (need: 'sign-in' | 'write'): HttpReply | undefined => {
      if (isVisitor) return challenge(request, undefined, need === 'write' ? 'read write' : 'read');
      return need === 'write' && !mayWrite ? challenge(request, 'insufficient_scope', 'read write') : undefined;
    };
    const address = baseUrl(request);
    return answerMcp(http, { ownOrigin, lacks }, () => ({
      caller: isVisitor ? 'a visitor' : caller.username,
      offersWriting: parts.mode === 'write',
      version: parts.version,
      rest: askRest(request, caller),
      portal: { ask: askPortal(request), address, isVisitor },
      tableSource: (table) => ({ portal: address, table }),
    }));
  }

  /** A request of the portal's own, as it would come from the same client. */
  function askPortal({ raw, socket }: FastifyRequest): Ask {
    return async ({ method, path, headers: own = {}, json }) => {
      const headers: Record<string, string> = {
        ...carriedHeaders(raw.headers),
        accept: 'application/json, image/png, */*',
        ...own,
      };
      const reply = await app.inject({
        method,
        url: path,
        headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
        ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
        payloadAsStream: true,
      });
      const answered = await readBounded(reply.stream());
      return { status: reply.statusCode, headers: stringHeaders(reply.headers), ...answered };
    };
  }

  /**
   * The REST service acts in the role that a token names, and one that a person gave an application for reading names none. So what a tool asks carries a token of
   * the same account, scope and sign-in, good for this message: it ends with what it was made from, and the database holds it to its scope.
   */
  function askRest(request: FastifyRequest, caller: Caller): Ask {
    let token: Promise<string | undefined> | undefined;
    return async ({ method, path, headers: own = {}, json }) => {
      const mode = context.mode();
      if (mode.kind !== 'normal' && !onlyReads(method))
        return readReply(fault(503, 'The portal is only read at the moment.'));
      token ??= restToken(request, caller);
      const bearer = await token;
      const { authorization: _, ...carried } = carriedHeaders(request.raw.headers);
      const headers = {
        ...carried,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...own,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const at = path.indexOf('?');
      const http: HttpRequest = {
        method,
        path: at < 0 ? path : path.slice(0, at),
        query: at < 0 ? '' : path.slice(at + 1),
        headers,
        body: json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json)),
      };
      return readReply(await parts.rest(http, request.socket.remoteAddress));
    };
  }

  async function restToken(request: FastifyRequest, caller: Caller): Promise<string | undefined> {
    if (caller.kind === 'visitor') return undefined;
    const claims = await parts.bearer.read((request.headers.authorization ?? '').replace(/^bearer /i, '').trim());
    if (claims === undefined) return undefined;
    return signAccountToken(parts.keys, caller, {
      issuer: `${baseUrl(request)}${MOUNT}`,
      sessionHash: claims.sessionHash,
      grantId: claims.grantId,
      nowMs: context.clock.now(),
      seconds: TOKEN_SECONDS,
      scopes: claims.mayWrite ? API_SCOPES : ['read'],
    });
  }

  function challenge(request: FastifyRequest, error: string | undefined, scope: string): HttpReply {
    const named = error === undefined ? '' : `error="${error}", `;
    const metadata = `${baseUrl(request)}${METADATA}${MCP_PATH}`;
    const value = `Bearer ${named}scope="${scope}", resource_metadata="${metadata}"`;
    return error === 'insufficient_scope'
      ? fault(403, 'This token may only read.', [['WWW-Authenticate', value]])
      : fault(401, 'Sign in first.', [['WWW-Authenticate', value]]);
  }
}

function send(reply: FastifyReply, { status, headers, body }: HttpReply): FastifyReply {
  for (const [name, value] of headers) reply.header(name, value);
  return reply.code(status).send(body);
}

function stringHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
