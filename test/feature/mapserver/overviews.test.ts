// Layers with more features than a tile can show: what is drawn instead, whether it is the data, who sees it, and how soon it follows an edit.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildDue, type OverviewJobParts } from '../../../src/mapserver/overviews/overview-job.ts';
import { overviewParts } from '../../../src/server/portal/open-overviews.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { scriptAs } from '../portal/on-catalogue.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';
import { isNear, type Picture, pictureOf } from './picture.ts';

type Feature = {
  readonly id: number | undefined;
  readonly properties: Record<string, unknown>;
  readonly box: readonly number[];
};

function featuresOf({ body }: Reply): Feature[] {
  const [layer] = Object.values(new VectorTile(new PbfReader(body as Uint8Array)).layers);
  return Array.from({ length: layer?.length ?? 0 }, (_, i) => {
    const feature = layer?.feature(i);
    return { id: feature?.id, properties: feature?.properties ?? {}, box: feature?.bbox() ?? [] };
  });
}

function countOf(features: readonly Feature[]): number {
  return features.reduce((sum, { properties }) => sum + Number(properties['_count'] ?? 1), 0);
}

function areaOf(features: readonly Feature[]): number {
  return features.reduce((sum, { box: [a = 0, b = 0, c = 0, d = 0] }) => sum + (c - a) * (d - b), 0);
}

const POINTS = 52_000;
const TOWN = 20_000;
/** Squares of 100 metres side by side, along each edge. */
const SIDE = 150;
const BOARD = SIDE * SIDE;
const DOTS = [
  { id: 'c', type: 'circle', paint: { 'circle-color': '#ff0000', 'circle-radius': 1, 'circle-stroke-width': 0 } },
];
const MERCATOR = 20_037_508.342789244;

onLayers('overviews', {}, (kit) => {
  let points = 0;
  const failures: unknown[] = [];
  const parts = (): OverviewJobParts => overviewParts(kit().callerDb, (error) => failures.push(error));
  const due = (): Promise<number> => buildDue(parts(), new AbortController().signal);
  const tile = (layer: string, z: number, x: number, y: number, query = ''): Promise<Reply> =>
    kit().portal.visitor.get(`/tiles/${layer}/${z}/${x}/${y}.mvt${query}`);
  const overviewOf = async (layer: string): Promise<Record<string, unknown>> => {
    const { body } = await kit().portal.visitor.get(`/tiles/${layer}.json`);
    const json = JSON.parse(textOf(body)) as { vector_layers: readonly { overview?: Record<string, unknown> }[] };
    return json.vector_layers[0]?.overview ?? {};
  };

  const makeTown = (name: string): Promise<number> =>
    makeLayer(kit(), {
      name,
      columns: 'name text',
      geometry: 'Point',
      rows: `insert into $table (name, geom)
        select 'p' || i, public.st_setsrid(public.st_makepoint(8 + (i * 7919 % 4001) * 0.0005, 46 + (i * 104729 % 3989) * 0.0005), 4326)
          from generate_series(1::bigint, ${TOWN}) i`,
    });
  const putStyle = async (layer: string, name: string, style: readonly object[]): Promise<void> => {
    const reply = await kit().portal.as('ada').put(`/styles/${layer}/${name}.json`, style);
    expect(reply.status).toBeLessThan(300);
  };
  /** What was there until the overviews were prepared, and how many these were. */
  let before:
    | {
        readonly spots: Record<string, unknown>;
        readonly counted: number;
        readonly few: Reply;
        readonly due: readonly number[];
      }
    | undefined;

  beforeAll(async () => {
    // Spread over 8 by 8 degrees, in rows; one class after the other, as exports often are.
    points = await makeLayer(kit(), {
      name: 'spots',
      columns: 'name text, class text, height double precision',
      geometry: 'Point',
      rows: `insert into $table (name, class, height, geom)
        select 'Spot ' || i, case when i < ${POINTS} / 4 then 'rare' else 'common' end, i % 100,
               public.st_setsrid(public.st_makepoint(8 + (i * 7919 % 4001) * 0.002, 46 + (i * 104729 % 3989) * 0.002), 4326)
          from generate_series(1::bigint, ${POINTS}) i`,
    });
    // A checkerboard of two kinds, a third of them in large fields of one kind; numbers grow from west to east. One feature is far larger.
    await makeLayer(kit(), {
      name: 'board',
      columns: 'kind text, code integer, rent double precision',
      geometry: 'Polygon',
      srid: 3857,
      rows: `insert into $table (kind, code, rent, geom)
        select case when (i + j) % 2 = 0 then 'even' else 'odd' end, (i + j) % 3, i,
               public.st_makeenvelope(1000000 + i * 100, 6000000 + j * 100, 1000100 + i * 100, 6000100 + j * 100, 3857)
          from generate_series(0, ${SIDE - 1}) i, generate_series(0, ${SIDE - 1}) j;
        insert into $table (kind, code, rent, geom) values ('lake', 7, 0, public.st_makeenvelope(900000, 6000000, 950000, 6050000, 3857))`,
    });
    await makeTown('town');
    await makeLayer(kit(), {
      name: 'few',
      columns: 'name text',
      geometry: 'Point',
      rows: `insert into $table (name, geom) select 'p' || i, public.st_setsrid(public.st_makepoint(i, i), 4326) from generate_series(1, 50) i`,
    });
    await putStyle('spots', 'dots', DOTS);
    before = {
      spots: await overviewOf('spots'),
      counted: countOf(featuresOf(await tile('spots', 4, 8, 5))),
      few: await tile('few', 0, 0, 0),
      due: [await due(), await due()],
    };
  });

  test('before it is prepared, a tile has cells of a sample that stand for all features, and says so', () => {
    expect(before?.spots).toMatchObject({ kind: 'cells', state: 'preparing' });
    expect((before?.counted ?? 0) / POINTS).toBeGreaterThan(0.8);
    expect((before?.counted ?? 0) / POINTS).toBeLessThan(1.2);
  });

  test('layers of many features get an overview, and small ones and their tiles stay what they are', async () => {
    expect(before?.due).toEqual([3, 0]);
    expect(failures).toEqual([]);
    const after = await tile('few', 0, 0, 0);
    expect(Buffer.compare(Buffer.from(after.body as Uint8Array), Buffer.from(before?.few.body as Uint8Array))).toBe(0);
    expect(await overviewOf('few')).toEqual({});
  });

  test('a tile of very many points has cells of four pixels, which have all of them', async () => {
    const reply = await tile('spots', 4, 8, 5);
    const features = featuresOf(reply);
    expect(features.length).toBeLessThan(16_500);
    expect(countOf(features)).toBe(POINTS);
    expect(features.every(({ id }) => id === undefined)).toBe(true);
    expect((reply.body as Uint8Array).length).toBeLessThan(500_000);
  });

  test('that maps show cells is said in the language of the reader: in capabilities, and below legends', async () => {
    const ask = (query: string, language: string): Promise<Reply> =>
      kit().portal.visitor.get(`/wms/spots?SERVICE=WMS&VERSION=1.3.0&${query}`, { 'accept-language': language });
    const about = async (query: string, language: string): Promise<string> =>
      textOf((await ask(`REQUEST=GetCapabilities${query}`, language)).body);
    expect(await about('', 'nl')).toContain('features are summarised in cells of 4 pixels');
    expect(await about('', 'de-CH')).toContain('Objekte in Zellen von 4 Pixeln zusammengefasst');
    expect(await about('&LANGUAGE=fre', 'de')).toContain('les entités sont regroupées en cellules de 4 pixels');
    expect(await about('&AcceptLanguages=es', 'de')).toContain('las entidades se agrupan en celdas de 4 píxeles');
    const legend = (language: string): Promise<Reply> =>
      ask('REQUEST=GetLegendGraphic&LAYER=spots&FORMAT=image/png&SCALE=20000000', language);
    const [english, french] = [await legend('en'), await legend('fr')];
    expect(headerOf(english, 'vary')).toContain('Accept-Language');
    expect((await pictureOf(french)).width).toBeGreaterThan((await pictureOf(english)).width);
  });

  test('classes keep their shares and numbers their mean, and what is different in every feature is left out', async () => {
    for (const [z, x, y] of [
      [0, 0, 0],
      [4, 8, 5],
      [5, 17, 11],
    ] as const) {
      const features = featuresOf(await tile('spots', z, x, y));
      expect(features.some(({ properties }) => 'name' in properties)).toBe(false);
      const total = countOf(features);
      const mean = features.reduce(
        (sum, { properties }) => sum + Number(properties['height']) * Number(properties['_count']),
        0,
      );
      expect(mean / total).toBeGreaterThan(48);
      expect(mean / total).toBeLessThan(51);
      if (features.length < 1000) continue;
      const rare = features.filter(({ properties }) => properties['class'] === 'rare').length;
      expect(Math.abs(rare / features.length - 0.25)).toBeLessThan(0.03);
    }
  });

  test('what is decided for a zoom holds for every tile of it', async () => {
    const { maxzoom } = (await overviewOf('spots')) as { maxzoom: number };
    const has = async (z: number): Promise<Set<boolean>> => {
      const found = new Set<boolean>();
      const at = (lon: number, lat: number): readonly [number, number] => [
        Math.floor(((lon + 180) / 360) * 2 ** z),
        Math.floor((0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)) * 2 ** z),
      ];
      // The middle, and corners where a tile has few.
      for (const place of [at(12, 50), at(8.001, 46.001), at(15.99, 53.9)])
        for (const { properties } of featuresOf(await tile('spots', z, ...place))) found.add('_count' in properties);
      return found;
    };
    expect(await has(maxzoom)).toEqual(new Set([true]));
    expect(await has(maxzoom + 1)).toEqual(new Set([false]));
  });

  describe('a board of areas', () => {
    /** Tiles of a zoom in which there is something of the board. */
    const tilesOf = (z: number): readonly (readonly [number, number])[] => {
      const at = (metres: number): number => Math.floor(((metres + MERCATOR) / (2 * MERCATOR)) * 2 ** z);
      const found: (readonly [number, number])[] = [];
      for (let x = at(1_000_000); x <= at(1_000_000 + SIDE * 100 - 1); x++)
        for (let y = at(-6_000_000 - SIDE * 100 + 1); y <= at(-6_000_000); y++) found.push([x, y]);
      return found;
    };

    test('is covered without gaps and overlaps at every zoom, and every feature is counted once', async () => {
      const { maxzoom } = (await overviewOf('board')) as { maxzoom: number };
      expect(maxzoom).toBeGreaterThan(8);
      for (let z = 4; z <= maxzoom; z++) {
        let [counted, covered] = [0, 0];
        for (const [x, y] of tilesOf(z)) {
          const features = featuresOf(await tile('board', z, x, y)).filter(
            ({ properties }) => properties['kind'] !== 'lake',
          );
          counted += countOf(features.filter(({ properties }) => '_count' in properties));
          covered += areaOf(features.filter(({ properties }) => '_count' in properties));
        }
        const whole = (((SIDE * 100) / (2 * MERCATOR)) * 2 ** z * 4096) ** 2;
        expect(counted, `zoom ${z}`).toBe(BOARD);
        // The edge cells may be filled in part.
        const edge = 4 * Math.sqrt(whole) * 32;
        expect(Math.abs(covered - whole), `zoom ${z}`).toBeLessThan(edge + 1);
      }
    });

    test('has the share of its kinds and the mean of its numbers in every tile', async () => {
      for (let z = 7; z <= 11; z++)
        for (const [x, y] of tilesOf(z)) {
          const cells = featuresOf(await tile('board', z, x, y)).filter(({ properties }) => '_count' in properties);
          if (cells.length < 400) continue;
          const even = areaOf(cells.filter(({ properties }) => properties['kind'] === 'even')) / areaOf(cells);
          expect(Math.abs(even - 0.5), `${z}/${x}/${y}`).toBeLessThan(0.06);
          // Codes are no numbers of which there could be a mean.
          expect(cells.every(({ properties }) => [0, 1, 2].includes(Number(properties['code'])))).toBe(true);
          // Rents grow from west to east, and so do those of cells.
          const west = Math.min(...cells.map(({ box }) => box[0] ?? 0));
          for (const { box, properties } of cells) {
            const metre = 4096 / ((2 * MERCATOR) / 2 ** z);
            const expected = (((box[0] ?? 0) + (box[2] ?? 0)) / 2 - west) / metre / 100;
            expect(Math.abs(Number(properties['rent']) - expected - firstRent(z, x)), `${z}/${x}/${y}`).toBeLessThan(
              4 + 4 / metre / 100,
            );
          }
        }
      function firstRent(z: number, x: number): number {
        const west = (x / 2 ** z) * 2 * MERCATOR - MERCATOR;
        return Math.max(0, (west - 1_000_000) / 100);
      }
    });

    test('a feature that fills a cell is drawn as it is, with its id and its place', async () => {
      const span = (2 * MERCATOR) / 2 ** 5;
      const [x, y] = [Math.floor((925_000 + MERCATOR) / span), Math.floor((MERCATOR - 6_025_000) / span)];
      const lake = featuresOf(await tile('board', 5, x, y)).find(({ properties }) => properties['kind'] === 'lake');
      expect(lake?.id).toBe(BOARD + 1);
      expect(lake?.properties['_count']).toBeUndefined();
      expect((lake?.box[2] ?? 0) - (lake?.box[0] ?? 0)).toBeCloseTo((50_000 / span) * 4096, -1);
    });
  });

  test('the description of tiles says up to which zoom they have cells, and what of the columns', async () => {
    expect(await overviewOf('spots')).toEqual({
      kind: 'cells',
      maxzoom: expect.any(Number),
      pixels: 4,
      count: '_count',
      numbers: ['height'],
      categories: ['class'],
      features: POINTS,
      state: 'ready',
    });
  });

  test('a column that would be left out is in the tile of whoever asks for it', async () => {
    const asked = (query: string): Promise<Reply> => tile('town', 4, 8, 5, query);
    const before = await asked('');
    expect(featuresOf(before).some(({ properties }) => 'name' in properties)).toBe(false);
    const named = await asked('?column=name');
    expect(featuresOf(named).every(({ properties }) => /^p\d+$/.test(String(properties['name'])))).toBe(true);
    // They are two tiles, to caches as well.
    expect(headerOf(named, 'etag')).not.toBe(headerOf(before, 'etag'));
    for (const query of [
      '?column=nothing',
      '?column=',
      `?${Array.from({ length: 13 }, (_, i) => `column=c${i}`).join('&')}`,
    ])
      expect(await asked(query), query).toMatchReply({ status: 400 });
  });

  test('a filter is applied before features are aggregated; where few pass, they are drawn as they are', async () => {
    const rare = featuresOf(await tile('spots', 4, 8, 5, "?filter=class='rare'"));
    expect(rare.every(({ properties }) => properties['class'] === 'rare')).toBe(true);
    expect(Math.abs(countOf(rare) / (POINTS / 4) - 1)).toBeLessThan(0.25);
    const few = featuresOf(await tile('spots', 4, 8, 5, '?filter=height=7'));
    expect(few).toHaveLength(POINTS / 100);
    expect(few.every(({ id, properties }) => id !== undefined && /^Spot \d+$/.test(String(properties['name'])))).toBe(
      true,
    );
  });

  test('with a filter, the description says whether so few features pass that tiles have them as they are', async () => {
    const described = async (filter: string): Promise<Record<string, unknown> | undefined> => {
      const { body } = await kit().portal.visitor.get(`/tiles/spots.json?filter=${encodeURIComponent(filter)}`);
      const json = JSON.parse(textOf(body)) as {
        tiles: readonly string[];
        vector_layers: readonly { overview?: Record<string, unknown> }[];
      };
      expect(json.tiles[0]).toContain(`?filter=${encodeURIComponent(filter)}`);
      return json.vector_layers[0]?.overview;
    };
    expect(await described("class='rare'")).toMatchObject({ kind: 'cells' });
    expect(await described('height=7')).toBeUndefined();
    expect(await kit().portal.visitor.get('/tiles/spots.json?filter=nothing=7')).toMatchReply({ status: 400 });
  });

  test('a picture of those that pass a filter has what tiles with the filter have', async () => {
    const features = featuresOf(await tile('spots', 4, 8, 5, '?filter=height=7'));
    const picture = await pictureOfTile('spots', 4, 8, 5, 'dots', '&CQL_FILTER=height=7');
    const isRed = (x: number, y: number): boolean => {
      const [red = 0, green = 0, , alpha = 0] = picture.at(x, y);
      return alpha > 0 && red > green + 60;
    };
    const places = features
      .map(({ box }) => [Math.floor((box[0] ?? 0) / 8), Math.floor((box[1] ?? 0) / 8)] as const)
      .filter(([x, y]) => x > 0 && y > 0 && x < 511 && y < 511);
    expect(places.length).toBeGreaterThan(300);
    const isSeen = ([x, y]: readonly [number, number]): boolean =>
      [-1, 0, 1].some((dx) => [-1, 0, 1].some((dy) => isRed(x + dx, y + dy)));
    expect(places.filter((place) => !isSeen(place))).toEqual([]);
    let red = 0;
    for (let x = 0; x < 512; x++) for (let y = 0; y < 512; y++) if (isRed(x, y)) red += 1;
    expect(red).toBeLessThan(places.length * 9);
  });

  test('a style of the layer, or one that a map has of its own for it, brings its columns into cells', async () => {
    const harbour = await makeTown('harbour');
    while ((await due()) > 0);
    const look = (column: string) => [{ id: 'c', type: 'circle', paint: { 'circle-color': ['get', column] } }];
    const addMap = async (name: string, params: object): Promise<void> => {
      await scriptAs(
        kit().portal,
        'ada',
        `insert into portal.resource (resource_type, title, name, zoom, projection, center_x, center_y) values ('map', 'A map', '${name}', 4, 'EPSG:3857', 10, 51)`,
      );
      await scriptAs(
        kit().portal,
        'ada',
        `insert into portal.map_layer (map_id, layer_id, layer_params) select id, ${harbour}, '${JSON.stringify(params)}' from portal.resource where name = '${name}'`,
      );
    };
    await addMap('plain', { opacity: 1 });
    expect(await due()).toBe(0);
    expect(await overviewOf('harbour')).toMatchObject({ categories: [] });
    await addMap('looked', { 'survest:style': look('name') });
    expect(await due()).toBe(1);
    expect(await overviewOf('harbour')).toMatchObject({ categories: ['name'] });
    const [one] = featuresOf(await tile('harbour', 4, 8, 5));
    expect(one?.properties['name']).toMatch(/^p\d+$/);
    await kit().db.script(`delete from portal.resource where resource_type = 'map' or id = ${harbour}`);
    expect(failures).toEqual([]);
  });

  test('one follows its layer: row by row, after a process that ended over it, and after many rows at once', async () => {
    while ((await due()) > 0);
    const village = await makeTown('village');
    const counted = async (z: number, x: number, y: number): Promise<number> =>
      countOf(featuresOf(await tile('village', z, x, y)));
    expect(await due()).toBe(1);
    expect(await counted(5, 16, 11)).toBe(TOWN);

    await kit().db.script(`
      insert into layers.village (fid, name, geom) values (900001, 'New', public.st_setsrid(public.st_makepoint(9, 47), 4326));
      update layers.village set geom = public.st_setsrid(public.st_makepoint(-60, -20), 4326) where fid = 7;
      delete from layers.village where fid in (8, 9)`);
    expect(await overviewOf('village'), 'one row added, one moved, two deleted').toMatchObject({ state: 'updating' });
    expect(await due()).toBe(1);
    expect(await overviewOf('village')).toMatchObject({ state: 'ready' });
    for (const z of [0, 1]) expect(await counted(z, z, 0), `zoom ${z}`).toBe(z === 0 ? TOWN - 1 : TOWN - 2);
    expect(await counted(5, 16, 11)).toBe(TOWN - 2);
    expect(await counted(5, 10, 17)).toBe(1);
    expect(await due()).toBe(0);

    const isGone = { ...parts(), store: { ...parts().store, finish: () => Promise.reject(new Error('killed')) } };
    await kit().db.script(`update portal_private.overview set stale = true where resource_id = ${village}`);
    await expect(buildDue(isGone, new AbortController().signal)).rejects.toThrow('killed');
    expect(await due(), 'begun by a process that ended, it is made from the beginning').toBe(1);
    expect(await due()).toBe(0);

    await kit().db.script(`
      insert into layers.village (name, geom)
        select 'more', public.st_setsrid(public.st_makepoint(20 + i * 0.01, 10 + i % 50), 4326) from generate_series(1, 2000) i`);
    expect(await overviewOf('village'), 'many rows at once').toMatchObject({ state: 'updating' });
    expect(await due()).toBe(1);
    expect(await counted(0, 0, 0)).toBe(TOWN - 1 + 2000);
    await kit().db.script('truncate layers.village');
    expect(await overviewOf('village')).toMatchObject({ state: 'updating' });
    await kit().db.script(`delete from portal.resource where id = ${village}`);
  });

  /** The tile as a picture of our own renderer, in a style of its own. */
  const pictureOfTile = async (
    layer: string,
    z: number,
    x: number,
    y: number,
    style: string,
    more = '',
  ): Promise<Picture> => {
    const span = (2 * MERCATOR) / 2 ** z;
    const [west, north] = [x * span - MERCATOR, MERCATOR - y * span];
    return pictureOf(
      await kit().portal.visitor.get(
        `/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=${layer}&STYLES=${style}&SRS=EPSG:3857&BBOX=${west},${north - span},${west + span},${north}&WIDTH=512&HEIGHT=512&FORMAT=image/png${more}`,
      ),
    );
  };

  test('a picture shows the cells of the tiles that viewers show, and nothing else', async () => {
    const features = featuresOf(await tile('spots', 4, 8, 5));
    const picture = await pictureOfTile('spots', 4, 8, 5, 'dots');
    const isRed = (x: number, y: number): boolean => {
      const [red = 0, green = 0, , alpha = 0] = picture.at(x, y);
      return alpha > 0 && red > green + 60;
    };
    const near = new Set<string>();
    const missing: string[] = [];
    for (const { box } of features) {
      const [x, y] = [Math.floor((box[0] ?? 0) / 8), Math.floor((box[1] ?? 0) / 8)];
      if (x < 1 || y < 1 || x > 510 || y > 510) continue;
      if (!isRed(x, y)) missing.push(`${x} ${y}`);
      for (let dx = -2; dx <= 2; dx++) for (let dy = -2; dy <= 2; dy++) near.add(`${x + dx} ${y + dy}`);
    }
    const strange: string[] = [];
    for (let x = 4; x < 508; x++)
      for (let y = 4; y < 508; y++) if (isRed(x, y) && !near.has(`${x} ${y}`)) strange.push(`${x} ${y}`);
    expect(near.size).toBeGreaterThan(2000);
    expect(missing).toEqual([]);
    expect(strange).toEqual([]);
  });

  test('cells of areas leave no gaps in a picture, and none is drawn twice where two tiles meet', async () => {
    const paint = { 'fill-color': '#0000ff', 'fill-opacity': 0.5 };
    await putStyle('board', 'half', [{ id: 'f', type: 'fill', paint }]);
    const span = SIDE * 100 * 3;
    const [west, south] = [1_000_000 - span / 3, 6_000_000 - span / 3];
    const reply = await kit().portal.visitor.get(
      `/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=board&STYLES=half&SRS=EPSG:3857&BBOX=${west},${south},${west + span},${south + span}&WIDTH=240&HEIGHT=240&FORMAT=image/png&TRANSPARENT=false`,
    );
    const picture = await pictureOf(reply);
    // The middle third, but for its edge: all of it once, at half its opacity on white.
    for (let x = 87; x < 153; x++)
      for (let y = 87; y < 153; y++) expect(isNear(picture.at(x, y), [128, 128, 255, 255]), `${x} ${y}`).toBe(true);
  });

  test('heat is that of all features', async () => {
    const paint = {
      'heatmap-radius': 3,
      'heatmap-intensity': 0.02,
      'heatmap-color': ['interpolate', ['linear'], ['heatmap-density'], 0, '#ffffff', 1, '#ff0000'],
    };
    await putStyle('spots', 'heat', [{ id: 'h', type: 'heatmap', paint }]);
    const all = await pictureOfTile('spots', 0, 0, 0, 'heat');
    // 52,000 points on some 11 by 17 pixels: one for each cell alone would leave it nearly white.
    expect(all.count([255, 0, 0], 40)).toBeGreaterThan(20);
  });

  test('groups of very many points count all of them', async () => {
    for (const path of ['clusters/4/8/5.mvt?size=64', 'hexagons/4/8/5.mvt?size=128']) {
      const groups = featuresOf(await kit().portal.visitor.get(`/tiles/spots/${path}`));
      const inside = groups.filter(
        ({ box: [a = 0, b = 0, c = 0, d = 0] }) => a + c >= 0 && a + c < 8192 && b + d >= 0 && b + d < 8192,
      );
      const counted = inside.reduce((sum, { properties }) => sum + Number(properties['point_count']), 0);
      // Hexagons whose middle lies in the next tile are counted there.
      expect(counted / POINTS, path).toBeGreaterThan(path.startsWith('clusters') ? 0.999 : 0.9);
      expect(counted, path).toBeLessThanOrEqual(POINTS);
    }
    const means = featuresOf(await kit().portal.visitor.get('/tiles/spots/hexagons/4/8/5.mvt?size=64&mean=height'));
    expect(means.every(({ properties }) => Math.abs(Number(properties['value']) - 49.5) < 25)).toBe(true);
  });

  test('who does not see the layer gets neither the tile nor the cells', async () => {
    await setPerms(kit(), points, {});
    expect(await tile('spots', 4, 8, 5)).toMatchReply({ status: 404 });
    await expect(pictureOfTile('spots', 4, 8, 5, 'dots')).rejects.toThrow('no picture');
    const counted = await kit().db.query<{ n: number }>(`
      select (select count(*)::int from portal.overview_cells(${points}, 4, array[8], array[5])) as n
        from (select set_config('role', 'survest_anon', true)) r`);
    expect(counted[0]?.n).toBe(0);
    await setPerms(kit(), points, OPEN);
    expect(await tile('spots', 4, 8, 5)).toMatchReply({ status: 200 });
    expect((await pictureOfTile('spots', 4, 8, 5, 'dots')).count([255, 0, 0])).toBeGreaterThan(100);
  });

  test('a table with row rules of its own is drawn of the rows that the caller sees, and of no overview', async () => {
    await kit().db.script(
      `create policy common_only on layers.spots as restrictive for select to survest_anon using (class = 'common')`,
    );
    const features = featuresOf(await tile('spots', 4, 8, 5));
    expect(features.length).toBeGreaterThan(500);
    expect(features.every(({ properties }) => properties['class'] === 'common')).toBe(true);
    expect(await overviewOf('spots')).toMatchObject({ state: 'sampled' });
    await kit().db.script('drop policy common_only on layers.spots');
  });
});
