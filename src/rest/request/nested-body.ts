// Rows inside rows of a body: which of its keys hold rows of a relation that `select` embeds, level by level. In: the bytes and the select. Out: the
// keys of each level; the values stay in the bytes.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { SelectItem } from './api-request.ts';
import { LIMITS } from './limits.ts';
import type { NestedKeys } from './payload.ts';
import type { RequestError } from './request-error.ts';

type Row = Readonly<Record<string, unknown>>;
type EmbedItem = Extract<SelectItem, { kind: 'embed' }>;

/** Undefined: no key of the rows is the name of an embed. */
export function parseNested(
  bytes: Uint8Array,
  keys: readonly string[],
  select: readonly SelectItem[],
): Result<NestedKeys | undefined, RequestError> {
  if (!embedsOf(select).some((item) => keys.includes(nameOf(item)))) return ok(undefined);
  const json: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  const rows = (Array.isArray(json) ? json : [json]) as readonly Row[];
  const level = levelOf(rows, select, 1);
  if (!level.ok) return level;
  return ok(level.value.children.length === 0 ? undefined : level.value);
}

function embedsOf(select: readonly SelectItem[]): readonly EmbedItem[] {
  return select.filter((item): item is EmbedItem => item.kind === 'embed');
}

function nameOf({ alias, name }: EmbedItem): string {
  return alias ?? name;
}

function levelOf(rows: readonly Row[], select: readonly SelectItem[], depth: number): Result<NestedKeys, RequestError> {
  if (depth > LIMITS.nestedLevels.most) return err({ kind: 'too-many', limit: 'nestedLevels' });
  const counts = new Map<string, number>();
  for (const row of rows) for (const key of Object.keys(row)) counts.set(key, (counts.get(key) ?? 0) + 1);
  if (counts.size > LIMITS.bodyKeys.most)
    return err({ kind: 'body-invalid', problem: { kind: 'too-many-keys', limit: LIMITS.bodyKeys.most } });
  const children: NestedKeys['children'][number][] = [];
  for (const item of embedsOf(select)) {
    const name = nameOf(item);
    if (!counts.has(name) || children.some((child) => child.name === name)) continue;
    const inner = innerRows(rows, name);
    // Neither rows nor lists of them: it is a column, or nothing that is known.
    if (inner === undefined) continue;
    const inside = levelOf(inner.rows, item.items, depth + 1);
    if (!inside.ok) return inside;
    children.push({ name, target: item.name, hint: item.hint, isList: inner.isList, inside: inside.value });
  }
  const own = [...counts.keys()].filter((key) => !children.some(({ name }) => name === key));
  return ok({ keys: own, partial: own.filter((key) => counts.get(key) !== rows.length), children });
}

/** The rows under a key of all rows: all of them in lists, or each by itself. */
function innerRows(
  rows: readonly Row[],
  name: string,
): { readonly rows: readonly Row[]; readonly isList: boolean } | undefined {
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
  const isList = values.length > 0 && values.every(Array.isArray);
  const inner = isList ? values.flat(1) : values;
  return values.length > 0 && inner.every(isRow) ? { rows: inner as readonly Row[], isList } : undefined;
}

function isRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
