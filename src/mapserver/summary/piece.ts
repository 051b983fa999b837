// Rows that one statement aggregates: what takes a quarter of a second or less. The embedded engine does nothing else meanwhile, and is slower.

import type { Driver } from '../../pg/driver.ts';

const PIECE = { postgres: 200_000, pglite: 10_000 } as const;

export function pieceOf({ engine }: Pick<Driver, 'engine'>): number {
  return PIECE[engine];
}
