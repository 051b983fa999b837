// Functions of columns, each with what is known of the value that it gets: which geometry it is, and in which schema the extension is.

import type { CallArgument, ColumnCall, ColumnFunction } from '../request/api-request.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import { EXTENSION_OF } from './extensions.ts';
import type { PlannedCall, SpatialType } from './plan.ts';

const SPATIAL_TYPE = /(?:^|\.)(geometry|geography)(?:\([A-Za-z]+(?:,(\d+))?\))?$/;

/** `gis.geometry(Point,4326)`: what a type says of its geometries; undefined: it is none. */
export function spatialType(type: string | undefined): SpatialType | undefined {
  const match = type === undefined ? null : SPATIAL_TYPE.exec(type);
  if (match === null) return undefined;
  const srid = match[2] === undefined ? undefined : Number(match[2]);
  return match[1] === 'geography'
    ? { kind: 'geography', srid: srid ?? 4326 }
    : { kind: 'geometry', srid: srid === 0 ? undefined : srid };
}

export function plannedCalls(
  calls: readonly ColumnCall[],
  of: Pick<PlannedCall, 'baseType'> & { readonly spatial?: SpatialType | undefined },
  { extensions }: Pick<SchemaCache, 'extensions'>,
): readonly PlannedCall[] {
  let { baseType } = of;
  let spatial = of.spatial;
  return calls.map((call) => {
    const extension = EXTENSION_OF[call.name];
    const schema = extension === undefined ? undefined : extensions.get(extension);
    const planned: PlannedCall = { ...call, baseType, spatial, schema };
    spatial = spatialResult(call.name, call.args[0], spatial);
    baseType = undefined;
    return planned;
  });
}

function spatialResult(
  name: ColumnFunction,
  argument: CallArgument | undefined,
  of: SpatialType | undefined,
): SpatialType | undefined {
  switch (name) {
    case 'st_transform':
      return { kind: 'geometry', srid: argument?.kind === 'number' ? Number(argument.number) : undefined };
    case 'st_centroid':
      return of;
    case 'st_envelope':
    case 'st_simplify':
      return { kind: 'geometry', srid: of?.srid };
    default:
      return undefined;
  }
}
