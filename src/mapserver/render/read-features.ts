// The statement of a view → features that can be drawn. Runs as the caller: what row security hides is not there.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { Box } from '../../geo/projection.ts';
import type { GeometryType } from '../../geo/style/expression.ts';
import type { View } from '../../geo/view.ts';
import type { Stage } from '../../kernel/in-slices.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { LayerColumn } from '../../layers/layer.ts';
import type { CancelSignal, DbError, Row } from '../../pg/driver.ts';
import { columnClass } from '../layers/column-class.ts';
import { type CrowdedView, crowdedView, crowdsStatement, tilesOfView } from '../query/crowded-view.ts';
import { type GroupPlan, groupColumns } from '../query/group-sql.ts';
import { timeLimitAlone } from '../query/layer-sql.ts';
import { type FeaturePlan, featureStatement, groupStatement } from '../query/view-sql.ts';
import { type Part, parseTwkb } from './twkb.ts';

export type Feature = {
  readonly id: string;
  readonly type: GeometryType;
  /** In pixels of the picture. */
  readonly parts: readonly Part[];
  readonly properties: Readonly<Record<string, unknown>>;
  /** Where the name of an area stands, by its whole geometry; null: outside of the picture; undefined: anywhere on what is drawn. */
  readonly place?: readonly [x: number, y: number] | null;
  /** How many features it stands for; undefined: itself alone. */
  readonly count?: number;
};

export type ReadOptions = {
  readonly db: Pick<CallerDb, 'read'>;
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly maxMs: number;
  readonly signal?: CancelSignal;
};

export async function readFeatures(
  plan: FeaturePlan,
  options: ReadOptions,
): Promise<Result<readonly Feature[], DbError>> {
  const { db, caller, info, maxMs, signal } = options;
  const flown = await db.read(
    caller,
    info,
    [timeLimitAlone(maxMs), featureStatement(plan)],
    signal === undefined ? {} : { signal },
  );
  if (!flown.ok) return flown;
  const rows = flown.value[1]?.rows ?? [];
  // The statistics were wrong: there are more than can be drawn.
  if (!plan.isThinned && plan.crowd === undefined && rows.length > plan.most)
    return readFeatures({ ...plan, isThinned: true }, options);
  return ok(await inSlices(decode(rows, plan.columns, plan.labels, plan.crowd !== undefined)));
}

/** What the overview of the layer says of the tiles of a view (in metres of EPSG:3857); undefined: it has none that can be used there. */
export async function readCrowd(
  { layer, view, most }: FeaturePlan,
  box: Box,
  { db, caller, info, signal }: ReadOptions,
): Promise<Result<CrowdedView | undefined, DbError>> {
  const tiles = tilesOfView(layer, box, view.zoom);
  if (tiles === undefined || tiles.length === 0) return ok(undefined);
  const asked = await db.read(caller, info, [crowdsStatement(layer, tiles)], signal === undefined ? {} : { signal });
  return asked.ok ? ok(crowdedView(layer, tiles, asked.value[0]?.rows ?? [], most)) : asked;
}

/** Groups of features instead of the features. */
export async function readGroups(
  plan: GroupPlan,
  view: View,
  { db, caller, info, maxMs, signal }: ReadOptions,
): Promise<Result<readonly Feature[], DbError>> {
  const statements = [timeLimitAlone(maxMs), groupStatement(plan, view)] as const;
  const flown = await db.read(caller, info, statements, signal === undefined ? {} : { signal });
  if (!flown.ok) return flown;
  return ok(await inSlices(decode(flown.value[1]?.rows ?? [], groupColumns(plan.group), false)));
}

type Column = Pick<LayerColumn, 'name' | 'type'>;

function* decode(
  rows: readonly Row[],
  columns: readonly Column[],
  hasPlaces: boolean,
  hasCounts = false,
): Stage<readonly Feature[]> {
  const first = hasPlaces ? 3 : 2;
  const readers = columns.map(({ name, type }, i) => ({ name, read: reader(type), at: i + first }));
  const features: Feature[] = [];
  const none = Object.freeze({});
  for (const row of rows) {
    const [shape, key] = row;
    if (shape === null || shape === undefined) continue;
    let properties: Readonly<Record<string, unknown>> = none;
    if (readers.length > 0) {
      // Without a prototype: columns can be called anything.
      const values: Record<string, unknown> = Object.create(null);
      for (const { name, read, at } of readers) {
        const cell = row[at];
        values[name] = cell === null || cell === undefined ? undefined : read(cell.toString());
      }
      properties = values;
    }
    const id = key?.toString() ?? '';
    const place = hasPlaces ? placeOf(row[2]) : undefined;
    const count = hasCounts ? Number(row[first + columns.length]?.toString()) : undefined;
    for (const { type, parts } of parseTwkb(fromHex(shape)))
      features.push({
        id,
        type,
        parts,
        properties,
        ...(place === undefined || type !== 'Polygon' ? {} : { place }),
        ...(count === undefined || count === 1 ? {} : { count }),
      });
    yield;
  }
  return features;
}

function placeOf(cell: Buffer | null | undefined): readonly [number, number] | null {
  const [point] = cell === null || cell === undefined ? [] : parseTwkb(fromHex(cell));
  const [part] = point?.parts ?? [];
  return part === undefined ? null : [part[0] ?? 0, part[1] ?? 0];
}

function reader(type: string): (text: string) => unknown {
  switch (columnClass(type)) {
    case 'integer':
    case 'number':
      return (text) => (text === 'NaN' ? undefined : Number(text));
    case 'boolean':
      return (text) => text === 't';
    default:
      return (text) => text;
  }
}

/** `\x0123…` → bytes. */
function fromHex(cell: Buffer): Uint8Array {
  const bytes = new Uint8Array((cell.length - 2) >> 1);
  for (let i = 0, at = 2; i < bytes.length; i++, at += 2) bytes[i] = (digit(cell[at]) << 4) | digit(cell[at + 1]);
  return bytes;
}

function digit(code: number | undefined): number {
  return code === undefined ? 0 : code < 58 ? code - 48 : code - 87;
}
