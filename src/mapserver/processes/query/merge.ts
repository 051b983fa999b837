// Several layers → one, a row for each of theirs. Columns of the same name are one column. Pure.

import { ok } from '../../../kernel/result.ts';
import type { VectorLayer } from '../../../layer-ports/layer.ts';
import { ident, raw, sql } from '../../../sql/index.ts';
import { columnType } from '../../import/column-types.ts';
import { transformed } from '../../query/box-sql.ts';
import { propertiesOf } from '../../query/feature-query.ts';
import { geometryOf, gisOf } from '../../query/layer-sql.ts';
import { text } from '../../query/value.ts';
import type { Process } from './process.ts';
import { named, type ResultColumn, selectPlaced } from './recipe.ts';

const MAX_LAYERS = 20;

export const MERGE: Process = {
  id: 'merge',
  title: 'Merge layers',
  description: 'The rows of several layers in one. Columns of the same name become one, and a column tells the layer.',
  inputs: {
    layers: {
      kind: 'layers',
      least: 2,
      most: MAX_LAYERS,
      title: 'Layers',
      description: 'In this order. The result has the coordinate system of the first one.',
    },
  },
  compile(given) {
    const layers = given.layers('layers');
    const [first] = layers;
    if (first === undefined) throw new Error('the description asks for two layers');
    const types = typesOf(layers);
    const columnsFrom = (layer: VectorLayer): readonly ResultColumn[] => [
      { value: text(layer.title), label: 'source', type: 'text' },
      ...[...types].map(([name, type]): ResultColumn => {
        const own = propertiesOf(layer).find((column) => column.name === name);
        // The types are of a closed list.
        return {
          value: own === undefined ? sql`null::${raw(type)}` : sql`f.${ident(name)}::${raw(type)}`,
          label: name,
          type,
        };
      }),
    ];
    return ok({
      title: layers.map(({ title }) => title).join(', '),
      columns: named(columnsFrom(first)),
      srid: first.srid,
      suffix: '',
      parts: layers.map((layer) => ({
        layer,
        conditions: [],
        isWhole: false,
        select: (rows) =>
          selectPlaced(
            layer,
            columnsFrom(layer),
            rows,
            sql`${gisOf(layer)('st_force2d')}(${transformed(layer, geometryOf(layer), first.srid)})`,
          ),
      })),
    });
  },
};

/** By name, in the order in which they come; what is of two types is a text. */
function typesOf(layers: readonly VectorLayer[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const { name, type } of layers.flatMap(propertiesOf)) {
    const own = columnType(type);
    const known = types.get(name);
    types.set(name, known === undefined || known === own ? own : 'text');
  }
  return types;
}
