import { expect, test } from 'vitest';
import { decodeEstimate, decodePlan, decodeResult } from './decode.ts';

const row = (...cells: readonly (string | null)[]) => cells.map((cell) => (cell === null ? null : Buffer.from(cell)));
const answer = (cells: readonly (string | null)[]) => ({ rows: [row(...cells)], tag: 'SELECT 1' });

test('every column of the result has its place', () => {
  const found = decodeResult(answer(['7', '2', '[1, 2]', '[{"X-A": "b"}]', '207', '["1", null]', '1']));
  expect({ ...found, body: found.body.toString() }).toEqual({
    total: 7,
    page: 2,
    body: '[1, 2]',
    headers: '[{"X-A": "b"}]',
    status: '207',
    location: ['1', null],
    inserted: 1,
  });
});

test('what was not asked for is undefined, not zero', () => {
  const found = decodeResult(answer([null, '0', '', null, null]));
  expect(found).toMatchObject({ page: 0, total: undefined, location: undefined, inserted: undefined });
  expect(found.body).toHaveLength(0);
});

test('the bytes of a body stay those that came, and bytea becomes its bytes', () => {
  const sent = row(null, '1', '\\x00ff', null, null);
  const bytes = decodeResult({ rows: [sent], tag: '', fields: [0, 0, 17].map((type) => ({ name: '', type })) });
  expect(bytes.body).toEqual(Buffer.from([0, 255]));
  const text = decodeResult({ rows: [sent], tag: '', fields: [0, 0, 25].map((type) => ({ name: '', type })) });
  expect(text.body).toBe(sent[2]);
});

test('a plan is one document, or its lines', () => {
  expect(decodePlan(answer(['[{"Plan": {}}]'])).body.toString()).toBe('[{"Plan": {}}]');
  expect(decodePlan({ rows: [row('Seq Scan'), row('  Filter')], tag: '' }).body.toString()).toBe('Seq Scan\n  Filter');
});

test.each([
  ['[{"Plan": {"Plan Rows": 42}}]', 42],
  ['[{"Plan": {}}]', undefined],
  ['[]', undefined],
  [null, undefined],
])('the estimate of %s', (plan, rows) => {
  expect(decodeEstimate(answer([plan]))).toBe(rows);
});
