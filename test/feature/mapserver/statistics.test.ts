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
      name: 'unheard',
      columns: 'x real',
      geometry: 'Point',
      rows: `insert into $table (x) values (1), ('NaN')`,
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
  });

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

  test('of what passes a filter alone, and a filter that cannot be asked is refused', async () => {
    const early = `filter=${encodeURIComponent("kind = 'early'")}`;
    const found = await statistics('big', `column=n&method=quantile&classes=5&${early}`);
    expect(found).toMatchObject({ rows: 10_000, values: 10_000, min: 1, max: 10_000, sampled_from: null });
    expect(found.breaks).toEqual([2000, 4000, 6000, 8000]);
    expect(found.counts).toEqual([1999, 2000, 2000, 2000, 2001]);
    const kinds = await statistics(
      'big',
      `column=kind&categories=5&filter=${encodeURIComponent('n > 10000 AND n <= 10003')}`,
    );
    expect(kinds.categories.map(({ value }) => value)).toEqual(['late 0', 'late 1', 'late 2']);
    const suggested = await kit().portal.visitor.get(`/styles/big/suggestion.json?column=kind&${early}`);
    expect(textOf(suggested.body)).toContain('early');
    expect(textOf(suggested.body)).not.toContain('late 0');
    for (const bad of ['nothing = 1', 'n =', "n = 'many'"])
      expect(
        await kit().portal.visitor.get(`/styles/big/statistics.json?column=n&filter=${encodeURIComponent(bad)}`),
        bad,
      ).toMatchReply({ status: 400 });
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

  test('whether rows have no value is told of several columns at once, of those that the caller sees', async () => {
    const missing = async (layer: string, query: string): Promise<unknown> => {
      const reply = await kit().portal.visitor.get(`/styles/${layer}/statistics.json?${query}`);
      return reply.status === 200 ? bodyOf<{ missing: unknown }>(reply).missing : reply.status;
    };
    expect(await missing('big', 'missing=n&missing=kind&missing=od%22d')).toEqual(['od"d']);
    expect(await missing('odd', 'missing=same')).toEqual([]);
    expect(await missing('odd', 'missing=x&missing=same')).toEqual(['x']);
    await kit().db.script('insert into layers.halves (n) values (null)');
    expect(await missing('halves', 'missing=n')).toEqual([]);
    expect(await missing('big', 'missing=unheard')).toBe(400);
    expect(await missing('big', Array.from({ length: 13 }, () => 'missing=n').join('&'))).toBe(400);
    expect(await missing('secret', 'missing=n')).toBe(404);
    // No number is no value either.
    expect(await missing('unheard', 'missing=x')).toEqual(['x']);
  });

  test('no style can take the name', async () => {
    expect((await kit().portal.as('ada').put('/styles/big/statistics.json', [])).status).toBe(404);
  });

  const aggregates = async (layer: string, query: string): Promise<Aggregates> => {
    const reply = await kit().portal.visitor.get(`/ogc/collections/${layer}/aggregates?${query}`);
    if (reply.status !== 200) throw new Error(`${reply.status} ${textOf(reply.body)}`);
    return bodyOf<Aggregates>(reply);
  };
  const cql = (filter: object): string => `filter-lang=cql2-json&filter=${encodeURIComponent(JSON.stringify(filter))}`;

  test('aggregates: the largest groups are told, the others together, and every row is counted once', async () => {
    const found = await aggregates('big', 'group=kind&limit=2');
    expect(found).toMatchObject({ count: 100_000, measure: 100_000, empty: 0 });
    expect(found.groups).toEqual([
      { value: 'late 0', count: 30_000, measure: 30_000 },
      { value: 'late 1', count: 30_000, measure: 30_000 },
    ]);
    expect(found.others).toEqual({ groups: 2, count: 40_000, measure: 40_000 });
    // What has no value is a group, too.
    expect((await aggregates('big', `group=${encodeURIComponent('od"d')}`)).groups).toEqual([
      { value: null, count: 100_000, measure: 100_000 },
    ]);
  });

  test('aggregates: measures of groups and of all', async () => {
    const measured = (query: string) => aggregates('big', `${query}&of=n`);
    expect(await measured('measure=sum')).toMatchObject({ count: 100_000, measure: 5_000_050_000, groups: [] });
    expect(await measured('measure=median')).toMatchObject({ measure: 50_000.5 });
    const means = await measured('group=kind&measure=avg&limit=1');
    expect(means).toMatchObject({ measure: 50_000.5, others: { groups: 3, count: 70_000 } });
    // The mean of the others is that of their rows, not of their means.
    const [first] = means.groups;
    const rest = (5_000_050_000 - 30_000 * Number(first?.measure)) / 70_000;
    expect(Number(means.others?.measure)).toBeCloseTo(rest, 3);
    expect(await aggregates('big', 'measure=distinct&of=kind')).toMatchObject({ measure: 4 });
    expect(await aggregates('big', 'measure=max&of=day')).toMatchObject({ measure: '2020-01-10' });
    expect(await aggregates('big', 'group=kind&measure=median&of=n&limit=1')).toMatchObject({
      others: { groups: 3, measure: null },
    });
  });

  test('aggregates: classes, times and cells', async () => {
    const classes = await aggregates('big', 'group=n&bins=4');
    expect(classes).toMatchObject({ low: 1, high: 100_000, count: 100_000 });
    expect(classes.groups.map(({ count }) => count)).toEqual([25_000, 25_000, 25_000, 25_000]);
    expect(classes.groups.at(-1)).toMatchObject({ to: 100_000 });
    // What is no number is in no class, and said.
    expect(await aggregates('odd', 'group=x&bins=2')).toMatchObject({ empty: 6, groups: [{ count: 1 }, { count: 1 }] });
    expect((await aggregates('odd', 'group=same&bins=5')).groups).toEqual([{ from: 5, to: 5, count: 8, measure: 8 }]);
    const days = await aggregates('big', 'group=day&unit=auto');
    expect(days).toMatchObject({ unit: 'day', low: '2020-01-01T00:00:00Z', high: '2020-01-10T00:00:00Z' });
    expect(days.groups[0]).toEqual({ value: '2020-01-01T00:00:00Z', count: 10_000, measure: 10_000 });
    const months = await aggregates('big', 'group=day&unit=month');
    expect(months.groups).toEqual([{ value: '2020-01-01T00:00:00Z', count: 100_000, measure: 100_000 }]);
    // The newest are told.
    const last = await aggregates('big', 'group=day&unit=day&limit=2');
    expect(last.groups.map(({ value }) => value)).toEqual(['2020-01-09T00:00:00Z', '2020-01-10T00:00:00Z']);
    expect(last.others).toMatchObject({ groups: 8, count: 80_000 });
    const cells = await aggregates('big', 'group=n&across=clump&bins=2');
    expect(cells.groups.map(({ from, across_from, count }) => [from, across_from, count])).toEqual([
      [1, 0, 49_500],
      [1, 503, 500],
      [50_000.5, 0, 49_500],
      [50_000.5, 503, 500],
    ]);
  });

  test('aggregates: filters and a box are those of features', async () => {
    const early = cql({ op: 'in', args: [{ property: 'kind' }, ['early']] });
    expect(await aggregates('big', early)).toMatchObject({ count: 10_000 });
    const span = cql({ op: 't_intersects', args: [{ property: 'day' }, { interval: ['2020-01-02', '2020-01-03'] }] });
    expect(await aggregates('big', span)).toMatchObject({ count: 20_000 });
    const box = await aggregates('big', 'bbox=-180,-90,0,90');
    const items = await kit().portal.visitor.get('/ogc/collections/big/items?bbox=-180,-90,0,90&limit=1');
    expect(box.count).toBe(bodyOf<{ numberMatched: number }>(items).numberMatched);
    expect(await aggregates('big', `group=kind&${cql({ op: '=', args: [{ property: 'n' }, 0] })}`)).toMatchObject({
      count: 0,
      groups: [],
      others: null,
    });
  });

  test('aggregates: only rows that the caller sees are counted, and hidden layers are not there', async () => {
    expect(await aggregates('halves', 'measure=max&of=n')).toMatchObject({ count: 50, measure: 50 });
    const hidden = await kit().portal.visitor.get('/ogc/collections/secret/aggregates');
    expect(hidden).toMatchReply({ status: 404 });
    expect(textOf(hidden.body)).toBe(
      textOf((await kit().portal.visitor.get('/ogc/collections/nothing-at-all/aggregates')).body),
    );
  });

  test('aggregates: plain tables are counted too, without boxes and places', async () => {
    const ada = kit().portal.bearer(await kit().portal.tokenOf('ada'));
    const columns = [
      { name: 'Item', type: 'text' },
      { name: 'Price', type: 'numeric' },
    ];
    const made = await ada.post('/api/v2/layers/empty/', { title: 'Prices', geometry: 'none', columns });
    const { name } = bodyOf<{ layer: { name: string } }>(made).layer;
    await kit().db.script(`insert into layers."${name}" (item, price) values ('tea', 2), ('tea', 4), ('rum', 9)`);
    const at = `/ogc/collections/${name}/aggregates`;
    const reply = await ada.get(`${at}?group=item&measure=sum&of=price`);
    expect(bodyOf<Aggregates>(reply).groups).toEqual([
      { value: 'rum', count: 1, measure: 9 },
      { value: 'tea', count: 2, measure: 6 },
    ]);
    expect(textOf((await ada.get(`${at}?bbox=0,0,1,1`)).body)).toContain('no places');
    const place = cql({ op: 's_intersects', args: [{ property: 'geom' }, { type: 'Point', coordinates: [0, 0] }] });
    expect(textOf((await ada.get(`${at}?${place}`)).body)).toContain('no geometry');
    // The map services still do not know it.
    expect((await ada.get(`/ogc/collections/${name}`)).status).toBe(404);
  });

  test.each([
    ['group=nope', 'no column'],
    ['group=raw', 'bytes'],
    ['group=doc', 'json'],
    ['group=kind&limit=1000', 'limit'],
    ['group=kind&bins=5', 'no numbers'],
    ['group=n&bins=101', 'bins'],
    ['group=n&unit=day', 'neither dates'],
    ['group=day&unit=eon', 'unit'],
    ['group=n&across=kind', 'across'],
    ['group=n&across=clump&bins=41', 'bins'],
    ['unit=day', 'go with group'],
    ['measure=sum', 'needs a column'],
    ['measure=sum&of=kind', 'numbers'],
    ['measure=mode&of=n', 'measure'],
    ['of=n', 'count is of all'],
    ['group=kind&group=n', 'more than once'],
    ['colour=1', 'not known'],
    ['filter=nope%3D1', 'no property'],
  ])('aggregates: %s is refused', async (query, said) => {
    const reply = await kit().portal.visitor.get(`/ogc/collections/big/aggregates?${query}`);
    expect(reply.status).toBe(400);
    expect(textOf(reply.body)).toContain(said);
  });
});

type Measured = { readonly count: number; readonly measure: number | string | null };
type Aggregates = Measured & {
  readonly groups: readonly (Measured & {
    readonly value?: string | number | null;
    readonly from?: number;
    readonly to?: number;
    readonly across_from?: number;
  })[];
  readonly others: (Measured & { readonly groups: number }) | null;
  readonly empty: number;
};
