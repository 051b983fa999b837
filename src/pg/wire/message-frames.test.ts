import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MessageFrames } from './message-frames.ts';

type Message = readonly [type: number, body: Uint8Array];

function encode(messages: readonly Message[]): Buffer {
  return Buffer.concat(
    messages.map(([type, body]) => {
      const head = Buffer.alloc(5);
      head[0] = type;
      head.writeInt32BE(body.length + 4, 1);
      return Buffer.concat([head, body]);
    }),
  );
}

const COPY_DATA = 0x64;

/** Views that last are looked at only at the end, when every chunk that does not last has been written over. */
function decode(bytes: Buffer, cuts: readonly number[], lasting: boolean): Message[] {
  const kept: (() => Message)[] = [];
  const frames = new MessageFrames((type, chunk, start, end) => {
    const look = (): Message => [type, Uint8Array.from(chunk.subarray(start, end))];
    if (lasting || type === COPY_DATA) kept.push(look);
    else {
      const seen = look();
      kept.push(() => seen);
    }
  });
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    const chunk = Buffer.from(bytes.subarray(from, end));
    frames.feed(chunk, lasting);
    if (!lasting) chunk.fill(0xee);
    from = end;
  }
  return kept.map((look) => look());
}

describe('messages', () => {
  const message = fc.tuple(
    fc.oneof(fc.integer({ min: 1, max: 255 }), fc.constant(COPY_DATA)),
    fc.uint8Array({ maxLength: 40 }),
  );

  test.each([[true], [false]])('come out as they went in, however they are cut (chunks that last: %s)', (lasting) => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 20 }), (messages, cuts) => {
        expect(decode(encode(messages), cuts, lasting)).toEqual(messages);
      }),
    );
  });

  test.each([
    ['a length that is none', [0x44, 0, 0, 0, 3]],
    ['a length nobody sends', [0x44, 0x7f, 0xff, 0xff, 0xff]],
  ])('with %s are refused', (_, bytes) => {
    const frames = new MessageFrames(() => {});
    expect(() => frames.feed(Buffer.from(bytes), true)).toThrow('not a message of the PostgreSQL protocol');
  });
});
