import { expect, test } from 'vitest';
import { err, ok } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { makeAskSources } from './live-sources.ts';

type Row = readonly [
  oid: string,
  name: string,
  kind: 'r' | 'p' | 'v' | 'm',
  required: boolean,
  secured: boolean,
  by: 'triggers' | 'decoding' | null,
  isRoot: boolean,
];

function open(rows: readonly Row[]) {
  const state = { now: 0, asked: 0, rows, fails: false };
  const execute = async () => {
    state.asked += 1;
    if (state.fails) return err({ kind: 'lost', message: 'x' });
    return ok([
      { rows: state.rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(String(cell))))) },
    ]);
  };
  const ask = makeAskSources({ execute } as unknown as Pick<Driver, 'execute'>, () => state.now);
  return { state, ask };
}
const PLACE = [{ schema: 'live', name: 'place' }];
const TABLE: Row = ['1', 'live.place', 'r', true, false, 'triggers', true];

test.each<[string, readonly Row[], object]>([
  ['one table that is followed tells it all', [TABLE], { root: '1', isComplete: true, followable: [], others: [] }],
  ['one with row security does not', [['1', 'live.place', 'r', true, true, 'triggers', true]], { isComplete: false }],
  ['nor do two', [TABLE, ['2', 'live.visit', 'r', true, false, 'triggers', false]], { isComplete: false }],
  [
    'a table that is not followed is named',
    [['1', 'live.place', 'r', true, false, null, true]],
    { isComplete: false, followable: ['live.place'], others: [] },
  ],
  [
    'so is a partitioned one, and what cannot be followed by itself',
    [
      ['1', 'live.place', 'p', true, false, null, true],
      ['2', 'live.still', 'm', true, false, null, false],
    ],
    { followable: ['live.place'], others: ['live.still'] },
  ],
  [
    'a view needs nothing but its tables, and what a policy alone reads need not be followed',
    [
      ['1', 'live.towns', 'v', true, false, null, true],
      ['2', 'live.place', 'r', true, false, 'triggers', false],
      ['3', 'live.friend', 'r', false, false, null, false],
    ],
    { root: '1', isComplete: false, followable: [], others: [] },
  ],
])('%s', async (_, rows, expected) => {
  const told = await open(rows).ask(PLACE);
  expect(told).toMatchObject({ ok: true, value: { ...expected, isDecoded: false } });
  expect(told.ok && [...told.value.relations]).toEqual(rows.map(([oid]) => oid));
});

test('says what is followed by decoding', async () => {
  const told = await open([['1', 'live.place', 'r', true, false, 'decoding', true]]).ask(PLACE);
  expect(told).toMatchObject({ value: { isDecoded: true, isComplete: true } });
});

test('who asks within a second is told the same, unless something is missing or nobody knows', async () => {
  const { state, ask } = open([TABLE]);
  await ask(PLACE);
  state.now = 999;
  await ask(PLACE);
  expect(state.asked).toBe(1);
  await ask([...PLACE, { schema: 'live', name: 'visit' }]);
  expect(state.asked).toBe(2);
  state.now = 1000;
  state.rows = [['1', 'live.place', 'r', true, false, null, true]];
  await ask(PLACE);
  await ask(PLACE);
  expect(state.asked).toBe(4);
  state.fails = true;
  expect(await ask(PLACE)).toMatchObject({ ok: false });
  state.fails = false;
  state.rows = [TABLE];
  expect(await ask(PLACE)).toMatchObject({ value: { followable: [] } });
  await ask(PLACE);
  expect(state.asked).toBe(6);
});
