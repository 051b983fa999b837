// `extent=xmin,ymin,xmax,ymax[,…]` in WGS 84 → boxes inside −180…180, those over the date line as two halves.

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
    const found = boxesOf(west, south, east, north);
    if (found === undefined) return ok(undefined);
    boxes.push(...found);
  }
  return ok({ kind: 'extent', boxes });
}

/** Undefined: all around the earth. */
function boxesOf(west: number, south: number, east: number, north: number): readonly Box[] | undefined {
  if (east - west >= 360) return undefined;
  const [xmin, xmax] = [wrapped(west), wrapped(east)];
  if (xmin <= xmax) return [[xmin, south, xmax, north]];
  return [
    [xmin, south, 180, north],
    [-180, south, xmax, north],
  ];
}

function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

function isNumber(text: string): boolean {
  return Math.abs(parseDecimal(text) ?? Number.POSITIVE_INFINITY) <= 1e9;
}

const BAD: PortalError = {
  kind: 'invalid-request',
  messages: ['The extent has to be four numbers, or several times four: xmin,ymin,xmax,ymax.'],
};
