// Chunks as the socket cut them → whole messages, one call each.
//
// A message inside one chunk is handed on as a view of it. One that spans chunks is copied once into a buffer of its exact size, so a
// row of fifty megabytes costs fifty megabytes and not their square. Where a chunk does not last, its views do not last either, but for
// those of COPY data, which are always kept: whoever keeps others copies them. Most are not kept, and a copy of all of them had the
// memory of 64 kB collected for each chunk.

/** `bytes` from `start` to `end` is the body, without type and length. It may be written over after the call, unless it is of COPY data. */
export type OnMessage = (type: number, bytes: Buffer, start: number, end: number) => void;

/** Messages of rows that follow each other, from the head of the first to the end of the last. `lasting`: nobody writes over them. */
export type OnRows = (bytes: Buffer, start: number, end: number, lasting: boolean) => void;

const DATA_ROW = 0x44;
const COPY_DATA = 0x64;
/** Type and length. */
export const HEADER = 5;
const MAX_BODY = 0x4000_0000; // PostgreSQL makes no message beyond 1 GB: a longer one is not PostgreSQL speaking

export class MessageFrames {
  readonly #onMessage: OnMessage;
  readonly #onRows: OnRows | undefined;
  readonly #header: Buffer = Buffer.alloc(HEADER);
  #headerFilled = 0;
  #type = 0;
  #body: Buffer | null = null;
  #bodyFilled = 0;

  /** `onRows` left out: rows are messages as all others. */
  constructor(onMessage: OnMessage, onRows?: OnRows) {
    this.#onMessage = onMessage;
    this.#onRows = onRows;
  }

  /** `lasting`: the chunk stays as it is. Throws when the bytes cannot be a message; the connection is then of no more use. */
  feed(chunk: Buffer, lasting: boolean): void {
    const at = this.#body === null ? this.#continueHeader(chunk) : this.#continueBody(chunk, 0);
    const end = this.#handOn(chunk, at, lasting);
    // What is begun is copied where it will stand in any case.
    const left = chunk.length - end;
    if (left >= HEADER) {
      this.#begin(chunk[end] ?? 0, bodyLength(chunk, end));
      this.#continueBody(chunk, end + HEADER);
    } else if (left > 0) {
      chunk.copy(this.#header, 0, end);
      this.#headerFilled = left;
    }
  }

  /** All messages of which nothing is missing. Returns where the last of them ends. */
  #handOn(bytes: Buffer, from: number, lasting: boolean): number {
    let at = from;
    while (bytes.length - at >= HEADER) {
      let end = endOfMessage(bytes, at);
      if (end > bytes.length) break;
      const type = bytes[at] ?? 0;
      if (type === DATA_ROW && this.#onRows !== undefined) {
        end = endOfRun(bytes, end, DATA_ROW);
        this.#onRows(bytes, at, end, lasting);
      } else if (type === COPY_DATA && !lasting) {
        end = endOfRun(bytes, end, COPY_DATA);
        this.#handOn(copyOf(bytes, at, end), 0, true);
      } else this.#onMessage(type, bytes, at + HEADER, end);
      at = end;
    }
    return at;
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

/** Of the one that begins at this place. */
export function endOfMessage(bytes: Buffer, at: number): number {
  return at + HEADER + bodyLength(bytes, at);
}

/** Of whole messages of one type that follow each other. Of large answers nearly every message is one of these: each is looked at once. */
function endOfRun(bytes: Buffer, from: number, type: number): number {
  const last = bytes.length - HEADER;
  let end = from;
  while (end <= last && bytes[end] === type) {
    const next = endOfMessage(bytes, end);
    if (next > bytes.length) break;
    end = next;
  }
  return end;
}

export function copyOf(bytes: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafe(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}

function bodyLength(bytes: Buffer, at: number): number {
  // Byte by byte: half of the time of `readInt32BE`, which checks what is known here.
  const length =
    (((bytes[at + 1] as number) << 24) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 8) |
      (bytes[at + 4] as number)) -
    4;
  if (length < 0 || length > MAX_BODY) throw new Error(`not a message of the PostgreSQL protocol (length ${length})`);
  return length;
}
