import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ok } from '../../../kernel/result.ts';
import type { Address, Lookup } from './lookup.ts';
import { NO_MATCH } from './match.ts';
import { placeRows } from './place-rows.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'survest-place-rows-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function placed(text: string): Promise<{ readonly batches: readonly (readonly Address[])[]; out: string }> {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  writeFileSync(from, text);
  const batches: (readonly Address[])[] = [];
  const lookup: Lookup = {
    source: 'test',
    maxRows: 10,
    async find(addresses) {
      batches.push(addresses);
      return ok(addresses.map(() => NO_MATCH));
    },
  };
  const { signal } = new AbortController();
  expect(await placeRows({ from, to, lookup, onAnswered: () => {}, signal })).toEqual(ok(0));
  return { batches, out: readFileSync(to, 'utf8') };
}

test('a row that is longer than what is read at once stays whole', async () => {
  const long = 'x'.repeat(200_000);
  const { batches, out } = await placed(`${long}\tBerlin\tGermany\nb\tParis\t\n`);
  expect(batches).toEqual([
    [
      { place: 'Berlin', country: 'Germany' },
      { place: 'Paris', country: '' },
    ],
  ]);
  expect(out.split('\n').map((line) => line.split('\t').slice(0, 3))).toEqual([
    [long, 'Berlin, Germany', 'none'],
    ['b', 'Paris', 'none'],
    [''],
  ]);
});

test('rows are looked up 500 at once, and fewer where they are long', async () => {
  expect((await placed('a\tb\tc\n'.repeat(1001))).batches.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect((await placed(`${'x'.repeat(2_500_000)}\tb\tc\n`.repeat(3))).batches.map(({ length }) => length)).toEqual([
    2, 1,
  ]);
});
