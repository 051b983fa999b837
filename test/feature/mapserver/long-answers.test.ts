// Long answers: every row once and in order, also where the database works for one caller at a time and the answer is read in pieces.

import { beforeAll, expect, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers } from './layer-kit.ts';

const ROWS = 4000;

onLayers('long answers', {}, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'many',
      columns: 'n integer, name text',
      geometry: 'Point',
      // Keys with gaps, and not in the order in which the rows lie.
      rows: `insert into $table (fid, n, name, geom) select i * 7, i, 'name ' || i, st_setsrid(st_makepoint(i % 180, i % 90), 4326)
               from generate_series(1, ${ROWS}) i order by md5(i::text)`,
    });
  });

  const get = async (target: string): Promise<string> => {
    const reply = await kit().portal.visitor.get(target);
    expect(reply.status).toBe(200);
    return textOf(reply.body);
  };
  const numbers = (text: string): number[] =>
    (JSON.parse(text) as { features: { properties: { n: number } }[] }).features.map(({ properties }) => properties.n);
  const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

  test('a download has every row once', async () => {
    expect(numbers(await get('/download/many.geojson'))).toEqual(from(1, ROWS));
  });

  test('a download as CSV has one header', async () => {
    const lines = (await get('/download/many.csv')).trimEnd().split('\n');
    expect(lines).toHaveLength(ROWS + 1);
    expect(lines.filter((line) => line.startsWith('fid,'))).toEqual([lines[0]]);
  });

  test('a download with a filter has the rows that pass', async () => {
    expect(numbers(await get('/download/many.geojson?filter=n%20%3E%203000'))).toEqual(from(3001, ROWS - 3000));
  });

  test.each([
    [700, 0],
    [700, 1500],
    [2500, 800],
    [50, 3990],
    [5000, 3999],
    [10, 4000],
    [10, 9999],
  ])('a page of %i rows from %i', async (limit, offset) => {
    const wfs = `/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=portal:many&outputFormat=application/json`;
    const wanted = from(offset + 1, Math.max(0, Math.min(limit, ROWS - offset)));
    expect(numbers(await get(`${wfs}&count=${limit}&startIndex=${offset}`))).toEqual(wanted);
    expect(numbers(await get(`/ogc/collections/many/items?limit=${limit}&offset=${offset}`))).toEqual(wanted);
  });

  test('an order of its own is kept', async () => {
    const sorted = await get('/ogc/collections/many/items?limit=2000&sortby=-n');
    expect(numbers(sorted)).toEqual(from(1, ROWS).reverse().slice(0, 2000));
  });
});
