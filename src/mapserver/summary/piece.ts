// Rows that one statement aggregates: what takes a quarter of a second or less. Where statements cannot overlap, everybody waits meanwhile.

import type { Driver } from '../../pg/driver.ts';

export function pieceOf({ can }: Pick<Driver, 'can'>): number {
  return can.overlap ? 200_000 : 10_000;
}
