// Processes that cut the shapes of one layer with those of another. Pure.

import { ok } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { geometryOf, gisOf } from '../../query/layer-sql.ts';
import { ANY, AREAS, conditionsOf, layerInput, ROWS } from './common-inputs.ts';
import type { Process } from './process.ts';
import { columnsOf, commonPart, geometryIn, meets, named, ofKind, otherRows, selectPlaced, sound } from './recipe.ts';

export const CLIP: Process = {
  id: 'clip',
  title: 'Clip',
  description: 'What of a layer lies in the areas of another one.',
  inputs: {
    layer: layerInput('Layer', 'What is cut.'),
    mask: layerInput('Areas', 'What lies in these is kept.', AREAS),
    filter: ROWS,
  },
  compile(given) {
    const [layer, mask] = [given.layer('layer'), given.layer('mask')];
    const conditions = conditionsOf(given, layer);
    if (!conditions.ok) return conditions;
    const gis = gisOf(layer);
    const columns = columnsOf(layer);
    const areas = otherRows(mask, 'm');
    const own = sound(layer, geometryOf(layer));
    // All areas that meet the row, as one: where they overlap, nothing is there twice.
    const together = sql` cross join lateral (select ${gis('st_union')}(${sound(mask, geometryIn(layer, mask, 'm'))}) as g from ${areas.from} where ${areas.may} and ${meets(layer, mask, 'm')} offset 0) a`;
    // What lies inside as a whole stays as it is, to the last digit.
    const cut = sql`case when ${gis('st_coveredby')}(${own}, a.g) then ${own} else ${ofKind(layer, layer.geometry.kind, sql`${gis('st_intersection')}(${own}, a.g)`)} end`;
    return ok({
      title: `${layer.title}: ${mask.title}`,
      columns: named(columns),
      srid: layer.srid,
      suffix: '',
      parts: [
        {
          layer,
          conditions: conditions.value,
          isWhole: false,
          select: (rows) => selectPlaced(layer, columns, rows, cut, together),
        },
      ],
    });
  },
};

export const INTERSECTION: Process = {
  id: 'intersection',
  title: 'Intersection',
  description: 'What two layers have in common: a row for each pair of shapes that meet, with the columns of both.',
  inputs: {
    layer: layerInput('Layer', 'The first layer.'),
    other: layerInput('Other layer', 'The layer that it is cut with.', ANY),
    filter: ROWS,
  },
  compile(given) {
    const [layer, other] = [given.layer('layer'), given.layer('other')];
    const conditions = conditionsOf(given, layer);
    if (!conditions.ok) return conditions;
    const columns = [...columnsOf(layer), ...columnsOf(other, 'm')];
    const theirs = otherRows(other, 'm');
    const kind = commonPart(layer.geometry.kind, other.geometry.kind);
    const joined = sql` join ${theirs.from} on ${theirs.may} and ${meets(layer, other, 'm')}`;
    const common = sql`${gisOf(layer)('st_intersection')}(${sound(layer, geometryOf(layer))}, ${sound(other, geometryIn(layer, other, 'm'))})`;
    return ok({
      title: `${layer.title} ∩ ${other.title}`,
      columns: named(columns),
      srid: layer.srid,
      suffix: '',
      parts: [
        {
          layer,
          conditions: conditions.value,
          isWhole: false,
          select: (rows) => selectPlaced(layer, columns, rows, ofKind(layer, kind, common), joined),
        },
      ],
    });
  },
};
