// Messages of pgoutput → transactions: bytes as PostgreSQL 15 sent them, and bytes that nobody should send.

import { describe, expect, test } from 'vitest';
import { encodeStatus, readStreamMessage } from './stream-messages.ts';
import { type Committed, TransactionDecoder } from './transaction-decoder.ts';

/**
 * `create table pair (a text, b date, note text, primary key (b, a))`, `create table whole (body text)` with REPLICA IDENTITY FULL. First one transaction that
 * inserts ('1', '2026-02-01', 'hello'), changes it to ('x"ü', '2026-02-02', null) and deletes ('2', '2026-02-01'); then TRUNCATE, then an insert into the other.
 */
const CAPTURED = {
  changes: [
    '4200000000015097c000030370c65579f5000002d5',
    '52000040007075626c696300706169720064000301610000000019ffffffff0162000000043affffffff006e6f74650000000019ffffffff',
    '49000040004e0003740000000131740000000a323032362d30322d3031740000000568656c6c6f',
    '55000040004b0003740000000131740000000a323032362d30322d30316e4e000374000000047822c3bc740000000a323032362d30322d30326e',
    '44000040004b0003740000000132740000000a323032362d30322d30316e',
    '430000000000015097c000000000015097f000030370c65579f5',
  ],
  anything: [
    '42000000000150a39000030370c655885d000002d6',
    '52000040007075626c696300706169720064000301610000000019ffffffff0162000000043affffffff006e6f74650000000019ffffffff',
    '54000000010000004000',
    '4300000000000150a390000000000150a50000030370c655885d',
    '42000000000150a54000030370c6558c2f000002d7',
    '52000040077075626c69630077686f6c650066000101626f64790000000019ffffffff',
    '49000040074e000174000000017a',
    '4300000000000150a540000000000150a57000030370c6558c2f',
  ],
} as const satisfies Record<string, readonly string[]>;

function decodeAll(messages: readonly Buffer[]): Committed[] {
  const decoder = new TransactionDecoder();
  return messages.flatMap((message) => decoder.feed(message, 0, message.length) ?? []);
}
const bytes = (name: keyof typeof CAPTURED): Buffer[] => CAPTURED[name].map((hex) => Buffer.from(hex, 'hex'));

describe('a transaction', () => {
  test('is told at its commit, with the keys of what it inserted, changed and deleted', () => {
    const [one, ...others] = decodeAll(bytes('changes'));
    expect(others).toEqual([]);
    expect(one?.transaction?.changes).toEqual([
      {
        relation: expect.stringMatching(/^\d+$/),
        columns: ['a', 'b'],
        keys: ['["1","2026-02-01"]', '["x\\"ü","2026-02-02"]', '["2","2026-02-01"]'],
      },
    ]);
    expect(one?.end).toBeGreaterThan(0n);
  });

  test('that empties a table, or changes one whose identity is the whole row, may have changed anything', () => {
    const told = decodeAll(bytes('anything')).map(({ transaction }) => transaction?.changes);
    expect(told).toEqual([
      [{ relation: expect.any(String), columns: ['a', 'b'], keys: undefined }],
      [{ relation: expect.any(String), columns: [], keys: undefined }],
    ]);
  });

  test('is told whatever else the server says between: types, origins, messages of others', () => {
    const [begin, ...rest] = bytes('changes');
    const name = (text: string): Buffer => Buffer.from(`${text}\0`);
    const lsn = Buffer.alloc(8, 1);
    const between = [
      Buffer.concat([Buffer.from('O'), lsn, name('elsewhere')]),
      Buffer.concat([Buffer.from('Y'), Buffer.from([0, 0, 0x40, 0x10]), name('public'), name('mood')]),
      Buffer.concat([Buffer.from('M\u0001'), lsn, name('prefix'), Buffer.from([0, 0, 0, 2]), Buffer.from('hi')]),
    ];
    expect(decodeAll([begin as Buffer, ...between, ...rest])).toEqual(decodeAll(bytes('changes')));
    expect(() => decodeAll([Buffer.from('S\0\0\0\u0001\u0001')])).toThrow();
  });

  test('that leaves a long value as it was is told by its key', () => {
    const [begin, relation, , , , commit] = bytes('changes') as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
    // An update without an old key, whose third column is said to be unchanged.
    const update = Buffer.concat([
      Buffer.from('55000040004e0003740000000131740000000a', 'hex'),
      Buffer.from('2026-02-01u'),
    ]);
    const [one] = decodeAll([begin, relation, update, commit]);
    expect(one?.transaction?.changes.map(({ keys }) => keys)).toEqual([['["1","2026-02-01"]']]);
  });

  test('may have its tables told again when there are as many as are kept in mind', () => {
    const decoder = new TransactionDecoder();
    const [begin, relation] = bytes('changes') as [Buffer, Buffer];
    const told = (oid: number): void => {
      relation.writeUInt32BE(oid, 1);
      decoder.feed(relation, 0, relation.length);
    };
    decoder.feed(begin, 0, begin.length);
    for (let oid = 1; oid <= 100_000; oid++) told(oid);
    expect(() => told(5)).not.toThrow();
    expect(() => told(100_001)).toThrow('more tables than are kept in mind');
  });

  test('of many rows costs no more memory than some hundreds', () => {
    const [begin, relation, insert, ...rest] = bytes('changes');
    if (begin === undefined || relation === undefined || insert === undefined) throw new Error('no bytes');
    const rows = Array.from({ length: 2000 }, (_, i) => numbered(insert, i));
    const commit = rest.at(-1);
    const [one] = decodeAll([begin, relation, ...rows, ...(commit === undefined ? [] : [commit])]);
    expect(one?.transaction?.changes).toMatchObject([{ keys: undefined }]);
  });
});

/** The same row with another first value. */
function numbered(insert: Buffer, value: number): Buffer {
  const text = Buffer.from(String(value));
  const length = Buffer.alloc(4);
  length.writeInt32BE(text.length);
  // I, oid, N, number of columns, t, length, value
  return Buffer.concat([insert.subarray(0, 9), length, text, insert.subarray(14)]);
}

describe('bytes that are no message', () => {
  const all = [...bytes('changes'), ...bytes('anything')];

  test('cut off anywhere are refused, and never read past their end', () => {
    for (const message of bytes('changes')) {
      for (let end = 0; end < message.length; end++) {
        const decoder = new TransactionDecoder();
        const before = bytes('changes').slice(0, 2);
        if (message[0] !== 0x42) for (const one of before) decoder.feed(one, 0, one.length);
        // Bytes behind the end are somebody else's.
        expect(() => decoder.feed(message, 0, end)).toThrow('the server sent');
      }
    }
  });

  test('changed at random are refused, or tell something, and nothing else happens', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    let [refused, taken] = [0, 0];
    for (let round = 0; round < 3000; round++) {
      const decoder = new TransactionDecoder();
      try {
        for (const message of all) {
          const broken = Buffer.from(message);
          if (random(3) === 0) broken[random(broken.length)] = random(256);
          decoder.feed(broken, 0, broken.length);
        }
        taken += 1;
      } catch (error) {
        expect((error as Error).name).toBe('BrokenMessage');
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(100);
    expect(taken).toBeGreaterThan(10);
  });

  test('out of their order are refused', () => {
    const [begin, relation, insert] = bytes('changes');
    const list = (...some: (Buffer | undefined)[]): Buffer[] => some.filter((one) => one !== undefined);
    expect(() => decodeAll(list(insert))).toThrow('that it has not described');
    expect(() => decodeAll(list(relation, insert))).toThrow('outside of a transaction');
    expect(() => decodeAll(list(begin, begin))).toThrow('inside another');
  });
});

describe('the stream around them', () => {
  test('has positions of the log, and says how far it was read', () => {
    const keepalive = Buffer.alloc(18);
    keepalive[0] = 0x6b;
    keepalive.writeBigUInt64BE(0x16b374d848n, 1);
    keepalive[17] = 1;
    expect(readStreamMessage(keepalive, 0, 18)).toEqual({ kind: 'keepalive', walEnd: 0x16b374d848n, wantsReply: true });
    expect(() => readStreamMessage(keepalive, 0, 17)).toThrow('cut off');
    expect(() => readStreamMessage(Buffer.from('x'), 0, 1)).toThrow('unknown');
    const status = encodeStatus(0x16b374d848n, Date.UTC(2000, 0, 1, 0, 0, 1), true);
    expect(status.toString('hex')).toBe(`64${'00000026'}72${'00000016b374d848'.repeat(3)}${'00000000000f4240'}01`);
  });
});
