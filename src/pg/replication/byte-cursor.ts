// Reads numbers and texts off a message, and never past its end: what is broken is an error, not somebody else's bytes.

export class BrokenMessage extends Error {
  constructor(what: string) {
    super(`the server sent ${what}`);
    this.name = 'BrokenMessage';
  }
}

export class ByteCursor {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get at(): number {
    return this.#at;
  }

  byte(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#take(2));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#take(8));
  }

  skip(count: number): void {
    this.#take(count);
  }

  text(length: number): string {
    const from = this.#take(length);
    return this.#bytes.toString('utf8', from, from + length);
  }

  /** A zero-terminated string. */
  cstring(): string {
    const stop = this.#bytes.indexOf(0, this.#at);
    if (stop < 0 || stop >= this.#end) throw new BrokenMessage('a text without an end');
    const text = this.#bytes.toString('utf8', this.#at, stop);
    this.#at = stop + 1;
    return text;
  }

  #take(count: number): number {
    const from = this.#at;
    if (count < 0 || from + count > this.#end) throw new BrokenMessage('a message that is cut off');
    this.#at = from + count;
    return from;
  }
}
