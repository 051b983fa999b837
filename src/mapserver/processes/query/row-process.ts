// Processes that make one row of each row, with the columns that it had: only the shape becomes another one. Pure.

import { ok } from '../../../kernel/result.ts';
import type { VectorLayer } from '../../../layer-ports/layer.ts';
import type { ProcessInput } from '../../../layer-ports/process.ts';
import { sql } from '../../../sql/index.ts';
import { geometryOf, gisOf } from '../../query/layer-sql.ts';
import { number, type Sql, whole } from '../../query/value.ts';
import { conditionsOf, layerInput, MAX_METRES, ROWS } from './common-inputs.ts';
import type { Given, Process } from './process.ts';
import { columnsOf, named, onGround, type Recipe, selectPlaced, sound } from './recipe.ts';

type Shaped = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, ProcessInput>>;
  /** Of the result, beside the name of the layer. */
  readonly word: string;
  /** The new shape of the row `f`. */
  readonly shape: (given: Given, layer: VectorLayer) => Sql;
  /** Undefined: it is flat. */
  readonly suffix?: (layer: VectorLayer) => Recipe['suffix'];
};

function rowProcess({ word, shape, suffix, inputs, ...said }: Shaped): Process {
  return {
    ...said,
    inputs: { layer: layerInput('Layer', 'The layer whose rows are taken.'), ...inputs },
    compile(given) {
      const layer = given.layer('layer');
      const conditions = conditionsOf(given, layer);
      if (!conditions.ok) return conditions;
      const columns = columnsOf(layer);
      const geometry = shape(given, layer);
      return ok({
        title: `${layer.title}: ${word}`,
        columns: named(columns),
        srid: layer.srid,
        suffix: suffix?.(layer) ?? '',
        parts: [
          {
            layer,
            conditions: conditions.value,
            isWhole: false,
            select: (rows) => selectPlaced(layer, columns, rows, geometry),
          },
        ],
      });
    },
  };
}

export const BUFFER: Process = rowProcess({
  id: 'buffer',
  title: 'Buffer',
  description: 'Areas around the shapes of a layer, as wide as you say, in metres on the ground.',
  word: 'buffer',
  inputs: {
    distance: {
      kind: 'number',
      title: 'Distance in metres',
      description: 'How far the areas reach. Less than nothing makes areas smaller.',
      minimum: -MAX_METRES,
      maximum: MAX_METRES,
    },
    filter: ROWS,
  },
  shape(given, layer) {
    const gis = gisOf(layer);
    const around = sql`${gis('st_buffer')}(${onGround(layer, sound(layer, geometryOf(layer)))}, ${number(given.number('distance'))})::${gis('geometry')}`;
    return layer.srid === 4326 ? around : sql`${gis('st_transform')}(${around}, ${whole(layer.srid)})`;
  },
});

export const CENTROIDS: Process = rowProcess({
  id: 'centroids',
  title: 'Centroids',
  description: 'A point for each shape of a layer: its centre, or a point that is sure to lie inside.',
  word: 'centroids',
  inputs: {
    inside: {
      kind: 'flag',
      title: 'Always inside',
      description: 'The centre of a curved area may lie outside of it.',
      isOptional: true,
    },
    filter: ROWS,
  },
  shape(given, layer) {
    const centre = gisOf(layer)(given.flag('inside') ? 'st_pointonsurface' : 'st_centroid');
    return sql`${centre}(${sound(layer, geometryOf(layer))})`;
  },
});

export const FILTER: Process = rowProcess({
  id: 'filter',
  title: 'Filter to layer',
  description: 'The rows that a condition is true of, as a layer of their own.',
  word: 'selection',
  inputs: {
    filter: {
      kind: 'filter',
      of: 'layer',
      title: 'Rows',
      description: 'A condition in CQL2, such as population > 1000.',
    },
  },
  shape: (_given, layer) => geometryOf(layer),
  suffix: ({ geometry }) => {
    const [, dimensions = ''] = /(ZM|Z|M)$/.exec(geometry.type) ?? [];
    return dimensions as Recipe['suffix'];
  },
});
