// One listener of a live stream: a readable stream into which events are pushed, with a bound on what waits for a slow client.

import { Readable } from 'node:stream';

export class LiveListener extends Readable {
  /** What it was given when it came counts for nothing: it is as large as the rows are. */
  #given = 0;

  constructor(first: Buffer) {
    super({ read: () => {}, highWaterMark: 16 * 1024 });
    this.give(first);
  }

  /** Whatever its size. */
  give(bytes: Buffer): void {
    this.#given = this.readableLength + bytes.length;
    if (!this.destroyed) this.push(bytes);
  }

  /** False: more than `most` bytes wait for the client. */
  tell(bytes: Buffer, most: number): boolean {
    if (this.destroyed) return true;
    this.push(bytes);
    const waiting = this.readableLength;
    if (waiting < this.#given) this.#given = waiting;
    return waiting <= most + this.#given;
  }

  end(bytes: Buffer): void {
    if (this.destroyed) return;
    this.push(bytes);
    this.push(null);
  }
}
