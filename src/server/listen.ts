// Opens a server on an address of the settings, and closes it without cutting anyone off.

import cluster from 'node:cluster';
import { chmod, lstat, unlink } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { closeStalled } from '../http/close-stalled.ts';
import type { MemoryBudget } from '../http/memory-budget.ts';
import { attachPlainFront, type PlainFront, type PlainFrontOptions } from '../http/plain/plain-front.ts';
import { SpelledResponse } from '../http/spelled-response.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { answerConnect, answerOdd, type OddMethods, oddRequest } from './odd-methods.ts';

export type ListenAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string; readonly mode: number };

export type Listening = {
  /** A URL, or the path of the socket file. */
  readonly address: string;
  readonly port: number | undefined;
  /** How to reach it from this machine. */
  readonly connection: { readonly path: string } | { readonly host: string; readonly port: number };
  /** New connections are refused at once; requests under way are finished, up to the deadline. */
  close(deadlineMs: number): Promise<void>;
};

export type ListenError = { readonly message: string };

export type ListenOptions = {
  /** How long a request may take to arrive, body included. */
  readonly requestTimeoutMs?: number;
  /** How long a client may take nothing of its answer, or send nothing of its request. */
  readonly stalledMs?: number;
  /** Requests that may take as long as `requestTimeoutMs`; others have the usual time. */
  readonly isUpload?: (request: IncomingMessage) => boolean;
  /** Among workers: this one's alone, and not all of theirs. */
  readonly exclusive?: boolean;
  /** Answers ordinary requests without Node's request and response objects. */
  readonly plain?: Omit<PlainFrontOptions, 'idleMs' | 'stalledMs'> | undefined;
  /** Counts what clients have not taken yet. */
  readonly budget?: MemoryBudget | undefined;
  /** Answers requests whose method Node does not know; without it they are broken requests. */
  readonly odd?: OddMethods;
};

const KEEP_ALIVE_MS = 65_000;
const REQUEST_MS = 300_000;
const STALLED_MS = 60_000;
/** How long those have to ask that connected just before we stopped listening. */
const LATECOMERS_MS = 100;

export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  at: ListenAddress,
  {
    requestTimeoutMs = REQUEST_MS,
    stalledMs = STALLED_MS,
    isUpload,
    plain,
    odd,
    exclusive = false,
    budget,
  }: ListenOptions = {},
): Promise<Result<Listening, ListenError>> {
  const server = createServer(
    {
      ServerResponse: SpelledResponse,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: requestTimeoutMs,
      headersTimeout: 60_000,
      maxHeaderSize: 65_536,
    },
    handler,
  );
  const front =
    plain === undefined ? undefined : attachPlainFront(server, { ...plain, idleMs: KEEP_ALIVE_MS, stalledMs });
  // After the front, which takes the place of everybody who listens for connections.
  budget?.watch(server);
  closeStalled(server, { stalledMs, bodyMs: REQUEST_MS, ...(isUpload === undefined ? {} : { isUpload }) });
  // A target or header that Node refuses never becomes a request; without this it would only be a reset connection.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const request = odd === undefined ? undefined : oddRequest(error);
    if (odd !== undefined && request !== undefined) {
      answerOdd(socket, request, odd);
      return;
    }
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  if (odd !== undefined) answerConnect(server, odd);
  // Among workers the primary has done so, and what is there now is theirs.
  if (at.kind === 'socket' && !cluster.isWorker) await removeStaleSocket(at.path);
  const opened = await open(server, at, exclusive);
  if (!opened.ok) return opened;
  if (at.kind === 'socket') await chmod(at.path, at.mode);
  const info = server.address();
  const port = info !== null && typeof info === 'object' ? info.port : undefined;
  return ok({
    address: at.kind === 'socket' ? at.path : urlOf(server.address() as AddressInfo, at.host),
    port,
    connection: at.kind === 'socket' ? { path: at.path } : { host: localHost(at.host), port: port ?? 0 },
    close: (deadlineMs) => close(server, front, deadlineMs),
  });
}

function open(server: Server, at: ListenAddress, exclusive: boolean): Promise<Result<void, ListenError>> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => resolve(err({ message: complaint(error, at) }));
    server.once('error', onError);
    const onListening = (): void => {
      server.off('error', onError);
      resolve(ok(undefined));
    };
    if (at.kind === 'socket') server.listen(at.path, onListening);
    else server.listen({ port: at.port, exclusive, ...hostOptions(at.host) }, onListening);
  });
}

/** Whether an address could be listened on now, found by doing so for a moment; nothing is accepted. */
export async function probeAddress(at: ListenAddress): Promise<Result<void, ListenError>> {
  if (at.kind === 'socket') await removeStaleSocket(at.path);
  const server = createServer();
  const opened = await open(server, at, true);
  if (opened.ok) await new Promise<void>((resolve) => server.close(() => resolve()));
  return opened;
}

/** The model's words for "every address": `!4` is IPv4 alone, `*4` IPv4 first, and so for 6. */
function hostOptions(host: string): { host?: string; ipv6Only?: boolean } {
  switch (host) {
    case '*':
    case '*6':
      return { host: '::' };
    case '*4':
    case '!4':
      return { host: '0.0.0.0' };
    case '!6':
      return { host: '::', ipv6Only: true };
    default:
      return { host };
  }
}

function complaint(error: NodeJS.ErrnoException, at: ListenAddress): string {
  const where = at.kind === 'socket' ? at.path : `port ${at.port}${/^[*!]/.test(at.host) ? '' : ` of ${at.host}`}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `${where} is in use by another program: stop that one, or choose another`;
    case 'EACCES':
      return `${where} may not be used by this account: choose a port above 1023, or a folder that can be written to`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${where} is no address of this machine`;
    default:
      return `${where} cannot be listened on: ${error.message}`;
  }
}

/** A socket file that a stopped program left behind. Anything else of that name, or one that somebody answers on, stays. */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() === true && (await isAbandoned(path))) await unlink(path);
}

function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}

/** An address that is every address is reached on this machine's own. */
function localHost(host: string): string {
  if (host === '*6' || host === '!6' || host === '::') return '::1';
  return /^[*!]|^0\.0\.0\.0$/.test(host) ? '127.0.0.1' : host;
}

function urlOf(info: AddressInfo, host: string): string {
  const shown = /^[*!]|^0\.0\.0\.0$|^::$/.test(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${info.port}`;
}

/**
 * Connections that the kernel has taken and we have not yet, or whose request we have not yet read, would be reset by closing. So we stop
 * listening at a moment when nothing waits to be read, and give those that came last a while to ask; what they are answered ends them.
 */
async function close(server: Server, front: PlainFront | undefined, deadlineMs: number): Promise<void> {
  await nothingWaits();
  const ended = new Promise<void>((resolve) => {
    // Node's own way of closing an HTTP server takes idle connections with it, and a new one counts as idle.
    NetServer.prototype.close.call(server, () => resolve());
  });
  if (!(await isOver(ended, LATECOMERS_MS))) await nothingWaits();
  const deadline = setTimeout(() => {
    server.closeAllConnections();
    front?.destroy();
  }, deadlineMs);
  server.close();
  front?.finish();
  await ended;
  clearTimeout(deadline);
}

/** Resolves right after a turn of the event loop that was too short to have had anything to do; of a busy one after so many turns. */
async function nothingWaits(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    const began = performance.now();
    await setImmediate();
    if (performance.now() - began < 0.2) return;
  }
}

const isOver = (ended: Promise<void>, ms: number): Promise<boolean> =>
  Promise.race([ended.then(() => true), sleep(ms, false)]);
