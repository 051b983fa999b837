// The last events of a group, in a ring buffer of bounded size: a listener that comes back is told those it has missed.

type Kept = { readonly seq: number; readonly bytes: Buffer };

const MAX_EVENTS = 1000;

export class EventRing {
  readonly #kept: Kept[] = [];
  #bytes = 0;

  /** `most`: bytes. */
  add(seq: number, bytes: Buffer, most: number): void {
    this.#kept.push({ seq, bytes });
    this.#bytes += bytes.length;
    let drop = 0;
    while (this.#bytes > most || this.#kept.length - drop > MAX_EVENTS) {
      const oldest = this.#kept[drop];
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes.length;
      drop += 1;
    }
    if (drop > 0) this.#kept.splice(0, drop);
  }

  clear(): void {
    this.#kept.length = 0;
    this.#bytes = 0;
  }

  /** All events behind this one, `last` being the last there was; undefined: some of them are gone. */
  after(seq: number, last: number): readonly Buffer[] | undefined {
    if (seq > last) return undefined;
    if (seq === last) return [];
    const [oldest] = this.#kept;
    if (oldest === undefined || oldest.seq > seq + 1) return undefined;
    return this.#kept.filter((one) => one.seq > seq).map(({ bytes }) => bytes);
  }
}
