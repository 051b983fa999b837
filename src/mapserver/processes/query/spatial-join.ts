// Processes that tell of each shape of a layer what of another one lies there: how many, how much, or which is nearest. Pure.

import { ok, type Result } from '../../../kernel/result.ts';
import type { LayerColumn, VectorLayer } from '../../../layer-ports/layer.ts';
import type { ProcessInput } from '../../../layer-ports/process.ts';
import { empty, ident, join, sql } from '../../../sql/index.ts';
import { transformed } from '../../query/box-sql.ts';
import { propertiesOf } from '../../query/feature-query.ts';
import { columnOf, geometryOf, gisOf, overlaps } from '../../query/layer-sql.ts';
import { number, type Sql, whole } from '../../query/value.ts';
import { AREAS, conditionsOf, layerInput, MAX_METRES, ROWS } from './common-inputs.ts';
import type { Given, InputFaults, Process } from './process.ts';
import {
  COUNT,
  columnIn,
  columnsOf,
  meets,
  named,
  onGround,
  otherRows,
  type Recipe,
  type ResultColumn,
  selectPlaced,
} from './recipe.ts';

const NUMBERS: ProcessInput = {
  kind: 'column',
  of: 'other',
  isNumber: true,
  isOptional: true,
  title: 'Column of numbers',
  description: 'Its sum and its mean are told, too.',
};

export const SPATIAL_JOIN: Process = {
  id: 'spatial-join',
  title: 'Spatial join',
  description:
    'Each row of a layer with what of another one is there: how many rows, the sum and the mean of a column, or the nearest row.',
  inputs: {
    layer: layerInput('Layer', 'Its rows stay as they are, and get columns.'),
    other: layerInput('Other layer', 'What is looked for.'),
    what: {
      kind: 'choice',
      choices: ['count', 'nearest'],
      otherwise: 'count',
      title: 'What is told',
      description: 'count: how many meet the shape; nearest: the columns of the nearest one, and how far it is.',
    },
    distance: {
      kind: 'number',
      minimum: 0,
      maximum: MAX_METRES,
      isOptional: true,
      title: 'Within metres',
      description: 'Rows so near count, too. Left out: only those that meet the shape, or the nearest however far.',
    },
    column: NUMBERS,
    filter: ROWS,
  },
  compile: (given) =>
    given.choice('what') === 'nearest' ? nearest(given) : counted(given, given.optionalNumber('distance')),
};

export const POINTS_IN_POLYGONS: Process = {
  id: 'points-in-polygons',
  title: 'Points in areas',
  description: 'How many points lie in each area, and the sum and the mean of a column of theirs.',
  inputs: {
    layer: layerInput('Areas', 'Its rows stay as they are, and get columns.', AREAS),
    other: layerInput('Points', 'What is counted.', ['point']),
    column: NUMBERS,
    filter: ROWS,
  },
  compile: (given) => counted(given, undefined),
};

function counted(given: Given, distance: number | undefined): Result<Recipe, InputFaults> {
  const [layer, other] = [given.layer('layer'), given.layer('other')];
  const column = given.column('column');
  const found = near(layer, other, distance);
  const rows = otherRows(other, 'm');
  const measures: readonly (ResultColumn & { readonly of: Sql })[] = [
    { value: sql`j.v0`, ...COUNT, of: sql`count(*)` },
    ...(column === undefined ? [] : measuresOf(column)),
  ];
  const told = join(measures.map(({ of }, i) => sql`${of} as ${ident(`v${i}`)}`));
  return withColumns(given, layer, `${layer.title}: ${other.title}`, {
    columns: measures,
    joined: sql`${found.before} cross join lateral (select ${told} from ${rows.from} where ${rows.may} and ${found.condition} offset 0) j`,
  });
}

function measuresOf(column: LayerColumn): readonly (ResultColumn & { readonly of: Sql })[] {
  const of = ident('m', column.name);
  return [
    { value: sql`j.v1`, label: `sum ${column.name}`, type: 'double precision', of: sql`sum(${of}::double precision)` },
    { value: sql`j.v2`, label: `mean ${column.name}`, type: 'double precision', of: sql`avg(${of}::double precision)` },
  ];
}

/** So many by the distance in the plane, the nearest of which on the ground is taken: a degree is not as long everywhere. */
const CANDIDATES = 16;

function nearest(given: Given): Result<Recipe, InputFaults> {
  const [layer, other] = [given.layer('layer'), given.layer('other')];
  const distance = given.optionalNumber('distance');
  const rows = otherRows(other, 'm');
  const gis = gisOf(layer);
  const here = transformed(layer, geometryOf(layer), other.srid);
  const place = ident('m', other.geometry.column);
  const names = propertiesOf(other);
  const read = join([...names.map(({ name }) => sql`${ident('m', name)}`), sql`${place}`]);
  const far = sql`${gis('st_distance')}(${onGround(other, sql`${ident('c', other.geometry.column)}`)}, ${onGround(layer, geometryOf(layer))})`;
  const limit = distance === undefined ? empty : sql` where ${far} <= ${number(distance)}`;
  const taken = join([...names.map(({ name }) => sql`${ident('c', name)}`), sql`${far} as "survest metres"`]);
  return withColumns(given, layer, `${layer.title}: ${other.title}`, {
    columns: [
      ...names.map((column) => columnIn('j', column)),
      { value: sql`j."survest metres"`, label: 'distance', type: 'double precision' },
    ],
    joined: sql` left join lateral (select ${taken} from (select ${read} from ${rows.from} where ${rows.may} and ${place} is not null order by ${place} operator(${ident(layer.gis)}.<->) ${here} limit ${whole(CANDIDATES)}) c${limit} order by ${far} limit 1) j on true`,
  });
}

/** Rows of `m` that meet the shape of `f`, or lie within metres of it. `before`: what is worked out once for each row. */
function near(
  layer: VectorLayer,
  other: VectorLayer,
  metres: number | undefined,
): { readonly before: Sql; readonly condition: Sql } {
  if (metres === undefined || metres === 0) return { before: empty, condition: meets(layer, other, 'm') };
  const gis = gisOf(layer);
  const place = sql`${ident('m', other.geometry.column)}`;
  const around = sql`${gis('st_buffer')}(${onGround(layer, geometryOf(layer))}, ${number(metres * ROOM)})::${gis('geometry')}`;
  const box = other.srid === 4326 ? around : sql`${gis('st_transform')}(${around}, ${whole(other.srid)})`;
  return {
    before: sql` cross join lateral (select ${box} as g offset 0) b`,
    condition: sql`(${overlaps(layer, place, sql`b.g`)} and ${gis('st_dwithin')}(${onGround(other, place)}, ${onGround(layer, geometryOf(layer))}, ${number(metres)}))`,
  };
}

/** The box around is looked up, so it may be a little too large. */
const ROOM = 1.05;

function withColumns(
  given: Given,
  layer: VectorLayer,
  title: string,
  { columns: further, joined }: { readonly columns: readonly ResultColumn[]; readonly joined: Sql },
): Result<Recipe, InputFaults> {
  const conditions = conditionsOf(given, layer);
  if (!conditions.ok) return conditions;
  const columns = [...columnsOf(layer), ...further];
  const shape = sql`${gisOf(layer)('st_force2d')}(${columnOf(layer.geometry.column)})`;
  return ok({
    title,
    columns: named(columns),
    srid: layer.srid,
    suffix: '',
    parts: [
      {
        layer,
        conditions: conditions.value,
        isWhole: false,
        select: (rows) => selectPlaced(layer, columns, rows, shape, joined),
      },
    ],
  });
}
