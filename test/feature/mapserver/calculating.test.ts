// Columns calculated by expressions and given other types: tried, done, undone; by whom, and in which rows.

import { beforeAll, expect, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

type Json = Record<string, unknown>;

onLayers('calculating', {}, (kit) => {
  let id = 0;
  const ada = () => kit().portal.as('ada');
  const path = (rest: string): string => `/api/v2/layers/${id}/${rest}`;
  const rows = async (columns: string, table = 'shops'): Promise<unknown> => {
    const found = await kit().db.query<{ j: unknown }>(
      `select json_agg(json_build_array(${columns}) order by fid) as j from layers.${table}`,
    );
    return found[0]?.j;
  };
  const preview = (wanted: Json) => ada().post(path('calculate/preview/'), wanted);
  const values = async (expression: unknown): Promise<unknown> => {
    const reply = await preview({ new_column: { name: 'x' }, expression });
    if (reply.status !== 200) return bodyOf(reply);
    return (bodyOf(reply)['changes'] as Json[]).map(({ after }) => after);
  };

  beforeAll(async () => {
    id = await makeLayer(kit(), {
      name: 'shops',
      columns: `name text, code varchar(5), price text, n integer, opened date, seen timestamptz, big numeric(20,2), health text`,
      geometry: 'MultiPolygon',
      srid: 3857,
      rows: `insert into $table (name, code, price, n, opened, seen, big, geom) values
        ('  Café Blüte ', 'a', '12.50', 3, '2020-02-29', '2020-02-29T23:30:00Z', 1.25, st_transform(st_geomfromtext('MULTIPOLYGON(((7 0, 7.001 0, 7.001 0.001, 7 0.001, 7 0)))', 4326), 3857)),
        ('Bakery', 'b', 'n/a', null, null, null, null, null),
        ('Kiosk', 'c', ' 1e2 ', -7, '2021-01-01', '2021-01-01T00:00:00Z', 12345678901234567.89, st_transform(st_geomfromtext('MULTIPOLYGON(((8 50, 8.001 50, 8.001 50.001, 8 50.001, 8 50)))', 4326), 3857))`,
    });
    await setPerms(kit(), id, OPEN);
  });

  test.each([
    [`upper(trim(name))`, ['CAFÉ BLÜTE', 'BAKERY', 'KIOSK']],
    [`concat(code, ': ', n)`, ['a: 3', 'b: ', 'c: -7']],
    [`replace(name, 'Bak', 'Cak')`, ['  Café Blüte ', 'Cakery', 'Kiosk']],
    [`substring(trim(name), 2, 3)`, ['afé', 'ake', 'ios']],
    [`length(trim(name)) + position(name, 'k') * 10`, [10, 36, 55]],
    [`split(trim(name), ' ', 2)`, ['Blüte', '', '']],
    [`round(n / 2, 1)`, [1.5, -3.5]],
    [`floor(n / 2) + ceil(n / 2) * 100 + abs(n) * 1000`, [3201, 6696]],
    [`coalesce(n, 0) + 1`, [4, 1, -6]],
    [`if(n > 0, 'more', if(n IS NULL, 'nothing', 'less'))`, ['more', 'nothing', 'less']],
    [`nullif(name, 'Kiosk')`, ['  Café Blüte ', 'Bakery']],
    [`least(n, 0)`, [0, 0, -7]],
    [`big * 2`, [2.5, 24691357802469136]],
    [`year(opened) * 10000 + month(seen) * 100 + day(seen)`, [20200229, 20210101]],
    [`days_between(opened, DATE('2020-03-01'))`, [1, -306]],
    [`days_between(seen, TIMESTAMP('2020-03-01T11:30:00Z'))`, [0.5, -305.5208333333333]],
    [`to_integer(code = 'a')`, { expression: [expect.stringContaining('The expression cannot be read')] }],
    [`to_date('29.02.2020')`, ['2020-02-29', '2020-02-29', '2020-02-29']],
    [`to_timestamp('2020-02-29 10:00+01:00')`, Array(3).fill('2020-02-29T09:00:00+00:00')],
    [`round(area(geom))`, [12309, 7975]],
    [`round(perimeter(geom))`, [444, 366]],
    [`round(length(geom))`, [0, 0]],
    [`round(centroid_x(geom), 4)`, [7.0005, 8.0005]],
    [`round(distance(geom, POINT(7.002 0)))`, [111, 5541664]],
    [{ op: 'upper', args: [{ property: 'code' }] }, ['A', 'B', 'C']],
  ])('%s', async (expression, expected) => {
    expect(await values(expression)).toEqual(expected);
  });

  test.each([
    [`upper(`, 'The expression ends too soon.'],
    [`nothing + 1`, 'There is no property "nothing".'],
    [`name + 1`, 'Texts are not calculated with: "to_number" reads a number, "concat" joins texts.'],
    [`opened + 1`, 'Dates are not calculated with: "days_between" tells how far they are apart.'],
    [`round(name)`, '"round" takes a number: "to_number" reads one.'],
    [`area(name)`, 'A geometry was expected, such as "geom".'],
    [`geom`, '"geom" is a geometry: only functions of geometries take it.'],
    [
      `coalesce(n, name)`,
      'The values of "coalesce" are of different kinds: "to_text" and "to_number" make them alike.',
    ],
    [
      `replace(replace(name, 'a', 'aaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaa')`,
      'The texts would grow to more than 100 times their length.',
    ],
    [`replace(name, code, '')`, expect.stringContaining('both are written in single quotes')],
    [`round(n, 400)`, '"round" takes a number of digits from -15 to 15.'],
    [`abs(${'abs('.repeat(60)}n${')'.repeat(60)})`, expect.stringMatching(/nested too deeply|at most 50/i)],
  ])('what cannot be meant is said: %.60s', async (expression, said) => {
    expect(await values(expression)).toEqual({ expression: [said] });
  });

  test('a preview counts, and shows rows before and after; nothing is changed', async () => {
    const wanted = { column: 'n', expression: 'to_number(price) * 2' };
    expect(bodyOf(await preview(wanted))).toEqual({
      type: 'integer',
      rows: { matching: 3, changed: 2, unreadable: 1 },
      changes: [
        { key: 1, values: { price: '12.50' }, before: 3, after: 25 },
        { key: 3, values: { price: ' 1e2 ' }, before: -7, after: 200 },
      ],
      unreadable: [{ key: 2, values: { price: 'n/a' }, before: null, after: null }],
    });
    expect(bodyOf(await preview({ ...wanted, filter: "price <> 'n/a'" }))).toMatchObject({
      rows: { matching: 2, changed: 2, unreadable: 0 },
    });
    expect(await rows('n')).toEqual([[3], [null], [-7]]);
  });

  test('values that cannot be read refuse all of it, unless it is said what becomes of them', async () => {
    const wanted = { column: 'n', expression: 'to_number(price) * 2' };
    const refused = await ada().post(path('calculate/'), wanted);
    expect([refused.status, textOf(refused.body)]).toEqual([
      400,
      expect.stringContaining('1 of 3 values cannot be read'),
    ]);
    expect(await rows('n')).toEqual([[3], [null], [-7]]);
    const done = bodyOf(await ada().post(path('calculate/'), { ...wanted, unreadable: 'keep' }));
    expect(done).toMatchObject({ column: 'n', rows: { matching: 3, changed: 2, unreadable: 1, held_back: 0 } });
    expect(await rows('n')).toEqual([[25], [null], [200]]);
    const history = bodyOf(await ada().get(`/api/v2/layers/${id}/history/?limit=1`));
    expect(history).toMatchObject({ edits: [{ kind: 'bulk', bulk: 'calculate', rows: 2, by: 'ada' }] });
    const undone = await ada().post(path(`kept/${String(done['kept'])}/restore/`));
    expect(bodyOf(undone)).toEqual({ rows: { before: 3, after: 3, restored: 2, stayed: 0 } });
    expect(await rows('n')).toEqual([[3], [null], [-7]]);
  });

  test('undoing leaves what somebody has changed since', async () => {
    const wanted = { column: 'health', expression: "concat('was ', code)", filter: 'fid in (1, 2)' };
    const { kept } = bodyOf(await ada().post(path('calculate/'), wanted));
    expect(await rows('health')).toEqual([['was a'], ['was b'], [null]]);
    await ada().patch('/ogc/collections/shops/items/2', { properties: { health: 'mine' } });
    expect(bodyOf<{ kept: Json[] }>(await ada().get(path('kept/'))).kept[0]).toMatchObject({
      id: kept,
      kind: 'calculate',
      column: 'health',
      rows: 2,
    });
    expect(bodyOf(await ada().post(path(`kept/${String(kept)}/restore/`)))).toMatchObject({
      rows: { restored: 1, stayed: 1 },
    });
    expect(await rows('health')).toEqual([[null], ['mine'], [null]]);
    await ada().patch('/ogc/collections/shops/items/2', { properties: { health: null } });
  });

  test('a new column has a type that suits, and goes again', async () => {
    const done = bodyOf(
      await ada().post(path('calculate/'), { new_column: { name: 'Area (m²)' }, expression: 'round(area(geom), 1)' }),
    );
    expect(done).toMatchObject({ column: 'area_m²', type: 'double precision', rows: { matching: 3, changed: 2 } });
    expect(await rows('"area_m²"')).toEqual([[12309.1], [null], [7974.6]]);
    await ada().post(path(`kept/${String(done['kept'])}/restore/`));
    const { columns } = bodyOf(await ada().get(path('columns/'))) as { columns: { name: string }[] };
    expect(columns.map(({ name }) => name)).not.toContain('area_m²');
  });

  test('the type of a column is changed after it was tried, and back', async () => {
    const tried = bodyOf(await ada().post(path('columns/price/type/preview/'), { type: 'double precision' }));
    expect(tried).toMatchObject({
      rows: { matching: 3, changed: 2, unreadable: 1 },
      unreadable: [{ key: 2, values: { price: 'n/a' } }],
    });
    const refused = await ada().post(path('columns/price/type/'), { type: 'double precision' });
    expect([refused.status, textOf(refused.body)]).toEqual([400, expect.stringContaining('1 of 3 values')]);
    const done = bodyOf(
      await ada().post(path('columns/price/type/'), { type: 'double precision', unreadable: 'empty' }),
    );
    expect(done).toMatchObject({ rows: 3, unreadable: 1 });
    expect(await rows('price, pg_typeof(price)::text')).toEqual([
      [12.5, 'double precision'],
      [null, 'double precision'],
      [100, 'double precision'],
    ]);
    await ada().patch('/ogc/collections/shops/items/3', { properties: { price: 99 } });
    const undone = bodyOf(await ada().post(path(`kept/${String(done['kept'])}/restore/`)));
    expect(undone).toMatchObject({ rows: { restored: 2, stayed: 1 } });
    expect(await rows('price, pg_typeof(price)::text')).toEqual([
      ['12.50', 'text'],
      ['n/a', 'text'],
      ['99', 'text'],
    ]);
    await ada().patch('/ogc/collections/shops/items/3', { properties: { price: ' 1e2 ' } });
  });

  test('the key, and what the database fills, stay as they are', async () => {
    for (const column of ['fid', 'geom', 'nothing'])
      expect((await ada().post(path('calculate/'), { column, expression: '1' })).status).toBe(400);
    expect((await ada().post(path('columns/fid/type/'), { type: 'text' })).status).toBe(400);
  });

  test('where callers take turns, more rows than are calculated at once are not tried either', async () => {
    if (kit().db.driver.can.overlap) return;
    const many = await makeLayer(kit(), {
      name: 'many',
      columns: 'n integer',
      geometry: 'Point',
      rows: 'insert into $table (n) select generate_series(1, 20001)',
    });
    await setPerms(kit(), many, OPEN);
    const wanted = { column: 'n', expression: 'n + 1' };
    const tried = (over: Json = {}) => ada().post(`/api/v2/layers/${many}/calculate/preview/`, { ...wanted, ...over });
    const reply = await tried();
    expect([reply.status, textOf(reply.body)]).toEqual([400, expect.stringContaining('At most 20000 rows')]);
    expect(bodyOf(await tried({ filter: 'n <= 20000' }))).toMatchObject({ rows: { matching: 20_000 } });
  });

  test('who may see but not edit tries nothing and changes nothing; others do not know of it', async () => {
    const wanted = { column: 'n', expression: '1' };
    for (const rest of ['calculate/preview/', 'calculate/']) {
      expect((await kit().portal.as('bob').post(path(rest), wanted)).status).toBe(403);
      expect((await kit().portal.visitor.post(path(rest), wanted)).status).toBe(401);
    }
    const mine = await makeLayer(kit(), {
      name: 'mine',
      columns: 'n integer',
      geometry: 'Point',
      rows: 'insert into $table (n) values (1)',
    });
    await setPerms(kit(), mine, { users: {}, groups: {} });
    for (const rest of ['calculate/preview/', 'calculate/', 'columns/n/type/'])
      expect(
        (
          await kit()
            .portal.as('bob')
            .post(`/api/v2/layers/${mine}/${rest}`, rest.includes('type') ? { type: 'text' } : wanted)
        ).status,
      ).toBe(404);
  });

  test('rules of the table decide which rows are read and written, and columns that are not granted are not read', async () => {
    const own = await makeLayer(kit(), {
      name: 'ruled',
      columns: 'n integer, of text, secret text, note text',
      geometry: 'Point',
      rows: `insert into $table (n, of, secret) values (1, 'ada', 'x'), (2, 'bob', 'y'), (3, 'bob', 'z')`,
    });
    await setPerms(kit(), own, OPEN);
    await kit().db.script(`
      create policy own_rows on layers.ruled as restrictive for all to survest_user using (of <> 'bob' or n = 2);
      create policy not_two on layers.ruled as restrictive for update to survest_user using (n <> 2);
      revoke select on layers.ruled from survest_user;
      grant select (fid, n, of, note, geom) on layers.ruled to survest_user;`);
    const on = (rest: string): string => `/api/v2/layers/${own}/${rest}`;
    expect(bodyOf(await ada().post(on('calculate/preview/'), { column: 'n', expression: 'n * 10' }))).toMatchObject({
      rows: { matching: 2, changed: 2 },
    });
    expect((await ada().post(on('calculate/preview/'), { column: 'of', expression: 'secret' })).status).toBe(403);
    expect((await ada().post(on('calculate/'), { column: 'of', expression: 'upper(secret)' })).status).toBe(403);
    const done = bodyOf(await ada().post(on('calculate/'), { column: 'n', expression: 'n * 10' }));
    expect(done).toMatchObject({ rows: { matching: 2, changed: 1, held_back: 1 } });
    expect(await rows('n', 'ruled')).toEqual([[10], [2], [3]]);
    // Who sees other rows may not bring back what others have changed.
    expect(
      (
        await kit()
          .portal.as('mia')
          .post(on(`kept/${String(done['kept'])}/restore/`))
      ).status,
    ).toBe(403);
    expect((await ada().post(on(`kept/${String(done['kept'])}/restore/`))).status).toBe(200);
    // A change of type is one of all rows: what cannot be read in rows that are hidden refuses it.
    await kit().db.script(`update layers.ruled set note = case n when 3 then 'ten' else '5' end`);
    const retyped = await ada().post(on('columns/note/type/'), { type: 'integer', unreadable: 'empty' });
    expect([retyped.status, textOf(retyped.body)]).toEqual([400, expect.stringContaining('rows that you do not see')]);
  });
});
