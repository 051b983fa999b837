// Numbers in filters are compared to the last digit, however they are written.

import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers } from './layer-kit.ts';
import { pictureOf } from './picture.ts';

const BIG = [
  '9007199254740993',
  '9007199254740994',
  '9007199254740995',
  '9007199254740996',
  '9223372036854775807',
  '0',
];
const EXACT = [
  '0.1',
  '0.12345678901234567890123',
  '0.12345678901234567890124',
  '-0.00',
  '12345678901234567890.5',
  '1e60',
];

onLayers('numbers in filters', {}, (kit) => {
  beforeAll(async () => {
    const rows = BIG.map((big, i) => `(${big}, ${EXACT[i]}, ${i === 0 ? "'-0'" : i / 10})`);
    await makeLayer(kit(), {
      name: 'digits',
      columns: 'big bigint, exact numeric, float double precision',
      geometry: 'Point',
      rows: `insert into $table (big, exact, float) values ${rows.join(', ')}`,
    });
  });

  const ids = async (query: string): Promise<unknown> => {
    const reply = await kit().portal.visitor.get(`/ogc/collections/digits/items?limit=100&${query}`);
    if (reply.status !== 200) return [reply.status, textOf(reply.body)];
    const { features } = JSON.parse(textOf(reply.body)) as { features: { id: number }[] };
    return features.map(({ id }) => id).sort();
  };
  const asText = (column: string, op: string, numeral: string): string =>
    `filter=${encodeURIComponent(`${column} ${op} ${numeral}`)}`;
  const asJson = (column: string, op: string, numeral: string): string =>
    `filter-lang=cql2-json&filter=${encodeURIComponent(`{"op":"${op}","args":[{"property":"${column}"},${numeral}]}`)}`;
  const FES = { '=': 'EqualTo', '<': 'LessThan', '>=': 'GreaterThanOrEqualTo', '<>': 'NotEqualTo' } as const;
  /** By WFS, in the language of its filters. */
  const idsByFes = async (column: string, op: keyof typeof FES, numeral: string): Promise<unknown> => {
    const name = `fes:PropertyIs${FES[op]}`;
    const filter = `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0"><${name}><fes:ValueReference>${column}</fes:ValueReference><fes:Literal>${numeral}</fes:Literal></${name}></fes:Filter>`;
    const query = `service=WFS&version=2.0.0&request=GetFeature&typeNames=portal:digits&outputFormat=application/json&filter=${encodeURIComponent(filter)}`;
    const reply = await kit().portal.visitor.get(`/wfs?${query}`);
    if (reply.status !== 200) return [reply.status, textOf(reply.body)];
    const { features } = JSON.parse(textOf(reply.body)) as { features: { id: number }[] };
    return features.map(({ id }) => id).sort();
  };
  const found = async (column: string, op: string, numeral: string): Promise<unknown> =>
    (
      await kit().db.query<{ fid: number }>(`select fid from layers.digits where ${column} ${op} ($1::text)::numeric`, [
        numeral,
      ])
    )
      .map(({ fid }) => Number(fid))
      .sort();

  test('a number beyond 2^53 finds its row alone', async () => {
    for (const write of [asText, asJson]) expect(await ids(write('big', '=', '9007199254740996'))).toEqual([4]);
    expect(await ids(`filter=${encodeURIComponent('big in (9007199254740993, 9007199254740995)')}`)).toEqual([1, 3]);
    expect(await ids(`filter=${encodeURIComponent('big between 9007199254740994 and 9007199254740995')}`)).toEqual([
      2, 3,
    ]);
    expect(await ids(`filter=${encodeURIComponent('big - 1 = 9007199254740995')}`)).toEqual([4]);
  });

  describe('whatever number is written, as many rows are found as PostgreSQL finds with its digits', () => {
    const numeral = fc.oneof(
      fc.constantFrom(
        ...BIG,
        ...EXACT,
        '-0',
        '-0.0',
        '1e400',
        '-1e400',
        '1e-400',
        '9223372036854775808',
        '0.5e1',
        '1E2',
      ),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 10 ** 9 }))
        .map(([whole, part]) => `${whole}.${part}`),
    );
    test.each(['big', 'exact'])('in %s', async (column) => {
      await fc.assert(
        fc.asyncProperty(
          numeral,
          fc.constantFrom('=' as const, '<' as const, '>=' as const, '<>' as const),
          async (written, op) => {
            const expected = await found(column, op, written);
            expect(await ids(asText(column, op, written))).toEqual(expected);
            expect(await ids(asJson(column, op, written))).toEqual(expected);
            expect(await idsByFes(column, op, written)).toEqual(expected);
          },
        ),
        { numRuns: 40 },
      );
    });
  });

  test('a column of doubles is compared with the nearest double, and a number beyond all of them is a mistake of the request', async () => {
    expect(await ids(asText('float', '=', '0.1'))).toEqual([2]);
    expect(await ids(asText('float', '=', '-0.0'))).toEqual([1]);
    expect(await ids(asText('float', '<', '1e400'))).toMatchObject([400, expect.any(String)]);
  });

  test('a filter has no numbers of more than a thousand digits, and calculates fifty times at most', async () => {
    for (const numeral of ['1e1001', '1e-1001', '1'.repeat(1001)])
      for (const write of [asText, asJson])
        expect(await ids(write('exact', '=', numeral))).toMatchObject([400, expect.any(String)]);
    const sum = (count: number): string => `filter=${encodeURIComponent(`big = 0${' + 1'.repeat(count)}`)}`;
    expect(await ids(sum(30))).toEqual([]);
    expect(await ids(sum(51))).toMatchObject([400, expect.any(String)]);
  });

  test('what is found at a place, pages and aggregates have all digits', async () => {
    const { visitor } = kit().portal;
    const said = async (target: string): Promise<string> => {
      const reply = await visitor.get(target);
      expect(reply.status).toBe(200);
      return textOf(reply.body);
    };
    for (const target of ['items?f=html&limit=100', 'items/4?f=html', 'aggregates?group=big'])
      expect(await said(`/ogc/collections/digits/${target}`)).toMatch(/9007199254740996\b/);
    await kit().db.script(`update layers.digits set geom = st_setsrid(st_point(10, 10), 4326) where fid = 4`);
    for (const format of ['application/json', 'application/vnd.ogc.gml', 'text/plain', 'text/html']) {
      const place = `service=WMS&version=1.3.0&request=GetFeatureInfo&layers=digits&query_layers=digits&styles=&crs=CRS:84&bbox=9,9,11,11&width=101&height=101&i=50&j=50&info_format=${format}`;
      expect(await said(`/wms?${place}`)).toContain('9007199254740996');
    }
    await kit().db.script('update layers.digits set geom = null where fid = 4');
  });

  test('a style draws the rows whose numbers are meant, whether it is sent as SLD or kept as MapLibre', async () => {
    await kit().db.script(`update layers.digits set geom = st_setsrid(st_point(fid * 10, 10), 4326)`);
    onTestFinished(() => kit().db.script('update layers.digits set geom = null'));
    const view =
      '/wms?service=WMS&version=1.3.0&request=GetMap&styles=&crs=CRS:84&bbox=0,0,70,20&width=350&height=100&format=image/png&transparent=true&layers=digits';
    /** Which of the rows are drawn. */
    const drawn = async (query: string): Promise<readonly number[]> => {
      const picture = await pictureOf(await kit().portal.visitor.get(`${view}${query}`));
      return BIG.map((_, i) => i + 1).filter((fid) => picture.at(fid * 50, 50)[3] > 0);
    };
    const ogc = (filter: string): string =>
      `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>digits</Name><UserStyle><FeatureTypeStyle><Rule><ogc:Filter>${filter}</ogc:Filter><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></Mark><Size>10</Size></Graphic></PointSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    const compared = (name: string, numeral: string): string =>
      ogc(`<ogc:${name}><ogc:PropertyName>big</ogc:PropertyName><ogc:Literal>${numeral}</ogc:Literal></ogc:${name}>`);
    const sent = async (sld: string): Promise<readonly number[]> => drawn(`&sld_body=${encodeURIComponent(sld)}`);
    expect(await sent(compared('PropertyIsEqualTo', '9007199254740995'))).toEqual([3]);
    expect(await sent(compared('PropertyIsGreaterThan', '9007199254740995'))).toEqual([4, 5]);
    expect(await sent(compared('PropertyIsLessThan', '9007199254740994'))).toEqual([1, 6]);
    const kept = async (filter: string): Promise<readonly number[]> => {
      const layers = `[{"id":"a","type":"circle","filter":${filter},"paint":{"circle-color":"#ff0000"}}]`;
      const reply = await kit()
        .portal.as('admin')
        .put('/styles/digits/exact.json', layers, { 'content-type': 'application/json' });
      expect([200, 201]).toContain(reply.status);
      return drawn('&styles=exact');
    };
    expect(await kept('["==",["get","big"],9007199254740995]')).toEqual([3]);
    expect(await kept('["in","big",9007199254740993,9223372036854775807]')).toEqual([1, 5]);
    expect(await kept('["==",["get","exact"],0.12345678901234567890124]')).toEqual([3]);
  });

  test('coordinates may have any number of digits', async () => {
    const box = '[-180.00000000000000001,-90,180.123456789012345678,90]';
    const filter = `{"op":"s_intersects","args":[{"property":"geom"},{"bbox":${box}}]}`;
    expect(await ids(`filter-lang=cql2-json&filter=${encodeURIComponent(filter)}`)).toEqual([]);
  });
});
