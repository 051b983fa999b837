// The engine as the socket of one connection, so that everything above a socket is the same for both kinds of database.
// Back-pressure goes through in both directions: COPY data in, COPY data out.

import { Duplex } from 'node:stream';
import type { Engine } from './engine.ts';

const TERMINATE = 0x58; // X
const INPUT_WINDOW = 1024 * 1024; // bytes sent and not yet used up, beyond which a writer has to wait

export class EngineSocket extends Duplex {
  readonly #engine: Engine;
  #unconsumed = 0;
  #writeDone: (() => void) | null = null;
  #untaken = 0;

  /** Takes the engine over; whoever had it before hears no more of it. */
  constructor(engine: Engine) {
    super({ allowHalfOpen: false, emitClose: true });
    this.#engine = engine;
    engine.events = {
      onOutput: (bytes) => {
        if (this.push(bytes)) engine.take(bytes.length);
        else this.#untaken += bytes.length;
      },
      onConsumed: (bytes) => {
        this.#unconsumed -= bytes;
        if (this.#unconsumed < INPUT_WINDOW) this.#finishWrite();
      },
    };
    void engine.died.then((message) => this.destroy(new Error(message)));
  }

  /** The engine cannot be interrupted, so nobody gives it up for being slow. */
  setTimeout(): this {
    return this;
  }

  override _read(): void {
    if (this.#untaken === 0) return;
    this.#engine.take(this.#untaken);
    this.#untaken = 0;
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    // The end of a connection is not the end of the engine: a goodbye stays here.
    if (chunk[0] === TERMINATE && chunk.length === 5) done();
    else this.#send(chunk, done);
  }

  override _writev(chunks: { chunk: Uint8Array }[], done: () => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    done();
    this.destroy();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // What still comes is for nobody, but the engine must not wait for a reader.
    this.#engine.events = { onOutput: (bytes) => this.#engine.take(bytes.length), onConsumed: () => {} };
    this.#engine.take(this.#untaken);
    this.#untaken = 0;
    done(error);
  }

  #send(bytes: Uint8Array, done: () => void): void {
    this.#unconsumed += bytes.length;
    this.#engine.send(bytes);
    if (this.#unconsumed < INPUT_WINDOW) done();
    else this.#writeDone = done;
  }

  #finishWrite(): void {
    const done = this.#writeDone;
    this.#writeDone = null;
    done?.();
  }
}
