// The statement of a view → features that can be drawn. Runs as the caller: what row security hides is not there.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { GeometryType } from '../../geo/style/expression.ts';
import type { Stage } from '../../kernel/in-slices.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import { exactNumber } from '../../kernel/long-number.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { LayerColumn } from '../../layer-ports/layer.ts';
import type { CancelSignal, DbError, Row } from '../../pg/driver.ts';
import { columnClass } from '../columns/column-class.ts';
import { timeLimitAlone } from '../query/layer-sql.ts';
import { type FeaturePlan, featureStatement } from '../query/view-sql.ts';
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

/** Undefined: there are more than the plan allows, and a summary has to be drawn instead. */
export async function readFeatures(
  plan: FeaturePlan,
  { db, caller, info, maxMs, signal }: ReadOptions,
): Promise<Result<readonly Feature[] | undefined, DbError>> {
  const statements = [timeLimitAlone(maxMs), featureStatement(plan)];
  const executed = await db.read(caller, info, statements, signal === undefined ? {} : { signal });
  if (!executed.ok) return executed;
  const rows = executed.value[1]?.rows ?? [];
  if (rows.length > plan.most) return ok(undefined);
  return ok(await inSlices(decode(rows, plan.columns, plan.labels)));
}

type Column = Pick<LayerColumn, 'name' | 'type'>;

function* decode(rows: readonly Row[], columns: readonly Column[], hasPlaces: boolean): Stage<readonly Feature[]> {
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
    for (const { type, parts } of parseTwkb(fromHex(shape)))
      features.push({
        id,
        type,
        parts,
        properties,
        ...(place === undefined || type !== 'Polygon' ? {} : { place }),
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
      return (text) => (text === 'NaN' ? undefined : exactNumber(text));
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
