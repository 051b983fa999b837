import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Notification } from '../driver.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { type Failure, type Reply, ReplyReader } from './reply-reader.ts';

function message(type: string, body: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.from(body as string);
  const header = Buffer.alloc(5);
  header.write(type, 'latin1');
  header.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([header, bytes]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

type Cell = string | Uint8Array | null;

function dataRow(cells: readonly Cell[]): Buffer {
  const parts = cells.map((cell) => {
    if (cell === null) return int32(-1);
    const bytes = Buffer.from(cell as string);
    return Buffer.concat([int32(bytes.length), bytes]);
  });
  return message('D', Buffer.concat([int16(cells.length), ...parts]));
}

function error(fields: Record<string, string>): Buffer {
  return message(
    'E',
    `${Object.entries(fields)
      .map(([code, text]) => `${code}${text}\0`)
      .join('')}\0`,
  );
}

const PARSED = message('1');
const BOUND = message('2');
const READY = message('Z', 'I');
const done = (tag: string): Buffer => message('C', `${tag}\0`);

type Heard = {
  readonly replies: Reply[];
  readonly fatal: Failure[];
  readonly notifications: Notification[];
  readonly parameters: string[];
  readonly copied: Buffer[];
};

function read(chunks: Iterable<Uint8Array>, lasting = true): Heard {
  const heard: Heard = { replies: [], fatal: [], notifications: [], parameters: [], copied: [] };
  const reader = new ReplyReader(new PreparedStatements(10, 'p'), {
    onReply: (reply) => heard.replies.push(reply),
    onFatal: (failure) => heard.fatal.push(failure),
    onNotification: (notification) => heard.notifications.push(notification),
    onParameter: (name, value) => heard.parameters.push(`${name}=${value}`),
    onCopyData: (bytes) => heard.copied.push(Buffer.from(bytes)),
  });
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    reader.feed(bytes, lasting);
    if (!lasting) bytes.fill('?');
  }
  return heard;
}

describe('replies', () => {
  test('every statement has its rows and its tag', () => {
    const { replies } = read([
      Buffer.concat([
        ...[PARSED, BOUND, dataRow(['a', null, '']), dataRow(['b', 'é', '🙂']), done('SELECT 2')],
        ...[BOUND, done('INSERT 0 3')],
        ...[BOUND, message('I')],
        READY,
      ]),
    ]);
    expect(replies).toEqual([
      {
        results: [
          {
            rows: [
              [Buffer.from('a'), null, Buffer.from('')],
              [Buffer.from('b'), Buffer.from('é'), Buffer.from('🙂')],
            ],
            tag: 'SELECT 2',
          },
          { rows: [], tag: 'INSERT 0 3' },
          { rows: [], tag: '' },
        ],
        failure: null,
        status: 'I',
      },
    ]);
  });

  test('described columns have names and types', () => {
    const field = (name: string, type: number): Buffer =>
      Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(4), int32(-1), int16(0)]);
    const description = message('T', Buffer.concat([int16(2), field('id', 23), field('näme', 0x8000_0001 | 0)]));
    const { replies } = read([BOUND, description, done('SELECT 0'), BOUND, message('n'), done('DELETE 1'), READY]);
    expect(replies[0]?.results.map(({ fields }) => fields)).toEqual([
      [
        { name: 'id', type: 23 },
        { name: 'näme', type: 0x8000_0001 },
      ],
      [],
    ]);
  });

  test('an error tells which statement it was, and the next batch starts clean', () => {
    const { replies } = read([
      ...[BOUND, done('SELECT 0'), PARSED, BOUND, dataRow(['half'])],
      ...[error({ S: 'FEHLER', V: 'ERROR', C: '22012', M: 'division by zero', R: 'int4div' }), READY],
      ...[BOUND, dataRow(['1']), done('SELECT 1'), READY],
    ]);
    expect(replies[0]?.failure).toEqual({
      error: {
        kind: 'sql',
        sqlstate: '22012',
        message: 'division by zero',
        detail: null,
        hint: null,
        statement: 1,
      },
      fatal: false,
      routine: 'int4div',
      beforeBind: false,
    });
    expect(replies[1]).toMatchObject({ failure: null, results: [{ tag: 'SELECT 1' }] });
  });

  test('an error after the last statement belongs to the commit', () => {
    const { replies } = read([BOUND, done('INSERT 0 1'), error({ C: '23503', M: 'fk', D: 'd', H: 'h' }), READY]);
    expect(replies[0]?.failure?.error).toMatchObject({ sqlstate: '23503', detail: 'd', hint: 'h', statement: 1 });
  });

  test('an error names the table, column and constraint it is about, where the server does', () => {
    const { replies } = read([
      BOUND,
      error({ C: '23505', M: 'duplicate', t: 'films', c: 'id', n: 'films_pkey' }),
      READY,
      ...[BOUND, error({ C: '23502', M: 'null', c: 'id' }), READY],
    ]);
    expect(replies.map(({ failure }) => failure?.error.about)).toEqual([
      { table: 'films', column: 'id', constraint: 'films_pkey' },
      { column: 'id' },
    ]);
    const [unnamed] = read([error({ C: '22012', M: 'x' }), READY]).replies;
    expect(unnamed?.failure?.error).not.toHaveProperty('about');
  });

  test.each(['3', 'N', 'H', 'c', 's', 't'])('a message of type %s says nothing that is looked at', (type) => {
    expect(read([message(type), BOUND, dataRow(['1']), done('SELECT 1'), READY]).replies).toMatchObject([
      { results: [{ tag: 'SELECT 1' }], failure: null },
    ]);
  });

  test.each(['SELECT 1', 'SELECT 2', 'SELECT 12', 'DELETE 1', 'TELECT 1'])('the tag %s is itself', (tag) => {
    expect(read([done(tag), READY]).replies[0]?.results[0]?.tag).toBe(tag);
  });

  test.each([
    ['I', 'I'],
    ['T', 'T'],
    ['E', 'E'],
  ] as const)('transaction status %s', (byte, status) => {
    expect(read([message('Z', byte)]).replies[0]?.status).toBe(status);
  });

  test('what the server says unasked is heard between and inside replies', () => {
    const notification = message('A', Buffer.concat([int32(7), Buffer.from('chan\0pay load\0')]));
    const { replies, notifications, parameters, fatal } = read([
      ...[notification, message('S', 'TimeZone\0UTC\0'), message('N', 'SNOTICE\0\0')],
      ...[BOUND, dataRow(['1']), notification, message('N', 'SNOTICE\0\0'), done('SELECT 1'), READY],
      error({ S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection' }),
    ]);
    expect(replies).toMatchObject([{ results: [{ rows: [[Buffer.from('1')]] }] }]);
    expect(notifications).toEqual([
      { channel: 'chan', payload: 'pay load' },
      { channel: 'chan', payload: 'pay load' },
    ]);
    expect(parameters).toEqual(['TimeZone=UTC']);
    expect(fatal).toMatchObject([{ fatal: true, error: { sqlstate: '57P01' } }]);
  });

  test('a notification may say nothing', () => {
    const bare = message('A', Buffer.concat([int32(7), Buffer.from('chan\0\0')]));
    expect(read([bare]).notifications).toEqual([{ channel: 'chan', payload: '' }]);
  });

  test('COPY data comes as it was', () => {
    const { copied, replies } = read([
      BOUND,
      message('H', Buffer.from([0, 0, 1, 0, 0])),
      message('d', 'a\tb\n'),
      message('d', ''),
      message('d', 'c\n'),
      message('c'),
      done('COPY 2'),
      READY,
    ]);
    expect(Buffer.concat(copied).toString()).toBe('a\tb\nc\n');
    expect(replies[0]?.results[0]?.tag).toBe('COPY 2');
  });
});

describe('chunks', () => {
  const cell = fc.oneof(fc.constant(null), fc.uint8Array({ maxLength: 40 }), fc.string({ maxLength: 20 }));
  const statement = fc.record({
    rows: fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 5 }),
    tag: fc.stringMatching(/^[A-Z]{1,8} \d{1,3}$/),
  });
  const stream = fc
    .array(statement, { minLength: 1, maxLength: 4 })
    .map((statements) =>
      Buffer.concat([
        ...statements.flatMap(({ rows, tag }) => [
          PARSED,
          BOUND,
          ...rows.map(dataRow),
          message('S', 'a\0b\0'),
          done(tag),
        ]),
        READY,
      ]),
    );

  test('wherever they are cut, the replies are the same', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 30 }), (bytes, places) => {
        const cuts = [0, ...places.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end));
        expect(read(pieces)).toEqual(read([bytes]));
        expect(read(pieces, false)).toEqual(read([bytes]));
      }),
      { numRuns: 150 },
    );
  });

  test('byte by byte, the replies are the same', () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        expect(read(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(read([bytes]));
      }),
      { numRuns: 50 },
    );
  });

  test('a huge row is put together without copying it again for every chunk', () => {
    const size = 50 * 1024 * 1024;
    const row = dataRow([Buffer.alloc(size, 'x')]);
    const bytes = Buffer.concat([BOUND, row, done('SELECT 1'), READY]);
    const replies: Reply[] = [];
    const reader = new ReplyReader(new PreparedStatements(10, 'p'), {
      onReply: (reply) => replies.push(reply),
      onFatal: () => {},
    });
    // 64 kB chunks: copying anew for each would move 20 GB.
    for (let at = 0; at < bytes.length; at += 65_536) reader.feed(bytes.subarray(at, at + 65_536));
    const found = replies[0]?.results[0]?.rows[0]?.[0];
    expect(found?.length).toBe(size);
    expect(found?.equals(Buffer.alloc(size, 'x'))).toBe(true);
  });
});

describe('bytes that are not the protocol', () => {
  test.each([
    ['an unknown type', message('?', 'hello')],
    ['a negative length', Buffer.from([0x44, 0xff, 0xff, 0xff, 0xff, 0])],
    ['a length beyond what PostgreSQL sends', Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff, 0])],
    ['a row that claims more cells than it has', message('D', Buffer.concat([int16(3), int32(-1)]))],
    ['a row with bytes left over', message('D', Buffer.concat([int16(0), Buffer.from('left')]))],
    ['a row whose cell runs past its end', message('D', Buffer.concat([int16(1), int32(100), Buffer.from('short')]))],
    ['an answer from a web server', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('%s is refused', (_name, bytes) => {
    expect(() => read([Buffer.concat([bytes, READY])])).toThrow();
  });

  test('an ErrorResponse without an end is still read', () => {
    expect(read([message('E', 'SERROR\0C42601\0Mno end'), READY]).replies[0]?.failure?.error.sqlstate).toBe('42601');
  });
});
