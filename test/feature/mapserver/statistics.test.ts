// Statistics of a column, which classes, categories and plots are made of: over all rows that the caller may see.

import { beforeAll, expect, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, onLayers, setPerms } from './layer-kit.ts';

type Statistics = {
  rows: number;
  sampled_from: number | null;
  values: number;
  distinct: number;
  min: unknown;
  max: unknown;
  average: number | null;
  median: number | null;
  stddev: number | null;
  histogram: { from: number; to: number; count: number }[];
  categories: { value: unknown; count: number }[];
  breaks: number[];
  counts: number[];
};

onLayers('statistics', {}, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), {
      name: 'big',
      columns: 'n integer, kind text, clump double precision, "od""d" numeric, day date, doc json, raw bytea',
      geometry: 'Point',
      // The first rows look like nothing that comes later.
      rows: `insert into $table (n, kind, clump, "od""d", day, doc, raw, geom)
        select n, case when n <= 10000 then 'early' else 'late ' || n % 3 end,
               case when n % 100 = 0 then 1000 + n % 7 else n % 10 end, null, '2020-01-01'::date + n % 10, '{"a": 1}', '\\x00',
               public.st_setsrid(public.st_point(n % 360 - 180, n % 170 - 85), 4326)
          from generate_series(1, 100000) n`,
    });
    await makeLayer(kit(), {
      name: 'odd',
      columns: 'x double precision, same integer',
      geometry: 'Point',
      rows: `insert into $table (x, same) values ('NaN', 5), ('Infinity', 5), ('-Infinity', 5), (1e308, 5), (-1e308, 5), (1, 5), (2, 5), (null, 5)`,
    });
    await makeLayer(kit(), {
      name: 'halves',
      columns: 'n integer',
      geometry: 'Point',
      rows: `insert into $table (n) select n from generate_series(1, 100) n`,
    });
    await kit().db.script(`create policy half on layers.halves as restrictive for select using (n <= 50)`);
    const secret = await makeLayer(kit(), {
      name: 'secret',
      columns: 'n integer',
      geometry: 'Point',
      rows: 'select 1',
    });
    await setPerms(kit(), secret, {});
  }, 120_000);

  const statistics = async (layer: string, query: string): Promise<Statistics> => {
    const reply = await kit().portal.visitor.get(`/styles/${layer}/statistics.json?${query}`);
    if (reply.status !== 200) throw new Error(`${reply.status} ${textOf(reply.body)}`);
    return bodyOf<Statistics>(reply);
  };

  test('as many in each class, of all rows and not of the first ones', async () => {
    const found = await statistics('big', 'column=n&method=quantile&classes=5');
    expect(found).toMatchObject({ rows: 100_000, values: 100_000, distinct: 100_000, sampled_from: null });
    expect(found).toMatchObject({ min: 1, max: 100_000, average: 50_000.5, median: 50_000.5 });
    expect(found.breaks).toEqual([20_000, 40_000, 60_000, 80_000]);
    expect(found.counts).toEqual([19_999, 20_000, 20_000, 20_000, 20_001]);
  });

  test('classes of one width, of deviations and by the gaps in the numbers', async () => {
    expect((await statistics('big', 'column=n&method=equal&classes=4')).breaks).toEqual([25_000, 50_000, 75_000]);
    expect((await statistics('big', 'column=n&method=deviation&classes=4')).breaks).toEqual([21_000, 50_000, 79_000]);
    const natural = await statistics('big', 'column=clump&method=natural&classes=2');
    expect(natural.breaks[0]).toBeGreaterThan(9);
    expect(natural.breaks[0]).toBeLessThanOrEqual(1000);
    expect(natural.counts).toEqual([99_000, 1000]);
  });

  test('a histogram counts every row once', async () => {
    const { histogram } = await statistics('big', 'column=n&bins=10');
    expect(histogram).toHaveLength(10);
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(100_000);
    expect(histogram[0]).toMatchObject({ from: 1, count: 10_000 });
    expect(histogram[9]?.to).toBe(100_000);
  });

  test('categories are the most frequent values, with how often they occur', async () => {
    const found = await statistics('big', 'column=kind&categories=3');
    expect(found).toMatchObject({ values: 100_000, distinct: 4 });
    expect(found.categories).toEqual([
      { value: 'late 0', count: 30_000 },
      { value: 'late 1', count: 30_000 },
      { value: 'late 2', count: 30_000 },
    ]);
    expect((await statistics('big', 'column=day&categories=2')).categories[0]).toEqual({
      value: '2020-01-01',
      count: 10_000,
    });
    expect(await statistics('big', 'column=day')).toMatchObject({ min: '2020-01-01', max: '2020-01-10' });
    expect((await statistics('big', 'column=doc&categories=2')).categories).toEqual([
      { value: '{"a": 1}', count: 100_000 },
    ]);
  });

  test('columns of nothing, of one value and of numbers that are none', async () => {
    expect(await statistics('big', `column=${encodeURIComponent('od"d')}&method=natural&categories=5`)).toMatchObject({
      rows: 100_000,
      values: 0,
      min: null,
      breaks: [],
      categories: [],
      histogram: [],
    });
    const same = await statistics('odd', 'column=same&method=natural');
    expect(same).toMatchObject({ breaks: [], counts: [8], stddev: 0, distinct: 1 });
    expect(same.histogram.map(({ count }) => count)).toEqual([8, ...Array.from({ length: 11 }, () => 0)]);
    expect(await statistics('odd', 'column=x&method=equal&classes=2')).toMatchObject({
      rows: 8,
      values: 2,
      min: 1,
      max: 2,
      breaks: [1.5],
      counts: [1, 1],
    });
  });

  test('only what the caller may see is counted', async () => {
    expect(await statistics('halves', 'column=n')).toMatchObject({ rows: 50, max: 50 });
    expect((await kit().portal.visitor.get('/styles/secret/statistics.json?column=n')).status).toBe(404);
  });

  test.each([
    ['column=nope', 'no such column'],
    ['', 'no such column'],
    ['column=raw', 'bytes'],
    ['column=kind&method=equal', 'only numbers'],
    ['column=n&method=best', 'method'],
    ['column=n&classes=0', 'classes'],
    ['column=n&classes=1e2', 'classes'],
    ['column=n&categories=1000', 'categories'],
    ['column=n&bins=0', 'bins'],
    ['column=n&column=n', 'no such column'],
  ])('%s is refused', async (query, said) => {
    const reply = await kit().portal.visitor.get(`/styles/big/statistics.json?${query}`);
    expect(reply.status).toBe(400);
    expect(textOf(reply.body)).toContain(said);
  });

  test('no style can take the name', async () => {
    expect((await kit().portal.as('ada').put('/styles/big/statistics.json', [])).status).toBe(404);
  });
});
