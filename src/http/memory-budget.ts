// A budget for the memory of requests and answers under way (`server-max-memory`), over all servers of the process: bodies that are being read, and
// answers that clients have not taken yet. Beyond it answers wait on disk, and whoever brings a body waits for room, for a bounded time.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpReply } from './http-message.ts';
import { SpooledStream, spoolHasRoom } from './spooled-stream.ts';

export type MemoryStats = {
  readonly limit: number;
  readonly held: number;
  readonly onDisk: number;
  readonly refused: number;
};

/** Smaller answers are not worth the disk. */
const SMALL = 64 * 1024;
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;
/** The sum over all connections is not made more often than this. */
const FRESH_MS = 5;

export class MemoryBudget {
  readonly #limit: number;
  readonly #patienceMs: number;
  readonly #sockets = new Set<Socket>();
  #bodies = 0;
  #unsent = 0;
  #summedAt = Number.NEGATIVE_INFINITY;
  #line: Promise<unknown> = Promise.resolve();
  #onDisk = 0;
  #refused = 0;

  constructor(limit: number, patienceMs: number = PATIENCE_MS) {
    this.#limit = limit;
    this.#patienceMs = patienceMs;
  }

  /** What its clients have not taken is counted from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  get hasRoom(): boolean {
    return this.#fits(0);
  }

  stats(): MemoryStats {
    return { limit: this.#limit, held: this.#held(), onDisk: this.#onDisk, refused: this.#refused };
  }

  /**
   * Room for so much, as soon as there is some; false: there was none for as long as one waits. Who came first is first. What is larger than
   * the whole budget gets through when nothing else is held. To be given back.
   */
  async take(bytes: number, isWanted: () => boolean = () => true): Promise<boolean> {
    if (this.#fits(bytes) && bytes <= SMALL) {
      this.#bodies += bytes;
      return true;
    }
    const until = performance.now() + this.#patienceMs;
    const mine = this.#line.then(async () => {
      while (!this.#fits(bytes)) {
        if (performance.now() >= until || !isWanted()) {
          this.#refused += 1;
          return false;
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      this.#bodies += bytes;
      return true;
    });
    this.#line = mine;
    return mine;
  }

  /** Room for so much more of what is being read, if there is some now. To be given back. */
  grow(bytes: number): boolean {
    if (!this.#fits(bytes)) {
      this.#refused += 1;
      return false;
    }
    this.#bodies += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bodies -= bytes;
  }

  /** The answer as it may be written: as it is, or lying on disk where there is no room for it. Undefined: there is none there either. */
  fit(reply: HttpReply): HttpReply | undefined {
    const { body } = reply;
    if (body === undefined || body.length <= SMALL || this.#fits(body.length)) {
      // Several may be written before the next sum is made.
      if (body !== undefined && body.length > SMALL) this.#unsent += body.length;
      return reply;
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
    if (!spoolHasRoom(bytes.length)) {
      this.#refused += 1;
      return undefined;
    }
    this.#onDisk += 1;
    const stream = new SpooledStream(SPOOL);
    stream.finish(bytes).catch((error: unknown) => {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    });
    const { body: _, onSent: __, ...head } = reply;
    const hasLength = head.headers.some(([name]) => name.toLowerCase() === 'content-length');
    const headers = hasLength ? head.headers : [...head.headers, ['Content-Length', String(bytes.length)] as const];
    return { ...head, headers, stream };
  }

  #fits(bytes: number): boolean {
    const held = this.#held();
    return held + bytes <= this.#limit || held === 0;
  }

  #held(): number {
    const now = performance.now();
    if (now - this.#summedAt > FRESH_MS) {
      this.#summedAt = now;
      this.#unsent = 0;
      for (const socket of this.#sockets) this.#unsent += socket.writableLength;
    }
    return this.#unsent + this.#bodies;
  }
}

/** Nothing is held in memory but what is on its way. */
const SPOOL = { memory: 0, file: 2 ** 31, disk: Number.POSITIVE_INFINITY, stalledMs: 60_000 };
