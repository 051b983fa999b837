// One connection as long as its client sends plain requests, one after the other: read, answered, written, with none of
// the stream objects that Node makes for each. At the first request that is not plain, Node gets the connection for good.

import type { Socket } from 'node:net';
import type { CancelSignal } from '../../pg/driver.ts';
import type { HttpReply, HttpRequest } from '../http-message.ts';
import { httpDate } from './http-date.ts';
import { plainReply } from './plain-reply.ts';
import { readPlainRequest } from './read-plain-request.ts';
import { writeChunked } from './write-chunked.ts';

type PlainClient = {
  readonly signal: CancelSignal;
  readonly remoteAddress: string | undefined;
  readonly httpVersion: string;
};

/** Undefined: not for this service; Node's way is taken. */
export type PlainHandler = (request: HttpRequest, client: PlainClient) => Promise<HttpReply> | undefined;

export type PlainHooks = {
  readonly handle: PlainHandler;
  /** Gives the socket, with the bytes read and not used, to Node's HTTP server. */
  readonly handOver: (socket: Socket, unread: Buffer) => void;
  readonly onFailure: (cause: unknown) => void;
  readonly onEnd: (connection: PlainConnection) => void;
  readonly now: () => number;
  /** The reply as there is room for it. */
  readonly fit?: ((reply: HttpReply) => HttpReply) | undefined;
  /** A client that takes nothing of its answer for so long is given up. */
  readonly stalledMs: number;
};

/** What a client may send ahead while its request is being answered, before it is made to wait. */
const MAX_AHEAD = 65_536;
const FAREWELL_MS = 500;
const FAILED: HttpReply = { status: 500, headers: [['Content-Length', '0']] };

/** Room for one answer of ordinary size. All connections share it: a written answer is the system's before the next is made. */
const OUTGOING = 32 * 1024;
let outgoing: Buffer = Buffer.allocUnsafeSlow(OUTGOING);

/** It is the signal of its own requests: a client that is gone does not come back on the same connection. */
export class PlainConnection implements CancelSignal, PlainClient {
  aborted = false;
  readonly remoteAddress: string | undefined;
  readonly httpVersion = '1.1';
  idleSince: number;
  readonly #socket: Socket;
  readonly #hooks: PlainHooks;
  #onAbort: (() => void) | undefined;
  #isBusy = false;
  #isLast = false;
  #ahead: Buffer | undefined;

  constructor(socket: Socket, hooks: PlainHooks) {
    this.#socket = socket;
    this.#hooks = hooks;
    this.remoteAddress = socket.remoteAddress;
    this.idleSince = hooks.now();
    socket.on('data', this.#onData).on('end', this.#onHalfClose).on('close', this.#onClose).on('error', ignore);
  }

  get signal(): CancelSignal {
    return this;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#onAbort !== undefined) throw new Error('one batch at a time waits for a client');
    this.#onAbort = listener;
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#onAbort === listener) this.#onAbort = undefined;
  }

  /**
   * Ends the connection with the next answer. One that has been quiet ends at once; one that was just used gets a moment,
   * because its next request may be on its way and would meet a closed door.
   */
  finish(): void {
    this.#isLast = true;
    if (this.#isBusy) return;
    if (this.#hooks.now() - this.idleSince > FAREWELL_MS) this.#socket.end();
    else
      setTimeout(() => {
        if (!this.#isBusy) this.#socket.end();
      }, FAREWELL_MS);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#isBusy) {
      this.#take(chunk);
      return;
    }
    this.#ahead = this.#ahead === undefined ? chunk : Buffer.concat([this.#ahead, chunk]);
    if (this.#ahead.length > MAX_AHEAD) this.#socket.pause();
  };

  #take(chunk: Buffer): void {
    const request = readPlainRequest(chunk);
    const answer = request === undefined ? undefined : this.#hooks.handle(request, this);
    if (request === undefined || answer === undefined) {
      this.#leave();
      this.#hooks.handOver(this.#socket, chunk);
      return;
    }
    this.#isBusy = true;
    const isHead = request.method === 'HEAD';
    answer.then(
      (reply) => this.#write(this.#hooks.fit === undefined ? reply : this.#hooks.fit(reply), isHead),
      (cause: unknown) => this.#fail(cause, isHead),
    );
  }

  #write(reply: HttpReply, isHead: boolean): void {
    if (this.aborted) {
      reply.stream?.destroy();
      return;
    }
    const now = this.#hooks.now();
    let chunks: readonly Uint8Array[];
    try {
      chunks = plainReply(reply, { isHead, isLast: this.#isLast, date: httpDate(now) }, outgoing);
    } catch (cause) {
      this.#fail(cause, isHead);
      return;
    }
    const [head, body] = chunks;
    if (reply.stream !== undefined && head !== undefined) {
      this.#writeStream(head, reply);
      return;
    }
    let flows = true;
    if (head !== undefined && body === undefined) {
      flows = this.#socket.write(head);
      // What the system did not take at once is still to be read from there.
      if (this.#socket.writableLength > 0) outgoing = Buffer.allocUnsafeSlow(OUTGOING);
    } else if (head !== undefined && body !== undefined) {
      this.#socket.cork();
      this.#socket.write(head);
      flows = this.#socket.write(body);
      this.#socket.uncork();
    }
    this.idleSince = now;
    if (body === undefined || this.#socket.writableLength === 0) reply.onSent?.();
    // A stream calls itself full by the length of what it was given, also where the system has taken all of it at once.
    if ((flows || this.#socket.writableLength === 0) && !this.#isLast) {
      this.#next();
      return;
    }
    // Starts anew with every byte that leaves.
    this.#socket.setTimeout(this.#hooks.stalledMs, this.#onStalled);
    if (this.#isLast) this.#socket.end();
    // A client that does not read its answers gets no further ones.
    else this.#socket.once('drain', this.#onDrain);
  }

  #writeStream(head: Uint8Array, { headers, stream }: HttpReply): void {
    if (stream === undefined) return;
    const hasLength = headers.some(([name]) => name.length === 14 && name.toLowerCase() === 'content-length');
    // A copy: the buffer is the next answer's when this one has only begun.
    this.#socket.write(Buffer.from(head));
    writeChunked(stream, this.#socket, { stalledMs: this.#hooks.stalledMs, hasLength }, () => {
      this.idleSince = this.#hooks.now();
      if (this.#isLast) this.#socket.end();
      else this.#next();
    });
  }

  readonly #onStalled = (): void => {
    this.#socket.destroy();
  };

  readonly #onDrain = (): void => {
    this.#socket.setTimeout(0, this.#onStalled);
    this.#next();
  };

  #next(): void {
    this.#isBusy = false;
    const ahead = this.#ahead;
    if (ahead === undefined) return;
    this.#ahead = undefined;
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#take(ahead);
  }

  #fail(cause: unknown, isHead: boolean): void {
    this.#hooks.onFailure(cause);
    this.#isLast = true;
    this.#write(FAILED, isHead);
  }

  readonly #onHalfClose = (): void => {
    // As in Node's own server: who hangs up does not wait for an answer.
    if (this.#isBusy) this.#socket.destroy();
    else this.#socket.end();
  };

  readonly #onClose = (): void => {
    this.aborted = true;
    this.#hooks.onEnd(this);
    this.#onAbort?.();
  };

  #leave(): void {
    this.#socket
      .off('data', this.#onData)
      .off('end', this.#onHalfClose)
      .off('close', this.#onClose)
      .off('error', ignore);
    this.#hooks.onEnd(this);
  }
}

function ignore(): void {
  // An error of the socket is followed by its close.
}
