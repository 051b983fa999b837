// Whether pictures of very many features are true: a board of squares and a field of points fill one tile exactly, with known classes and numbers, and
// every tile of every zoom has to show their shares, their mean and the same density. TEST_BOARD_SIDE=1000 makes it a million squares,
// TEST_BOARD_POINTS as many points as it says: the nightly run has a million squares and ten million points.

import { beforeAll, describe, expect, test } from 'vitest';
import { CELL_PIXELS } from '../../../src/mapserver/cells/cell.ts';
import { buildDue } from '../../../src/mapserver/overviews/overview-job.ts';
import { overviewParts } from '../../../src/server/portal/open-overviews.ts';
import { makeLayer, onLayers } from './layer-kit.ts';
import { type Picture, pictureOf } from './picture.ts';

const SIDE = Number(process.env['TEST_BOARD_SIDE'] ?? 300);
const POINTS = Number(process.env['TEST_BOARD_POINTS'] ?? SIDE * SIDE);
/** As many features as a tile has, few columns and corners as they have. */
const MOST_IN_A_TILE = 15_000;
const WORLD = 20_037_508.342789244;
/** The tile that is filled. */
const HOME = { z: 10, x: 533, y: 345 } as const;
const SPAN = (2 * WORLD) / 2 ** HOME.z;
const WEST = HOME.x * SPAN - WORLD;
const SOUTH = WORLD - (HOME.y + 1) * SPAN;
const STEP = SPAN / SIDE;

type Tile = { readonly z: number; readonly x: number; readonly y: number };

/** Tiles of a zoom that are within the board; above its own, the one that it is in. */
function tilesOf(z: number): readonly Tile[] {
  if (z <= HOME.z) return [{ z, x: HOME.x >> (HOME.z - z), y: HOME.y >> (HOME.z - z) }];
  const n = 2 ** (z - HOME.z);
  // A few neighbours tell as much as all of them.
  const some = Array.from({ length: Math.min(n, 3) }, (_, i) => i);
  return some.flatMap((dx) => some.map((dy) => ({ z, x: HOME.x * n + dx, y: HOME.y * n + dy })));
}

type Shares = {
  /** Of the pixels that are drawn, those that are more red than blue. */
  readonly red: number;
  /** 0–255, of those that are drawn. */
  readonly grey: number;
  readonly drawn: number;
};

/** Of the part of the picture in which the board is. */
function sharesOf(picture: Picture): Shares {
  let [drawn, red, grey] = [0, 0, 0];
  for (let x = 0; x < picture.width; x++)
    for (let y = 0; y < picture.height; y++) {
      const [r, g, b, alpha] = picture.at(x, y);
      if (alpha < 128) continue;
      drawn += 1;
      if (r > b) red += 1;
      grey += g;
    }
  return { drawn, red: red / drawn, grey: grey / drawn };
}

onLayers('pictures of very many features', {}, (kit) => {
  const pictureAt = async (layer: string, style: string, { z, x, y }: Tile): Promise<Picture> => {
    const span = (2 * WORLD) / 2 ** z;
    const [west, north] = [x * span - WORLD, WORLD - y * span];
    const box = [west, north - span, west + span, north].join(',');
    return pictureOf(
      await kit().portal.visitor.get(
        `/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=${layer}&STYLES=${style}&SRS=EPSG:3857&BBOX=${box}&WIDTH=512&HEIGHT=512&FORMAT=image/png&TRANSPARENT=true`,
      ),
    );
  };
  const put = async (path: string, layers: unknown): Promise<void> => {
    expect((await kit().portal.as('ada').put(path, layers)).status).toBeLessThan(300);
  };

  beforeAll(async () => {
    const columns = 'kind text, value double precision';
    // Values are spread evenly from 0 to 99 wherever one looks.
    await makeLayer(kit(), {
      name: 'squares',
      columns,
      geometry: 'Polygon',
      srid: 3857,
      rows: `insert into $table (kind, value, geom)
        select case when (i + j) % 2 = 0 then 'even' else 'odd' end, (i * 37 + j * 59) % 100,
               public.st_makeenvelope(${WEST} + i * ${STEP}, ${SOUTH} + j * ${STEP}, ${WEST} + (i + 1) * ${STEP}, ${SOUTH} + (j + 1) * ${STEP}, 3857)
          from generate_series(0, ${SIDE - 1}) i, generate_series(0, ${SIDE - 1}) j`,
    });
    await makeLayer(kit(), {
      name: 'dots',
      columns,
      geometry: 'Point',
      srid: 3857,
      rows: `insert into $table (kind, value, geom)
        select case when i % 4 = 0 then 'even' else 'odd' end, i % 100,
               public.st_setsrid(public.st_point(${WEST} + ${SPAN} * (i * 0.7548776662466927::double precision % 1), ${SOUTH} + ${SPAN} * (i * 0.5698402909980532::double precision % 1)), 3857)
          from generate_series(1::bigint, ${POINTS}) i`.replaceAll(
        /\((i \* [\d.]+::double precision) % 1\)/g,
        '($1 - floor($1))',
      ),
    });
    const classes = ['match', ['get', 'kind'], 'even', '#ff0000', '#0000ff'];
    const greys = ['interpolate', ['linear'], ['get', 'value'], 0, '#000000', 100, '#ffffff'];
    await put('/styles/squares/classes.json', [{ id: 'a', type: 'fill', paint: { 'fill-color': classes } }]);
    await put('/styles/squares/greys.json', [{ id: 'a', type: 'fill', paint: { 'fill-color': greys } }]);
    const dot = { 'circle-radius': 1.5, 'circle-stroke-width': 0 };
    await put('/styles/dots/marks.json', [{ id: 'a', type: 'circle', paint: { ...dot, 'circle-color': classes } }]);
    const failures: unknown[] = [];
    const parts = overviewParts(kit().callerDb, (error) => failures.push(error));
    while ((await buildDue(parts, new AbortController().signal)) > 0);
    expect(failures).toEqual([]);
  }, 2_400_000);

  /** Where fewer cells are seen, chance has a larger part in the share: three and a half of its deviations. */
  const tolerance = (z: number): number => {
    const cells = (128 / 2 ** Math.max(0, HOME.z - z)) ** 2;
    return Math.max(0.02, (3.5 * 0.5) / Math.sqrt(cells));
  };
  const ZOOMS = [8, 9, 10, 11, 12, 13] as const;
  /** Of squares that fill a cell, a sample is shown where a tile has more than it has room for: the rest is not covered. */
  const shownShare = (z: number): number => {
    const across = SIDE / 2 ** (z - HOME.z);
    return 512 / across < CELL_PIXELS ? 1 : Math.min(1, MOST_IN_A_TILE / across ** 2);
  };

  describe.each(ZOOMS)('zoom %i', (z) => {
    test('squares have the shares of their kinds, their mean and no gaps, in every tile', async () => {
      const part = z >= HOME.z ? 1 : 1 / 4 ** (HOME.z - z);
      for (const tile of tilesOf(z)) {
        const of = `${tile.z}/${tile.x}/${tile.y}`;
        const kinds = sharesOf(await pictureAt('squares', 'classes', tile));
        expect(Math.abs(kinds.red - 0.5), `${of}: kinds`).toBeLessThan(tolerance(z));
        expect(kinds.drawn / (512 * 512 * part), `${of}: covered`).toBeGreaterThan(0.98 * shownShare(z));
        expect(kinds.drawn / (512 * 512 * part), `${of}: covered`).toBeLessThan(1.04);
        const { grey } = sharesOf(await pictureAt('squares', 'greys', tile));
        expect(Math.abs(grey / 255 - 0.495), `${of}: mean`).toBeLessThan(0.02);
      }
    });

    test('points have the shares of their kinds, and neighbouring tiles the same density', async () => {
      const found: Shares[] = [];
      for (const tile of tilesOf(z)) found.push(sharesOf(await pictureAt('dots', 'marks', tile)));
      const [first] = found;
      for (const { red, drawn } of found) {
        expect(Math.abs(red - 0.25)).toBeLessThan(tolerance(z));
        expect(Math.abs(drawn / (first?.drawn ?? 0) - 1)).toBeLessThan(0.05);
      }
    });
  });
});
