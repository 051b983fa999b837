// A layer → a grid of hexagons that count it: how many of its shapes lie in each, and what a column of theirs comes to. Pure.
//
// The grid is one of the world in Mercator's projection, so that two layers counted in cells of one size can be laid on each other; a cell is
// as wide as it is said to be where the layer is. Which cell a place is in is calculated, so that no grid has to be made and looked through:
// axial coordinates, rounded in all three directions, of which the one that was rounded farthest follows from the others.

import { ok } from '../../../kernel/result.ts';
import { ident, join, sql } from '../../../sql/index.ts';
import { geometryOf, gisOf } from '../../query/layer-sql.ts';
import { number, type Sql, whole } from '../../query/value.ts';
import { conditionsOf, layerInput, ROWS } from './common-inputs.ts';
import type { Process } from './process.ts';
import { COUNT, named, type ResultColumn, rowsAsF, selected } from './recipe.ts';

const EARTH_RADIUS = 6_378_137;
/** Where the projection ends. */
const LAST_LATITUDE = 85;
const CORNERS: readonly number[] = [0, 1, 2, 3, 4, 5, 0];

export const HEXAGONS: Process = {
  id: 'hexagons',
  title: 'Hexagon grid with statistics',
  description: 'Equal cells over a layer: how many shapes have their centre in each, and what a column comes to.',
  inputs: {
    layer: layerInput('Layer', 'What is counted.'),
    width: {
      kind: 'number',
      minimum: 1,
      maximum: 1_000_000,
      title: 'Width in metres',
      description: 'From one side of a cell to the opposite one, on the ground in the middle of the layer.',
    },
    column: {
      kind: 'column',
      of: 'layer',
      isNumber: true,
      isOptional: true,
      title: 'Column of numbers',
      description: 'Its sum, mean, least and greatest value are told, too.',
    },
    filter: ROWS,
  },
  compile(given) {
    const layer = given.layer('layer');
    const conditions = conditionsOf(given, layer);
    if (!conditions.ok) return conditions;
    const column = given.column('column');
    const gis = gisOf(layer);
    const [, south = 0, , north = 0] = layer.extent?.wgs84 ?? [];
    const side =
      given.number('width') / Math.sqrt(3) / Math.max(0.01, Math.cos((((south + north) / 2) * Math.PI) / 180));
    const own: Sql =
      column === undefined ? sql`null::double precision` : sql`f.${ident(column.name)}::double precision`;
    const columns: readonly ResultColumn[] = [
      { value: sql`a.n`, ...COUNT },
      ...(column === undefined
        ? []
        : (['sum', 'mean', 'min', 'max'] as const).map((of) => ({
            value: MEASURED[of],
            label: `${of} ${column.name}`,
            type: 'double precision',
          }))),
    ];
    const s = number(side);
    const centre = gis(layer.geometry.kind === 'polygon' ? 'st_pointonsurface' : 'st_centroid');
    const cells = (
      rows: Sql,
    ): Sql => sql`select c.q, c.r, count(*) as n, sum(o.v) as total, avg(o.v) as mean, min(o.v) as least, max(o.v) as most
      from ${rowsAsF(layer, column === undefined ? [] : [column.name], rows)}
      cross join lateral (select ${gis('st_transform')}(${centre}(${geometryOf(layer)}), 4326) as g, ${own} as v offset 0) o
      cross join lateral (select radians(${gis('st_x')}(o.g)) * ${number(EARTH_RADIUS)} as x, ln(tan(pi() / 4 + radians(${gis('st_y')}(o.g)) / 2)) * ${number(EARTH_RADIUS)} as y
                           where abs(${gis('st_y')}(o.g)) < ${number(LAST_LATITUDE)} offset 0) p
      cross join lateral (select 2 * p.x / (3 * ${s}) as q, (p.y / sqrt(3) - p.x / 3) / ${s} as r offset 0) e
      cross join lateral (select round(e.q) as q, round(e.r) as r, round(-e.q - e.r) as t offset 0) d
      cross join lateral (select abs(d.q - e.q) as q, abs(d.r - e.r) as r, abs(d.t + e.q + e.r) as t offset 0) off
      cross join lateral (select case when off.q > off.r and off.q > off.t then -d.r - d.t else d.q end as q,
                                 case when off.q > off.r and off.q > off.t or off.r <= off.t then d.r else -d.q - d.t end as r offset 0) c
      group by c.q, c.r`;
    const corner = (n: number): Sql => {
      const [x, y] = [Math.cos((n * Math.PI) / 3), Math.sin((n * Math.PI) / 3)];
      return sql`${gis('st_makepoint')}(${s} * (1.5 * a.q + ${number(x)}), ${s} * (sqrt(3) * (a.r + a.q / 2) + ${number(y)}))`;
    };
    const cell = sql`${gis('st_setsrid')}(${gis('st_makepolygon')}(${gis('st_makeline')}(array[${join(CORNERS.map(corner))}])), 3857)`;
    const placed = layer.srid === 3857 ? cell : sql`${gis('st_transform')}(${cell}, ${whole(layer.srid)})`;
    return ok({
      title: `${layer.title}: hexagons`,
      columns: named(columns),
      srid: layer.srid,
      suffix: '',
      parts: [
        {
          layer,
          conditions: conditions.value,
          isWhole: true,
          select: (rows) => sql`select ${selected(columns, placed)} from (${cells(rows)}) a`,
        },
      ],
    });
  },
};

const MEASURED = {
  sum: sql<never>`a.total`,
  mean: sql<never>`a.mean`,
  min: sql<never>`a.least`,
  max: sql<never>`a.most`,
};
