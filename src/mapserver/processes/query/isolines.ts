// A raster → lines along which it has a level. No row of a layer is read: the pixels are (rasters/). Pure.

import { ok } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { BAND, RASTER } from './common-inputs.ts';
import type { Process } from './process.ts';
import { named } from './recipe.ts';

const MAX_NUMBER = 1e12;
const MIN_INTERVAL = 1e-6;

export const ISOLINES: Process = {
  id: 'isolines',
  title: 'Isolines',
  description: 'Lines of equal value from a raster, such as contours from heights, each with its level.',
  inputs: {
    raster: RASTER,
    band: BAND,
    interval: {
      kind: 'number',
      title: 'Interval',
      description: 'How far the levels are apart, in the unit of the raster.',
      minimum: MIN_INTERVAL,
      maximum: MAX_NUMBER,
    },
    base: {
      kind: 'number',
      title: 'Base',
      description: 'One of the levels; the others are counted from it. Left out: 0.',
      minimum: -MAX_NUMBER,
      maximum: MAX_NUMBER,
      isOptional: true,
    },
  },
  compile(given) {
    const raster = given.raster('raster');
    const levels = { interval: given.number('interval'), base: given.optionalNumber('base') ?? 0 };
    return ok({
      title: `${raster.title}: isolines`,
      columns: named([{ label: 'level', type: 'double precision', value: sql<never>`null` }]),
      srid: raster.srid,
      suffix: '',
      pixels: { kind: 'isolines', raster, band: given.number('band'), levels },
      parts: [],
    });
  },
};
