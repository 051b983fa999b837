// Bytes of outgoing messages, written once into a buffer that is used again for every batch.
// Small values go into the buffer; big ones stay where they are and are woven in between when the chunks are taken.

const START_SIZE = 16 * 1024;
const KEEP_SIZE = 1024 * 1024; // one huge batch must not keep its memory for the life of the process
const BIG = 32 * 1024; // from here on a copy costs more than a second chunk in the same writev
const LOOP = 100; // shorter ASCII strings are quicker written byte by byte than through the native call

type Mark = { readonly at: number; readonly spliced: number; readonly splices: number };
type Splice = { readonly at: number; readonly bytes: Uint8Array };

export class ByteWriter {
  #bytes: Buffer = Buffer.allocUnsafe(START_SIZE);
  #at = 0;
  #splices: Splice[] = [];
  #spliced = 0;
  #lengthAt = 0;
  #splicedBefore = 0;

  /** Opens a message; `end` fills in its length. Messages do not nest. */
  begin(type: number): void {
    this.#reserve(5);
    this.#bytes[this.#at] = type;
    this.#lengthAt = this.#at + 1;
    this.#splicedBefore = this.#spliced;
    this.#at += 5;
  }

  end(): void {
    const length = this.#at - this.#lengthAt + this.#spliced - this.#splicedBefore;
    this.#bytes.writeInt32BE(length, this.#lengthAt);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  int16(value: number): void {
    this.#reserve(2);
    const bytes = this.#bytes;
    bytes[this.#at++] = value >>> 8;
    bytes[this.#at++] = value;
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#putInt32(value);
  }

  /** Bytes already encoded elsewhere: constant messages. */
  raw(bytes: Buffer): void {
    this.#reserve(bytes.length);
    bytes.copy(this.#bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A zero-terminated string. */
  cstring(text: string): void {
    if (text.length >= BIG) {
      this.#splice(Buffer.from(text));
      this.byte(0);
      return;
    }
    this.#reserve(text.length * 3 + 1);
    this.#at += this.#put(text, this.#at);
    this.#bytes[this.#at++] = 0;
  }

  /** A string preceded by the count of its UTF-8 bytes. */
  sizedText(text: string): void {
    if (text.length >= BIG) {
      this.sizedBytes(Buffer.from(text));
      return;
    }
    this.#reserve(text.length * 3 + 4);
    const length = this.#put(text, this.#at + 4);
    this.#putInt32(length);
    this.#at += length;
  }

  sizedBytes(bytes: Uint8Array): void {
    this.int32(bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length >= BIG) {
      this.#splice(bytes);
      return;
    }
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Where the writer stands, to come back to. */
  mark(): Mark {
    return { at: this.#at, spliced: this.#spliced, splices: this.#splices.length };
  }

  /** Forgets what was written since the mark. */
  rewind({ at, spliced, splices }: Mark): void {
    this.#at = at;
    this.#spliced = spliced;
    this.#splices.length = splices;
  }

  /** What was written, in order, in memory of its own (big values: in the caller's). */
  take(): readonly Uint8Array[] {
    const written = Buffer.allocUnsafe(this.#at);
    this.#bytes.copy(written, 0, 0, this.#at);
    const chunks = this.#woven(written);
    this.#drop();
    return chunks;
  }

  /** What was written, as `take` has it, in the writer's own memory; `send` says whether that is free when it returns. */
  lend(send: (chunks: readonly Uint8Array[]) => boolean): void {
    if (!send(this.#woven(this.#bytes.subarray(0, this.#at)))) this.#bytes = Buffer.allocUnsafe(START_SIZE);
    this.#drop();
  }

  #woven(written: Buffer): readonly Uint8Array[] {
    if (this.#splices.length === 0) return [written];
    const chunks: Uint8Array[] = [];
    let from = 0;
    for (const { at, bytes } of this.#splices) {
      chunks.push(written.subarray(from, at), bytes);
      from = at;
    }
    if (from < written.length) chunks.push(written.subarray(from));
    return chunks;
  }

  #drop(): void {
    this.#at = 0;
    this.#spliced = 0;
    if (this.#splices.length > 0) this.#splices = [];
    if (this.#bytes.length > KEEP_SIZE) this.#bytes = Buffer.allocUnsafe(START_SIZE);
  }

  #put(text: string, at: number): number {
    const length = text.length;
    if (length > LOOP) return this.#bytes.write(text, at);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return bytes.write(text, at);
      bytes[at + i] = code;
    }
    return length;
  }

  #putInt32(value: number): void {
    const bytes = this.#bytes;
    bytes[this.#at++] = value >>> 24;
    bytes[this.#at++] = value >>> 16;
    bytes[this.#at++] = value >>> 8;
    bytes[this.#at++] = value;
  }

  #splice(bytes: Uint8Array): void {
    this.#splices.push({ at: this.#at, bytes });
    this.#spliced += bytes.length;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
}
