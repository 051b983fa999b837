import { describe, expect, test } from 'vitest';
import { makeCellClearer } from './clear-impossible.ts';

const columns = [
  { name: 't', type: 'varchar' },
  { name: 'd', type: 'date' },
  { name: 's', type: 'timestamp with time zone' },
  { name: 'b', type: 'boolean' },
];
const copied = columns.map(({ name }) => name);

function clear(...rows: string[][]): { readonly rows: string[][]; readonly warnings: readonly string[] } {
  const clearer = makeCellClearer({ columns, copied });
  const lines = clearer?.clear(Buffer.from(rows.map((cells) => `${cells.join('\t')}\n`).join(''))) ?? Buffer.alloc(0);
  const texts = lines.toString().split('\n').slice(0, -1);
  return { rows: texts.map((line) => line.split('\t')), warnings: clearer?.warnings ?? [] };
}

describe('cells on their way to the database', () => {
  test('days that the calendar has stay as they are', () => {
    const rows = ['0001/01/01', '2024/02/29', '2000/02/29', '9999/12/31', '2021-04-30'].map((day) => [
      'x',
      day,
      `${day} 10:00:00+00`,
      't',
    ]);
    expect(clear(...rows)).toEqual({ rows, warnings: [] });
  });

  test('zero and blank ones are null, and nobody is told', () => {
    const cleared = clear(['x', '0000/00/00', '0000/00/00 00:00:00', '?'], ['y', '\\N', '\\N', ' ']);
    expect(cleared).toEqual({
      rows: [
        ['x', '\\N', '\\N', '\\N'],
        ['y', '\\N', '\\N', '\\N'],
      ],
      warnings: [],
    });
  });

  test('impossible ones are null, and the columns are told', () => {
    const days = ['9999/99/99', '2021/02/30', '1900/02/29', '2021/13/01', '0000/05/05', '2021/04/31', '300000/01/01'];
    const cleared = clear(...days.map((day) => ['x', day, `${day} 00:00:00`, 'x']));
    expect(cleared.rows).toEqual(days.map(() => ['x', '\\N', '\\N', '\\N']));
    expect(cleared.warnings).toEqual([
      '7 values of the column "d" cannot be read as a day of the calendar: left empty.',
      '7 values of the column "s" cannot be read as a day of the calendar: left empty.',
      '7 values of the column "b" cannot be read as true or false: left empty.',
    ]);
  });

  test('texts are nobody’s days, tabs and backslashes in them included', () => {
    const clearer = makeCellClearer({ columns, copied });
    const line = Buffer.from('0000/00/00\\\t?\\\\\t2021/02/30\t\\N\tF\n');
    expect(clearer?.clear(line).toString()).toBe('0000/00/00\\\t?\\\\\t\\N\t\\N\tF\n');
    expect(makeCellClearer({ columns: [{ name: 't', type: 'varchar' }], copied: ['t'] })).toBeUndefined();
  });
});
