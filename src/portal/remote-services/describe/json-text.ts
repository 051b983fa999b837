// Members of JSON that strangers wrote, read as what they should be. Pure.

import { isObject } from '../remote-content.ts';
import type { Box } from '../remote-request.ts';
import { boxOf } from './remote-service.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Empty: it is none. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

export const objectsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Texts themselves, or objects with a name. */
export function wordsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 1000).map((one: unknown) => (isObject(one) ? textIn(one['name']) : textIn(one)));
}

/** Of six numbers two are heights. */
export function boxIn(value: unknown): Box | undefined {
  if (!Array.isArray(value)) return undefined;
  return boxOf(value.length === 6 ? [value[0], value[1], value[3], value[4]] : value.slice(0, 4));
}

const MAX_POSITIONS = 100_000;

/** What a GeoJSON geometry lies in. */
export function boxOfGeometry(geometry: unknown): Box | undefined {
  if (!isObject(geometry)) return undefined;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let left = MAX_POSITIONS;
  const visit = (value: unknown, depth: number): void => {
    if (!Array.isArray(value) || depth > 5 || --left < 0) return;
    const [x, y] = value as readonly unknown[];
    if (typeof x === 'number' && typeof y === 'number') {
      [west, south, east, north] = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)];
    } else for (const part of value) visit(part, depth + 1);
  };
  visit(geometry['coordinates'], 0);
  return west > east ? undefined : boxOf([west, south, east, north]);
}
