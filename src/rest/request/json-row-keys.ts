// The keys of the rows in a JSON body: those of the first row, and whether the others have the same ones, in any order.
// A row that follows the first one's order is compared byte by byte and allocates nothing.

import { type JsonText, stringEnd } from './json-text.ts';
import { LIMITS } from './limits.ts';

const QUOTE = 0x22;

/** Gathers the keys of the first row and holds the others against them. */
export class RowKeys {
  private readonly text: JsonText;
  private readonly bytes: Uint8Array;
  /** Of the first row, by place: where the key's bytes are, and which of `names` it is. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly nameOf: number[] = [];
  private readonly names = new Map<string, number>();
  private row = 0;
  /** Place of the next key as long as the row follows the first one's order, -1 when it left it. */
  private place = 0;
  /** By name: the last row that had it; used only by rows that left the order. */
  private lastSeen: Int32Array = new Int32Array(0);
  private seen = 0;
  private differ = false;
  /** The first row has more keys than are looked at; those are enough to say so. */
  private overflows = false;

  constructor(text: JsonText) {
    this.text = text;
    this.bytes = text.bytes;
  }

  beginRow(): void {
    this.row++;
    this.place = 0;
    if (this.row === 2) this.lastSeen = new Int32Array(this.names.size);
  }

  /** Reads a key whose first byte is at `at`; where it ends, or -1. */
  key(at: number): number {
    if (this.row > 1 && this.place >= 0) {
      const end = this.sameKey(at, this.place);
      if (end > 0) {
        this.place++;
        return end;
      }
      this.leaveOrder();
    }
    const end = stringEnd(this.text, at);
    if (end > 0 && !this.differ && !this.overflows) this.take(at, end - 1);
    return end;
  }

  endRow(): void {
    if (this.row <= 1 || this.differ || this.overflows) return;
    if (this.place === this.starts.length) return;
    this.leaveOrder();
    if (this.seen !== this.names.size) this.differ = true;
  }

  notAnObject(): void {
    this.differ = true;
  }

  get tooMany(): boolean {
    return this.overflows;
  }

  /** The first row's, each once; undefined when the rows differ. Of too many, some. */
  keys(): readonly string[] | undefined {
    return this.differ ? undefined : [...this.names.keys()];
  }

  private sameKey(at: number, place: number): number {
    const { bytes } = this;
    const start = this.starts[place];
    if (start === undefined) return -1;
    const end = this.ends[place] as number;
    let here = at;
    for (let there = start; there < end; there++, here++) {
      if (bytes[here] !== bytes[there]) return -1;
    }
    return bytes[here] === QUOTE ? here + 1 : -1;
  }

  /** From here on the row's keys are counted by name. */
  private leaveOrder(): void {
    if (this.place < 0) return;
    const followed = this.place;
    this.place = -1;
    this.seen = 0;
    for (let place = 0; place < followed; place++) this.count(this.nameOf[place] as number);
  }

  private take(start: number, end: number): void {
    const name = keyText(this.bytes, start, end);
    const index = this.names.get(name);
    if (this.row > 1) {
      if (index === undefined) this.differ = true;
      else this.count(index);
      return;
    }
    this.starts.push(start);
    this.ends.push(end);
    this.nameOf.push(index ?? this.names.size);
    if (index === undefined) this.names.set(name, this.names.size);
    this.overflows = this.starts.length > LIMITS.bodyKeys.most;
  }

  private count(index: number): void {
    if (this.lastSeen[index] === this.row) return;
    this.lastSeen[index] = this.row;
    this.seen++;
  }
}

export function keyText(bytes: Uint8Array, start: number, end: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text;
}
