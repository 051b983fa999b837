import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnNames, cutToBytes } from './column-names.ts';

const one = (field: string): string | undefined => columnNames([field], ['fid', 'geom']).get(field);

describe('a column is named', () => {
  test.each([
    ['NAME', 'name'],
    ['Größe (m²)', 'größe_m²'],
    ['a b', 'a_b'],
    ['  x  ', 'x'],
    ['2021', '_2021'],
    ['', 'field'],
    ['"; drop table x; --', 'drop_table_x'],
    ['select', 'select_'],
    ['ORDER', 'order_'],
    ['ctid', 'ctid_'],
    ['on_conflict', 'on_conflict_'],
    ['geom', 'geom_2'],
    ['FID', 'fid_2'],
    ['名称', '名称'],
    ['\u0000\u0001', 'field'],
    ['a.b->c', 'a_b_c'],
    ['__proto__', 'proto'],
    ['x'.repeat(100), 'x'.repeat(63)],
    ['é'.repeat(40), 'é'.repeat(31)],
    ['🙂', 'field'],
  ])('%j → %s', (field, name) => {
    expect(one(field)).toBe(name);
  });

  test('once only, however many fields want the name', () => {
    expect([...columnNames(['a', 'A', 'a ', 'a_2', 'x'.repeat(70), 'x'.repeat(80)], []).values()]).toEqual([
      'a',
      'a_2',
      'a_3',
      'a_2_2',
      'x'.repeat(63),
      `${'x'.repeat(61)}_2`,
    ]);
  });

  test('and every name is unique, short and safe', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 50 }), (fields) => {
        const names = [...columnNames(fields, ['fid', 'geom']).values()];
        expect(new Set(names).size).toBe(new Set(fields).size);
        for (const name of names) {
          expect(name).toMatch(/^[\p{L}\p{M}_][\p{L}\p{N}\p{M}_]*$/u);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
        }
      }),
    );
  });
});

test('a name is cut between characters', () => {
  expect(cutToBytes('aé名🙂', 6)).toBe('aé名');
  expect(cutToBytes('aé名🙂', 9)).toBe('aé名');
  expect(cutToBytes('aé名🙂', 10)).toBe('aé名🙂');
});
