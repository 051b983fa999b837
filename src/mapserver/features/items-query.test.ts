import { expect, test } from 'vitest';
import { err, ok } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { CrsBook } from '../query/known-crs.ts';
import { crsOf, toQuery } from './items-query.ts';
import { parseItemsRequest } from './items-request.ts';

const column = (name: string, type: string) => ({
  name,
  type,
  label: null,
  description: null,
  nullable: true,
  hasDefault: false,
  generated: false,
});
const LAYER = {
  primaryKey: 'fid',
  hasTime: false,
  srid: 4326,
  gis: 'public',
  geometry: { column: 'geom' },
  columns: [column('fid', 'integer'), column('name', 'text'), column('height', 'integer')],
} as unknown as VectorLayer;
const book = {
  of: async (_layer: unknown, name: string) =>
    name === 'known'
      ? ok({ srid: 25832, uri: 'known' })
      : err({ kind: name === 'away' ? 'database' : 'unknown-crs', error: { kind: 'lost' } }),
} as unknown as CrsBook;

const query = async (asked: Record<string, string>) => {
  const request = parseItemsRequest(asked, LAYER);
  if (!request.ok) throw new Error(request.error.detail);
  return toQuery(request.value, LAYER, book);
};

test('each thing that features are selected by is a condition, and nothing else', async () => {
  const conditions = async (asked: Record<string, string>) => {
    const made = await query(asked);
    return made.ok ? made.value.conditions.length : made.error;
  };
  expect(await conditions({})).toBe(0);
  expect(await conditions({ bbox: '1,2,3,4' })).toBe(1);
  expect(await conditions({ filter: 'height = 1' })).toBe(1);
  expect(await conditions({ bbox: '1,2,3,4', filter: 'height = 1' })).toBe(2);
  expect(await conditions({ datetime: '2020-01-01' })).toMatchObject({
    detail: expect.stringContaining('no column of dates'),
  });
  expect(await conditions({ filter: 'nothing = 1' })).toMatchObject({ detail: expect.stringMatching(/^filter: /) });
});

test('those columns are shown that are asked for', async () => {
  const columns = async (asked: Record<string, string>) => {
    const made = await query(asked);
    return made.ok && made.value.columns.map(({ name }) => name);
  };
  expect(await columns({})).toEqual(['name', 'height']);
  expect(await columns({ properties: 'height' })).toEqual(['height']);
});

test('a system that is not offered is told as one, and trouble of the database as that', async () => {
  expect(await crsOf(book, LAYER, undefined)).toMatchObject({ value: { srid: 4326 } });
  expect(await crsOf(book, LAYER, 'known')).toMatchObject({ value: { srid: 25832 } });
  expect(await crsOf(book, LAYER, 'x'.repeat(200))).toEqual(
    err({ kind: 'bad-request', detail: `This layer is not offered in "${'x'.repeat(100)}".` }),
  );
  expect(await crsOf(book, LAYER, 'away')).toMatchObject({ error: { kind: 'database' } });
  for (const name of ['crs', 'bbox-crs', 'filter-crs'])
    expect(await query({ [name]: 'unknown' })).toMatchObject({ ok: false });
});
