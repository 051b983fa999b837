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

describe('a value', () => {
  const START = 16 * 1024;
  const int16 = (value: number): string => String.fromCharCode(value >> 8, value & 255);
  const VALUES: Readonly<Record<string, readonly [(writer: ByteWriter) => void, string]>> = {
    byte: [(writer) => writer.byte(7), '\x07'],
    int16: [(writer) => writer.int16(0x0102), int16(0x0102)],
    int32: [(writer) => writer.int32(-2), '\xff\xff\xff\xfe'],
    raw: [(writer) => writer.raw(Buffer.from('raw')), 'raw'],
    cstring: [(writer) => writer.cstring('häé'), 'h\xc3\xa4\xc3\xa9\0'],
    sizedText: [(writer) => writer.sizedText('€'), '\0\0\0\x03\xe2\x82\xac'],
    sizedBytes: [(writer) => writer.sizedBytes(Buffer.from('abc')), '\0\0\0\x03abc'],
    message: [
      (writer) => {
        writer.begin(0x51);
        writer.end();
      },
      'Q\0\0\0\x04',
    ],
  };

  test.each(Object.entries(VALUES))('of kind %s is written whole wherever the memory ends', (_kind, [write, bytes]) => {
    for (let room = 0; room <= bytes.length; room++) {
      const writer = new ByteWriter();
      writer.raw(Buffer.alloc(START - room, '.'));
      write(writer);
      expect(text(writer.take())).toBe('.'.repeat(START - room) + bytes);
    }
  });

  test('of any character is UTF-8, short or long', () => {
    for (const char of ['\x7f', '\x80', 'é', '€', '🙂'])
      for (const value of [char, `a${char}`, char.repeat(200), char.repeat(40_000)]) {
        const writer = new ByteWriter();
        writer.cstring(value);
        writer.sizedText(value);
        const utf8 = Buffer.from(value);
        const size = Buffer.alloc(4);
        size.writeInt32BE(utf8.length);
        expect(Buffer.concat(writer.take()).equals(Buffer.concat([utf8, Buffer.of(0), size, utf8]))).toBe(true);
      }
  });
});
