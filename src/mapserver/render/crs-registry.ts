// Coordinate systems by their numbers, as the database knows them. Asked once each, and kept: they do not change.

import type { CallerDb } from '../../auth/caller-db.ts';
import { type Crs, makeCrs, WEB_MERCATOR, WGS84 } from '../../geo/projection.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { crsStatement, GIS_SCHEMA } from '../query/crs-sql.ts';

export type CrsRegistry = {
  /** Undefined: there is none of that number, or none that can be calculated with. */
  find(srid: number): Promise<Result<Crs | undefined, DbError>>;
};

/** All of EPSG are fewer. */
const MAX_KEPT = 10_000;

export function makeCrsRegistry(db: Pick<CallerDb, 'service'>): CrsRegistry {
  const kept = new Map<number, Crs | undefined>([
    [4326, WGS84],
    [3857, WEB_MERCATOR],
  ]);
  let gis: string | undefined;
  return {
    async find(srid) {
      if (kept.has(srid)) return ok(kept.get(srid));
      if (!Number.isInteger(srid) || srid <= 0 || srid > 999_999) return ok(undefined);
      if (gis === undefined) {
        const found = await db.service([GIS_SCHEMA]);
        if (!found.ok) return found;
        gis = found.value[0]?.rows[0]?.[0]?.toString() ?? 'public';
      }
      const executed = await db.service([crsStatement(gis, srid)]);
      if (!executed.ok) return executed;
      const [proj = null, wkt = null] = executed.value[0]?.rows[0] ?? [];
      const text = proj?.toString().trim() || wkt?.toString().trim();
      const crs = text === undefined ? undefined : makeCrs(srid, text);
      if (kept.size < MAX_KEPT) kept.set(srid, crs);
      return ok(crs);
    },
  };
}
