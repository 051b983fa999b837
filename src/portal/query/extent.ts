// `extent=xmin,ymin,xmax,ymax[,…]` in WGS 84 → boxes, each in every turn of the globe in which extents of items are recorded.

import { turnsOf } from '../../geo/bbox.ts';
import { parseDecimal } from '../../kernel/decimal.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Box, Condition } from './condition.ts';

const MAX_BOXES = 50;

/** Undefined: everything is inside. */
export function parseExtent(text: string | undefined): Result<Condition | undefined, PortalError> {
  if (text === undefined || text.trim() === '') return ok(undefined);
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length % 4 !== 0 || parts.length > 4 * MAX_BOXES || parts.some((part) => !isNumber(part))) return err(BAD);
  const boxes: Box[] = [];
  for (let i = 0; i < parts.length; i += 4) {
    const [west = 0, south = 0, east = 0, north = 0] = parts.slice(i, i + 4).map(Number);
    if (south > north) return err(BAD);
    // All around the earth.
    if (east - west >= 360) return ok(undefined);
    boxes.push(...turnsOf([west, south, east, north]));
  }
  return ok({ kind: 'extent', boxes });
}

function isNumber(text: string): boolean {
  return Math.abs(parseDecimal(text) ?? Number.POSITIVE_INFINITY) <= 1e9;
}

const BAD: PortalError = {
  kind: 'invalid-request',
  messages: ['The extent has to be four numbers, or several times four: xmin,ymin,xmax,ymax.'],
};
