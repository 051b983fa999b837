// Inputs that several processes have, and what they make of the layer's rows. Pure.

import { err, ok, type Result } from '../../../kernel/result.ts';
import type { GeometryKind, VectorLayer } from '../../../layer-ports/layer.ts';
import type { ProcessInput } from '../../../layer-ports/process.ts';
import { filterToSql } from '../../query/filter-sql.ts';
import { WGS84 } from '../../query/known-crs.ts';
import type { Sql } from '../../query/value.ts';
import type { Given, InputFaults } from './process.ts';

export const ANY: readonly GeometryKind[] = ['point', 'line', 'polygon', 'mixed'];
export const AREAS: readonly GeometryKind[] = ['polygon', 'mixed'];

export function layerInput(title: string, description: string, geometry: readonly GeometryKind[] = ANY): ProcessInput {
  return { kind: 'layer', title, description, geometry };
}

export const RASTER: ProcessInput = {
  kind: 'raster',
  title: 'Raster',
  description: 'The layer whose pixels are read.',
};

export const BAND: ProcessInput = {
  kind: 'band',
  of: 'raster',
  title: 'Band',
  description: 'Counted from 1. Left out: the first one.',
  isOptional: true,
};

export const ROWS: ProcessInput = {
  kind: 'filter',
  of: 'layer',
  title: 'Only these rows',
  description: 'A condition in CQL2, such as population > 1000. Left out: all rows.',
  isOptional: true,
};

/** The condition that `filter` is on the rows of `layer`; none where it is left out. */
export function conditionsOf(given: Given, layer: VectorLayer): Result<readonly Sql[], InputFaults> {
  const filter = given.filter('filter');
  if (filter === undefined) return ok([]);
  const condition = filterToSql(filter, layer, WGS84);
  return condition.ok ? ok([condition.value]) : err({ filter: `${condition.error.said}.` });
}

/** Farther than this on the ground is the other side of the earth. */
export const MAX_METRES = 1_000_000;
