import { expect, test } from 'vitest';
import { BLOCK, padding, paxPath, readHeader, TAR_END, tarHeader } from './tar-format.ts';

test.each([0, 1, 512, 0o77777777777, 0o77777777777 + 1, 2 ** 45])(
  'a file of %d bytes is read as it was written',
  (size) => {
    const header = tarHeader('data/ab/c.gz', size, 1_700_000_000.7);
    expect(header).toHaveLength(BLOCK);
    expect(readHeader(header)).toEqual({ ok: true, value: { name: 'data/ab/c.gz', size, kind: 'file' } });
    // As any tar reads it.
    expect(header.toString('latin1', 257, 265)).toBe('ustar\x0000');
    expect(header.toString('latin1', 136, 148)).toBe('14524770400\0');
    expect([header[124] === 0x80, header.toString('latin1', 100, 108)]).toEqual([size > 0o77777777777, '0000600\0']);
  },
);

test.each([
  ['x'.repeat(100), 1],
  ['x'.repeat(101), 3],
  ['ä'.repeat(50), 1],
  [`${'ä'.repeat(50)}x`, 3],
  // Where the number of digits grows with the length that they tell.
  ['x'.repeat(991), 4],
  ['x'.repeat(990), 4],
])('a name of any length is kept', (name, blocks) => {
  const header = tarHeader(name, 7, 0);
  expect(header.length / BLOCK).toBe(blocks);
  const first = readHeader(header.subarray(0, BLOCK));
  if (!first.ok || first.value === undefined) throw new Error('no header');
  if (blocks === 1) return expect(first.value.name).toBe(name);
  expect(first.value.kind).toBe('pax');
  const record = header.subarray(BLOCK, BLOCK + first.value.size);
  expect(paxPath(record)).toBe(name);
  expect(Number(record.toString().split(' ')[0])).toBe(record.length);
  expect(readHeader(header.subarray(-BLOCK))).toMatchObject({ value: { size: 7, kind: 'file' } });
});

test('a damaged header is none, and two empty blocks are the end', () => {
  const header = tarHeader('a', 7, 0);
  for (const at of [0, 124, 130, 156, 300]) {
    const damaged = Buffer.from(header);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(readHeader(damaged), String(at)).toEqual({ ok: false, error: 'damaged' });
  }
  // Right in itself, and a kind of entry that no backup has.
  const link = Buffer.from(header);
  link.write('2', 156);
  link.write(`${(Number.parseInt(header.toString('latin1', 148, 154), 8) + 2).toString(8).padStart(6, '0')}\0 `, 148);
  expect(readHeader(link)).toEqual({ ok: false, error: 'damaged' });
  expect(TAR_END).toHaveLength(2 * BLOCK);
  expect(readHeader(TAR_END.subarray(0, BLOCK))).toEqual({ ok: true, value: undefined });
});

test('contents are filled up to whole blocks', () => {
  expect([0, 1, 511, 512, 513].map((size) => padding(size).length)).toEqual([0, 511, 1, 0, 511]);
});

test('other records of a pax header are passed over, and one that is none ends it', () => {
  expect(paxPath(Buffer.from('12 mtime=17\n15 path=a/b/cd\n'))).toBe('a/b/cd');
  for (const text of ['', '12 mtime=17\n', 'x path=a\n', '0 path=a\n', '-5 path=a\n', 'path=a'])
    expect(paxPath(Buffer.from(text)), text).toBeUndefined();
});
