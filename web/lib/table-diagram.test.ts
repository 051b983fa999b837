import { expect, test } from 'vitest';
import type { Table } from './swagger.ts';
import { BOX_WIDTH, layOutTables, rowOf } from './table-diagram.ts';

const table = (name: string, ...columns: readonly (string | readonly [string, string])[]): Table => ({
  name,
  about: '',
  methods: [],
  columns: [
    { name: 'id', type: 'integer', about: '', isKey: true, refersTo: undefined },
    ...columns.map((one) => ({
      name: typeof one === 'string' ? one : one[0],
      type: 'integer',
      about: '',
      isKey: false,
      refersTo: typeof one === 'string' ? undefined : { table: one[1], column: 'id' },
    })),
  ],
});

test('who is referred to stands left of who refers, and what is alone stands below', () => {
  const { boxes, lines } = layOutTables([
    table('tasks', ['project_id', 'projects']),
    table('alone'),
    table('clients'),
    table('projects', ['client_id', 'clients'], 'name'),
  ]);
  const at = new Map(boxes.map((box) => [box.table, box]));
  const x = (name: string): number => at.get(name)?.x ?? Number.NaN;
  expect(x('clients')).toBeLessThan(x('projects'));
  expect(x('projects')).toBeLessThan(x('tasks'));
  expect(at.get('alone')?.y).toBeGreaterThan(at.get('clients')?.y ?? Number.NaN);
  expect(lines.map(({ from, column, to }) => `${from}.${column} → ${to}`)).toEqual([
    'tasks.project_id → projects',
    'projects.client_id → clients',
  ]);
});

test('no two boxes lie upon each other, whatever refers to whatever', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const { boxes } = layOutTables(
    names.map((name, i) => table(name, ['x', names[(i * 3 + 1) % 5] ?? 'a'], ['y', name], ...Array(i).fill('z'))),
  );
  for (const [i, one] of boxes.entries())
    for (const other of boxes.slice(i + 1)) {
      const isBeside = one.x + BOX_WIDTH <= other.x || other.x + BOX_WIDTH <= one.x;
      const isBelow = one.y + one.height <= other.y || other.y + other.height <= one.y;
      expect([one.table, other.table, isBeside || isBelow]).toEqual([one.table, other.table, true]);
    }
});

test('many columns are counted, and keys are always shown', () => {
  const [box] = layOutTables([table('wide', ...Array.from({ length: 30 }, (_, i) => `c${i}`), ['last', 'wide'])]).boxes;
  expect(box?.columns.map(({ name }) => name)).toContain('last');
  expect((box?.columns.length ?? 0) + (box?.others ?? 0)).toBe(32);
});

test('a key that leads nowhere that is shown draws no line', () => {
  expect(layOutTables([table('a', ['b_id', 'hidden'])]).lines).toEqual([]);
});

test('a line begins in the middle of the row of its column, row by row below the head', () => {
  const [box] = layOutTables([table('a', 'b', 'c')]).boxes;
  if (box === undefined) throw new Error('it has no box');
  const [id, b, c] = ['id', 'b', 'c'].map((name) => rowOf(box, name));
  expect((b ?? 0) - (id ?? 0)).toBe((c ?? 0) - (b ?? 0));
  expect(id).toBeGreaterThan(box.y);
  expect(c).toBeGreaterThan(b ?? Number.NaN);
  expect(c).toBeLessThan(box.y + box.height);
  expect(rowOf(box, 'nothing')).toBe(id);
});
