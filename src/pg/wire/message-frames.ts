// Chunks as the socket cut them → whole messages, one call each.
//
// A message inside one chunk is handed on as a view of it, or of a copy where the chunk does not last. One that spans chunks is copied once into a buffer of its
// exact size, so a row of fifty megabytes costs fifty megabytes and not their square.

/** `bytes` from `start` to `end` is the body, without type and length. */
export type OnMessage = (type: number, bytes: Buffer, start: number, end: number) => void;

const HEADER = 5;
const MAX_BODY = 0x4000_0000; // PostgreSQL makes no message beyond 1 GB: a longer one is not PostgreSQL speaking

export class MessageFrames {
  readonly #onMessage: OnMessage;
  readonly #header: Buffer = Buffer.alloc(HEADER);
  #headerFilled = 0;
  #type = 0;
  #body: Buffer | null = null;
  #bodyFilled = 0;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  /**
   * `lasting`: the chunk stays as it is; otherwise what is handed on is copied first. Throws when the bytes cannot be a
   * message; the connection is then of no more use.
   */
  feed(given: Buffer, lasting: boolean): void {
    let chunk = given;
    let at = this.#body === null ? this.#continueHeader(chunk) : this.#continueBody(chunk, 0);
    if (!lasting && at < chunk.length) {
      chunk = Buffer.allocUnsafe(given.length - at);
      given.copy(chunk, 0, at);
      at = 0;
    }
    const length = chunk.length;
    while (length - at >= HEADER) {
      const end = at + HEADER + bodyLength(chunk, at);
      if (end > length) {
        this.#begin(chunk[at] ?? 0, end - at - HEADER);
        at = this.#continueBody(chunk, at + HEADER);
      } else {
        this.#onMessage(chunk[at] ?? 0, chunk, at + HEADER, end);
        at = end;
      }
    }
    if (at < length) {
      chunk.copy(this.#header, 0, at);
      this.#headerFilled = length - at;
    }
  }

  /** Returns how much of the chunk was used up. */
  #continueHeader(chunk: Buffer): number {
    if (this.#headerFilled === 0) return 0;
    const used = chunk.copy(this.#header, this.#headerFilled);
    this.#headerFilled += used;
    if (this.#headerFilled < HEADER) return used;
    this.#headerFilled = 0;
    this.#begin(this.#header[0] ?? 0, bodyLength(this.#header, 0));
    return this.#continueBody(chunk, used);
  }

  #begin(type: number, length: number): void {
    this.#type = type;
    this.#body = Buffer.allocUnsafe(length);
    this.#bodyFilled = 0;
  }

  #continueBody(chunk: Buffer, from: number): number {
    const body = this.#body;
    if (body === null) return from;
    const used = chunk.copy(body, this.#bodyFilled, from);
    this.#bodyFilled += used;
    if (this.#bodyFilled === body.length) {
      this.#body = null;
      this.#onMessage(this.#type, body, 0, body.length);
    }
    return from + used;
  }
}

function bodyLength(bytes: Buffer, at: number): number {
  const length = bytes.readInt32BE(at + 1) - 4;
  if (length < 0 || length > MAX_BODY) throw new Error(`not a message of the PostgreSQL protocol (length ${length})`);
  return length;
}
