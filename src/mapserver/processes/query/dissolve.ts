// Shapes with the same value → one shape. Pure.

import { ok } from '../../../kernel/result.ts';
import { empty, ident, sql } from '../../../sql/index.ts';
import { geometryOf, gisOf } from '../../query/layer-sql.ts';
import { conditionsOf, layerInput, ROWS } from './common-inputs.ts';
import type { Process } from './process.ts';
import { COUNT, columnIn, named, type ResultColumn, rowsAsF, selected, sound } from './recipe.ts';

export const DISSOLVE: Process = {
  id: 'dissolve',
  title: 'Dissolve',
  description: 'Shapes with the same value in a column become one, without borders between them; or all of them do.',
  inputs: {
    layer: layerInput('Layer', 'The layer whose shapes are put together.'),
    column: {
      kind: 'column',
      of: 'layer',
      isOptional: true,
      title: 'By column',
      description: 'One shape for each of its values. Left out: one shape of all.',
    },
    filter: ROWS,
  },
  compile(given) {
    const layer = given.layer('layer');
    const conditions = conditionsOf(given, layer);
    if (!conditions.ok) return conditions;
    const column = given.column('column');
    const by = column === undefined ? [] : [columnIn('f', column)];
    const columns: readonly ResultColumn[] = [...by, { value: sql`count(*)`, ...COUNT }];
    const together = sql`${gisOf(layer)('st_union')}(${sound(layer, geometryOf(layer))})`;
    const grouped = column === undefined ? empty : sql` group by f.${ident(column.name)}`;
    return ok({
      title: `${layer.title}: ${column?.name ?? 'dissolved'}`,
      columns: named(columns),
      srid: layer.srid,
      suffix: '',
      parts: [
        {
          layer,
          conditions: conditions.value,
          isWhole: true,
          select: (rows) =>
            sql`select ${selected(columns, together)} from ${rowsAsF(layer, column === undefined ? [] : [column.name], rows)}${grouped} having count(*) > 0`,
        },
      ],
    });
  },
};
