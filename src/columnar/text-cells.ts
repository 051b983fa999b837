// Texts of an Arrow column: copied as they are, since both sides write UTF-8. A database without an encoding (SQL_ASCII) may hold what is none, which strict
// readers refuse together with all else in the batch: there, what cannot be read is replaced, as in other formats.

import { isUtf8 } from 'node:buffer';
import { type Decode, VariableCells } from './variable-cells.ts';

/** Shorter cells are quicker copied in a loop than by the native call. */
const LOOP = 48;

const copyInto: Decode = (target, at, bytes, from, to) => {
  const end = at + to - from;
  if (to - from > LOOP) bytes.copy(target, at, from, to);
  else for (let i = from, place = at; i < to; i++, place++) target[place] = bytes[i] as number;
  return end;
};

export class TextCells extends VariableCells {
  constructor() {
    super(copyInto);
  }

  override buffers(): readonly Uint8Array[] {
    return this.#isText() ? super.buffers() : this.#mended();
  }

  /** Together, and each by itself: none begins in the midst of a letter that the one before has begun. */
  #isText(): boolean {
    const { data, offsets } = this;
    if (!isUtf8(data.written())) return false;
    for (let at = 0; at < offsets.at; at += 4) {
      const start = offsets.view.getInt32(at, true);
      if (start < data.at && ((data.bytes[start] as number) & 0xc0) === 0x80) return false;
    }
    return true;
  }

  #mended(): readonly Uint8Array[] {
    const { data, offsets } = this;
    const starts = Buffer.alloc(offsets.at);
    const texts: Buffer[] = [];
    let end = 0;
    for (let at = 4; at < offsets.at; at += 4) {
      const text = Buffer.from(
        data.bytes.toString('utf8', offsets.view.getInt32(at - 4, true), offsets.view.getInt32(at, true)),
      );
      texts.push(text);
      end += text.length;
      starts.writeInt32LE(end, at);
    }
    return [starts, Buffer.concat(texts)];
  }
}
