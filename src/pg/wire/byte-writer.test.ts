import { describe, expect, test } from 'vitest';
import { ByteWriter } from './byte-writer.ts';

function lent(writer: ByteWriter, isFree: boolean): readonly Uint8Array[] {
  let seen: readonly Uint8Array[] = [];
  writer.lend((chunks) => {
    seen = chunks;
    return isFree;
  });
  return seen;
}

const text = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString('latin1');

describe('what is lent', () => {
  test('is what was written, once', () => {
    const writer = new ByteWriter();
    writer.cstring('one');
    expect(text(lent(writer, true))).toBe('one\0');
    writer.cstring('two');
    expect(text(lent(writer, true))).toBe('two\0');
  });

  test('is written over when it is free, and left alone when it is not', () => {
    const writer = new ByteWriter();
    writer.cstring('one');
    const held = lent(writer, false);
    writer.cstring('two');
    const free = lent(writer, true);
    writer.cstring('six');
    expect([text(held), text(free)]).toEqual(['one\0', 'six\0']);
  });

  test('has big values in between, in their own memory', () => {
    const writer = new ByteWriter();
    const big = Buffer.alloc(40_000, 'b');
    writer.byte(0x61);
    writer.sizedBytes(big);
    writer.byte(0x63);
    const chunks = lent(writer, true);
    expect(chunks).toContain(big);
    expect(text(chunks)).toBe(`a\0\0\x9c\x40${big}c`);
  });
});

describe('a writer that is rewound', () => {
  test('has forgotten what came after the mark, big values too', () => {
    const writer = new ByteWriter();
    writer.cstring('kept');
    const mark = writer.mark();
    writer.begin(0x42);
    writer.sizedBytes(Buffer.alloc(40_000));
    writer.rewind(mark);
    writer.begin(0x43);
    writer.end();
    expect(text(writer.take())).toBe('kept\0C\0\0\0\x04');
  });
});
