// The coordinate systems of a request: those that the layer is offered in, with the order of their axes, which the database knows.

import type { CallerDb } from '../../auth/caller-db.ts';
import { CRS84, crsUri, isNorthFirst, parseCrs } from '../../geo/crs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { DbError } from '../../pg/driver.ts';
import { crsStatement } from './crs-sql.ts';

export type KnownCrs = {
  readonly srid: number;
  /** Positions are written north before east. */
  readonly isNorthFirst: boolean;
  readonly uri: string;
};

export const WGS84: KnownCrs = { srid: 4326, isNorthFirst: false, uri: CRS84 };

/** What every layer is offered in, besides its own system. */
const COMMON: readonly number[] = [4326, 3857];

/** Names of the systems of a layer; the first one is what is meant when none is said. */
export function crsListOf({ srid }: Pick<VectorLayer, 'srid'>): readonly string[] {
  return [CRS84, ...[...new Set([...COMMON, srid])].map(crsUri)];
}

type CrsError =
  | { readonly kind: 'unknown-crs'; readonly name: string }
  | { readonly kind: 'database'; readonly error: DbError };

export type CrsBook = {
  /** One of the layer's systems by any of its names. */
  of(layer: Pick<VectorLayer, 'srid' | 'gis'>, name: string): Promise<Result<KnownCrs, CrsError>>;
};

export function makeCrsBook(db: CallerDb): CrsBook {
  const north = new Map<number, boolean>([
    [4326, true],
    [3857, false],
  ]);
  return {
    async of(layer, name) {
      const asked = parseCrs(name);
      if (asked === undefined) return err({ kind: 'unknown-crs', name });
      const { srid, isCrs84 } = asked;
      if (isCrs84) return ok(WGS84);
      if (!COMMON.includes(srid) && srid !== layer.srid) return err({ kind: 'unknown-crs', name });
      let isNorth = north.get(srid);
      if (isNorth === undefined) {
        const executed = await db.service([crsStatement(layer.gis, srid)]);
        if (!executed.ok) return err({ kind: 'database', error: executed.error });
        isNorth = isNorthFirst(executed.value[0]?.rows[0]?.[1]?.toString() ?? '');
        north.set(srid, isNorth);
      }
      return ok({ srid, isNorthFirst: isNorth, uri: crsUri(srid) });
    },
  };
}
