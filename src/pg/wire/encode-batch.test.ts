import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Param, Statement } from '../driver.ts';
import { encodeBatch } from './encode-batch.ts';
import { PreparedStatements } from './prepared-statements.ts';

// Reads the messages back the way the server would, from the protocol's description and not from our writer.
type Message = { readonly type: string; readonly body: Buffer };

function messages(chunks: readonly Uint8Array[]): Message[] {
  const bytes = Buffer.concat(chunks);
  const found: Message[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readInt32BE(at + 1);
    found.push({ type: bytes.toString('latin1', at, at + 1), body: bytes.subarray(at + 5, at + 1 + length) });
    at += 1 + length;
  }
  return found;
}

function types(chunks: readonly Uint8Array[]): string {
  return messages(chunks)
    .map(({ type }) => type)
    .join('');
}

type Bind = { portal: string; statement: string; formats: number[]; params: (Buffer | null)[]; results: number };

function readBind(body: Buffer): Bind {
  let at = 0;
  const cstring = (): string => {
    const end = body.indexOf(0, at);
    const text = body.toString('utf8', at, end);
    at = end + 1;
    return text;
  };
  const int16 = (): number => {
    at += 2;
    return body.readUInt16BE(at - 2);
  };
  const portal = cstring();
  const statement = cstring();
  const formats = Array.from({ length: int16() }, int16);
  const params = Array.from({ length: int16() }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length === -1) return null;
    at += length;
    return body.subarray(at - length, at);
  });
  const results = int16();
  expect(at).toBe(body.length);
  return { portal, statement, formats, params, results };
}

function binds(chunks: readonly Uint8Array[]): Bind[] {
  return messages(chunks)
    .filter(({ type }) => type === 'B')
    .map(({ body }) => readBind(body));
}

function prepare(capacity = 256): PreparedStatements {
  return new PreparedStatements(capacity, 'p_');
}

/** As if the server had parsed everything. */
function answered(prepared: PreparedStatements, chunks: readonly Uint8Array[]): void {
  for (const { type } of messages(chunks)) if (type === 'P') prepared.parseComplete();
  prepared.settle();
}

const one: Statement = { text: 'select 1', params: [], name: 'one' };
const two: Statement = { text: 'select 2', params: [], name: 'two' };
const three: Statement = { text: 'select 3', params: [], name: 'three' };

describe('the messages of a batch', () => {
  test('an empty batch is a Sync', () => {
    expect(types(encodeBatch([], prepare()))).toBe('S');
  });

  test('are the bytes that the protocol describes', () => {
    const bytes = encodeBatch([{ text: 'select $1', params: ['é'], name: 'n', describe: true }], prepare());
    expect(Buffer.concat(bytes).toString('latin1')).toBe(
      [
        'P\0\0\0\x14p_1\0select $1\0\0\0',
        'B\0\0\0\x15\0p_1\0\0\0\0\x01\0\0\0\x02\xc3\xa9\0\0',
        'D\0\0\0\x06P\0',
        'E\0\0\0\x09\0\0\0\0\0',
        'S\0\0\0\x04',
      ].join(''),
    );
    expect(Buffer.concat(encodeBatch([], prepare(), 'flush')).toString('latin1')).toBe('H\0\0\0\x04');
  });

  test('an unnamed statement is parsed every time', () => {
    const prepared = prepare();
    const batch = [{ text: 'select 1', params: [] }];
    expect(types(encodeBatch(batch, prepared))).toBe('PBES');
    expect(types(encodeBatch(batch, prepared))).toBe('PBES');
  });

  test('a named statement is parsed once', () => {
    const prepared = prepare();
    const first = encodeBatch([one, two, one], prepared);
    expect(types(first)).toBe('PBEPBEBES');
    answered(prepared, first);
    expect(types(encodeBatch([one, two], prepared))).toBe('BEBES');
  });

  test('with no room for prepared statements all are unnamed', () => {
    const prepared = prepare(0);
    const chunks = encodeBatch([one, one], prepared);
    expect(types(chunks)).toBe('PBEPBES');
    expect(binds(chunks).map(({ statement }) => statement)).toEqual(['', '']);
  });

  test('a description is asked for only where it is wanted', () => {
    expect(types(encodeBatch([one, { ...two, describe: true }], prepare()))).toBe('PBEPBDES');
  });

  test('a batch that goes on with COPY data ends in Flush', () => {
    expect(types(encodeBatch([one], prepare(), 'flush'))).toBe('PBEH');
  });

  test('the rows of a COPY stand behind it', () => {
    const copy = { text: 'copy t from stdin', params: [], copied: Buffer.from('1\n2\n') };
    const sent = encodeBatch([copy, { text: 'select 1', params: [] }], new PreparedStatements(0, 'p_'));
    expect(types(sent)).toBe('PBEdcPBES');
    expect(messages(sent)[3]?.body.toString()).toBe('1\n2\n');
  });

  test('a name with another text is another statement, and the first is closed', () => {
    const prepared = prepare();
    answered(prepared, encodeBatch([one], prepared));
    const changed = encodeBatch([{ ...one, text: 'select 10' }], prepared);
    answered(prepared, changed);
    expect(types(changed)).toBe('PBES');
    expect(types(encodeBatch([], prepared))).toBe('CS');
  });

  test('beyond capacity the least recently used is closed by the next batch, ahead of its statements', () => {
    const prepared = prepare(2);
    for (const batch of [[one], [two], [one]]) answered(prepared, encodeBatch(batch, prepared));
    answered(prepared, encodeBatch([three], prepared)); // two has to go
    const next = encodeBatch([one], prepared);
    expect(types(next)).toBe('CBES');
    expect(messages(next)[0]?.body.toString()).toBe('Sp_2\0');
    expect(types(encodeBatch([two], prepared))).toBe('PBES');
  });

  test('a batch with more names than there is room for keeps them all until it is over', () => {
    const prepared = prepare(1);
    const chunks = encodeBatch([one, two, three], prepared);
    expect(types(chunks)).toBe('PBEPBEPBES');
    expect(new Set(binds(chunks).map(({ statement }) => statement)).size).toBe(3);
    answered(prepared, chunks);
    answered(prepared, encodeBatch([{ text: 'x', params: [], name: 'x' }], prepared));
    expect(prepared.size).toBe(1);
    expect(types(encodeBatch([], prepared))).toBe('CCCS');
  });
});

describe('parameters', () => {
  const param: fc.Arbitrary<Param> = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map((binary) => ({ binary })),
    // Long enough to be woven in instead of copied.
    fc.integer({ min: 30_000, max: 40_000 }).map((length) => 'é'.repeat(length)),
    fc.integer({ min: 30_000, max: 40_000 }).map((length) => new Uint8Array(length).fill(7)),
  );

  const asBytes = (value: Param): Buffer | null => {
    if (value === null) return null;
    if (typeof value === 'string') return Buffer.from(value);
    return Buffer.from('binary' in value ? value.binary : value);
  };

  const isSame = (found: Buffer | null | undefined, meant: Buffer | null): boolean =>
    found === null || found === undefined || meant === null ? found === meant : found.equals(meant);

  test('arrive as they were, in the format they were meant', () => {
    fc.assert(
      fc.property(fc.array(fc.array(param, { maxLength: 12 }), { minLength: 1, maxLength: 4 }), (lists) => {
        const chunks = encodeBatch(
          lists.map((params) => ({ text: 'select', params })),
          prepare(),
        );
        const found = binds(chunks);
        expect(found.length).toBe(lists.length);
        for (const [i, params] of lists.entries()) {
          expect(found[i]?.params.length).toBe(params.length);
          // Buffers compare themselves: `toEqual` goes element by element, minutes for these.
          for (const [j, param] of params.entries()) expect(isSame(found[i]?.params[j], asBytes(param))).toBe(true);
          const binary = params.map((value) => (typeof value === 'object' && value && 'binary' in value ? 1 : 0));
          expect(found[i]?.formats).toEqual(binary.includes(1) ? binary : []);
          expect(found[i]?.results).toBe(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('big bytes are not copied', () => {
    const big = new Uint8Array(1_000_000);
    expect(encodeBatch([{ text: 'select $1', params: ['a', big, 'b'] }], prepare())).toContain(big);
  });

  test('an earlier batch keeps its bytes when a later one is written', () => {
    const first = encodeBatch([{ text: 'a', params: ['first'] }], prepare());
    const before = Buffer.concat(first);
    encodeBatch([{ text: 'b', params: ['other'] }], prepare());
    expect(Buffer.concat(first)).toEqual(before);
  });

  test('more of them than the protocol can count are refused before anything is written', () => {
    const prepared = prepare();
    const params = new Array<Param>(65_536).fill(null);
    expect(() => encodeBatch([one, { text: 'x', params, name: 'x' }], prepared)).toThrow(RangeError);
    expect(types(encodeBatch([one], prepared))).toBe('PBES');
  });

  test('65535 of them are not too many', () => {
    const params = new Array<Param>(65_535).fill('x');
    expect(binds(encodeBatch([{ text: 'x', params }], prepare()))[0]?.params.length).toBe(65_535);
  });
});

describe('hostile text', () => {
  test('a zero in a statement cannot end it early', () => {
    const parse = messages(encodeBatch([{ text: 'select 1\0; drop table x', params: [] }], prepare()))[0];
    const text = parse?.body.subarray(1, parse.body.indexOf(0, 1));
    expect(text).toEqual(
      Buffer.concat([Buffer.from('select 1'), Buffer.from([0xc0, 0x80]), Buffer.from('; drop table x')]),
    );
  });

  test('a name never reaches the wire', () => {
    const prepared = prepare();
    const name = `x\0y"; drop table x; --${'é'.repeat(100)}`;
    const chunks = encodeBatch([{ text: 'select 1', params: [], name }], prepared);
    expect(binds(chunks)[0]?.statement).toBe('p_1');
  });

  test('a lone surrogate becomes the replacement character and not a broken message', () => {
    expect(binds(encodeBatch([{ text: 'x', params: ['a\ud800b'] }], prepare()))[0]?.params).toEqual([
      Buffer.from('a\ufffdb'),
    ]);
  });
});
