// An HTTP client for addresses that people name, safe against server-side request forgery: hosts of the allow-list alone, addresses of
// the internet alone. The address that was looked up and checked is the one that is connected to, so a name that means another machine a
// moment later (DNS rebinding) gains nothing; redirects are judged like the first address. Size, time and the number of requests at once
// are bounded, no credentials and no cookies are sent, and nothing but GET.

import { type LookupAddress, lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { err, ok, type Result } from '../../kernel/result.ts';
import { isPublicAddress } from './public-address.ts';
import { judgeHost, type RemoteHosts } from './remote-hosts.ts';

export type RemoteAsk = {
  readonly accept: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Bytes, both ends included; a server that knows ranges answers 206. */
  readonly range?: { readonly start: number; readonly end: number };
};

export type RemoteReply = {
  readonly status: number;
  /** Without parameters, in small letters; empty: none was said. */
  readonly type: string;
  readonly body: Buffer;
  /** After redirects. */
  readonly address: URL;
};

export type RemoteFault =
  /** The address is none that may be asked. */
  | { readonly kind: 'refused'; readonly why: 'scheme' | 'credentials' | 'host' | 'private-address' | 'address' }
  | { readonly kind: 'too-large'; readonly maxBytes: number }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  | { readonly kind: 'redirects' }
  /** Too many requests at once. */
  | { readonly kind: 'busy' }
  /** It cannot be reached, or does not speak HTTP; a word about why. */
  | { readonly kind: 'unreachable'; readonly code: string };

export type RemoteFetch = {
  (address: string, ask: RemoteAsk): Promise<Result<RemoteReply, RemoteFault>>;
  readonly hosts: RemoteHosts;
  /** Ends idle connections. */
  close(): void;
};

const MAX_REDIRECTS = 3;
const MAX_ADDRESS = 8000;
const MAX_SOCKETS_PER_HOST = 8;
const MAX_AT_ONCE = 48;

export type RemoteParts = {
  readonly hosts: RemoteHosts;
  /** Finds the addresses of a name; that of the system unless a test has another. */
  readonly resolve?: Resolve;
};
export type Resolve = (host: string, done: (error: Error | null, found: readonly LookupAddress[]) => void) => void;

const systemResolve: Resolve = (host, done) => lookup(host, { all: true }, (error, found) => done(error, found ?? []));

export function makeRemoteFetch({ hosts, resolve = systemResolve }: RemoteParts): RemoteFetch {
  const limits = { keepAlive: true, maxSockets: MAX_SOCKETS_PER_HOST, maxFreeSockets: 4, timeout: 30_000 };
  // A connection that was made to an internal host is none for another: agents know them by host and port.
  const agents = { 'http:': new HttpAgent(limits), 'https:': new HttpsAgent(limits) };
  let under = 0;

  const once = (
    address: URL,
    isInternal: boolean,
    { accept, maxBytes, timeoutMs, range }: RemoteAsk,
    until: AbortSignal,
  ): Promise<Result<RemoteReply | { readonly redirect: string }, RemoteFault>> =>
    new Promise((answer) => {
      const isSecure = address.protocol === 'https:';
      const send = isSecure ? httpsRequest : httpRequest;
      const asked = send(address, {
        agent: isSecure ? agents['https:'] : agents['http:'],
        lookup: checkedLookup(resolve, isInternal),
        signal: until,
        headers: {
          Accept: accept,
          'Accept-Encoding': 'identity',
          'User-Agent': 'Survest',
          ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
        },
      });
      asked.on('error', (error) => answer(err(faultOf(error, timeoutMs))));
      asked.on('response', (reply) => {
        const { statusCode: status = 0, headers } = reply;
        if (REDIRECTS.has(status) && headers.location !== undefined) {
          reply.destroy();
          return answer(ok({ redirect: headers.location }));
        }
        collect(reply, maxBytes).then(
          (body) =>
            answer(
              body === undefined
                ? err({ kind: 'too-large', maxBytes })
                : ok({ status, type: mediaType(headers['content-type']), body, address }),
            ),
          (error: unknown) => answer(err(faultOf(error, timeoutMs))),
        );
      });
      asked.end();
    });

  const fetch = async (text: string, ask: RemoteAsk): Promise<Result<RemoteReply, RemoteFault>> => {
    if (under >= MAX_AT_ONCE) return err({ kind: 'busy' });
    under += 1;
    try {
      const until = AbortSignal.timeout(ask.timeoutMs);
      let next = text;
      let from: URL | undefined;
      for (let step = 0; step <= MAX_REDIRECTS; step++) {
        const address = parseAddress(next, from);
        if (address === undefined) return err({ kind: 'refused', why: 'address' });
        const verdict = judgeHost(address, hosts);
        if (verdict.kind === 'refused') return err(verdict);
        // A literal address is never looked up.
        const literal = address.hostname.replace(/^\[|\]$/g, '');
        if (isIP(literal) !== 0 && !verdict.isInternal && !isPublicAddress(literal))
          return err({ kind: 'refused', why: 'private-address' });
        const reply = await once(address, verdict.isInternal, ask, until);
        if (!reply.ok) return reply;
        if (!('redirect' in reply.value)) return ok(reply.value);
        next = reply.value.redirect;
        from = address;
      }
      return err({ kind: 'redirects' });
    } finally {
      under -= 1;
    }
  };
  return Object.assign(fetch, {
    hosts,
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  });
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function parseAddress(text: string, base: URL | undefined): URL | undefined {
  if (text.length > MAX_ADDRESS || !URL.canParse(text, base?.href)) return undefined;
  const address = new URL(text, base);
  address.hash = '';
  return address;
}

class PrivateAddress extends Error {}

/** A name all of whose addresses are public; the ones that were looked at are handed on to be connected to. */
function checkedLookup(resolve: Resolve, isInternal: boolean): LookupFunction {
  return (host, { all }, done) => {
    resolve(host, (error, found) => {
      const [first] = found;
      if (error !== null || first === undefined) return done(error ?? new Error('no address'), '', 4);
      if (!isInternal && !found.every(({ address }) => isPublicAddress(address)))
        return done(new PrivateAddress('the name has an address of a private network'), '', 4);
      if (all === true) done(null, [...found]);
      else done(null, first.address, first.family);
    });
  };
}

/** Undefined: it is larger. */
async function collect(reply: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  if (Number(reply.headers['content-length'] ?? 0) > maxBytes) {
    reply.destroy();
    return undefined;
  }
  for await (const part of reply as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) {
      reply.destroy();
      return undefined;
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function mediaType(header: string | undefined): string {
  return (header ?? '').slice(0, 200).split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function faultOf(error: unknown, timeoutMs: number): RemoteFault {
  if (error instanceof PrivateAddress) return { kind: 'refused', why: 'private-address' };
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return { kind: 'timeout', timeoutMs };
  return { kind: 'unreachable', code: typeof code === 'string' ? code : 'ERROR' };
}
