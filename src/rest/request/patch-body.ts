// Bodies of PATCH that say how to change a row, not what it becomes: `application/merge-patch+json` (RFC 7396, with increments) and a subset of
// `application/json-patch+json` (RFC 6902). In: the bytes. Out: what a plan has to know of them, names and counts; values stay in the bytes.

import { err, ok, type Result } from '../../kernel/result.ts';
import { arrayLiteral } from './array-literal.ts';
import { DEEPEST_JSON, scanJson } from './json-scan.ts';
import { LIMITS } from './limits.ts';
import type { Payload } from './payload.ts';
import type { BodyProblem, RequestError } from './request-error.ts';

export const MERGE_PATCH = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';

type MergePayload = Extract<Payload, { kind: 'json' }>;
type PatchPayload = Extract<Payload, { kind: 'json-patch' }>;
type PatchOperation = PatchPayload['operations'][number];

type Row = Readonly<Record<string, unknown>>;

/** One object for all rows that match, or a list of objects that each name their row. */
export function parseMergePatch(bytes: Uint8Array): Result<MergePayload, RequestError> {
  const json = parseJson(bytes);
  if (!json.ok) return json;
  const isArray = Array.isArray(json.value);
  const rows: readonly unknown[] = isArray ? (json.value as readonly unknown[]) : [json.value];
  if (!rows.every(isObject)) return invalid({ kind: 'keys-differ' });
  const depths = new Map<string, number>();
  const increments = new Set<string>();
  let partial = false;
  for (const [place, row] of rows.entries()) {
    const keys = Object.keys(row);
    if (place > 0 && keys.length !== depths.size) partial = true;
    for (const key of keys) {
      const value = row[key];
      if (place > 0 && !depths.has(key)) partial = true;
      depths.set(key, Math.max(depths.get(key) ?? 0, objectDepth(value)));
      if (isIncrement(value)) increments.add(key);
    }
    if (depths.size > LIMITS.bodyKeys.most) return invalid({ kind: 'too-many-keys', limit: LIMITS.bodyKeys.most });
    if (keys.length !== depths.size) partial = true;
  }
  if ([...depths.values()].some((depth) => depth > LIMITS.mergeDepth.most))
    return err({ kind: 'too-many', limit: 'mergeDepth' });
  return ok({
    kind: 'json',
    bytes,
    isArray,
    keys: [...depths.keys()],
    merge: { depths: [...depths], increments: [...increments], partial },
  });
}

/** How many objects stand in each other; a list is a value like any other. */
function objectDepth(value: unknown): number {
  if (!isObject(value)) return 0;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, objectDepth(inner));
  return deepest + 1;
}

/** `{"$inc": 1}` and nothing else in it. */
function isIncrement(value: unknown): boolean {
  return isObject(value) && typeof value['$inc'] === 'number' && Object.keys(value).length === 1;
}

const OPERATIONS: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'test']);

export function parseJsonPatch(bytes: Uint8Array): Result<PatchPayload, RequestError> {
  const json = parseJson(bytes);
  if (!json.ok) return json;
  if (!Array.isArray(json.value)) return wrong(undefined, 'is not a list of operations');
  if (json.value.length > LIMITS.patchOperations.most) return err({ kind: 'too-many', limit: 'patchOperations' });
  const operations: PatchOperation[] = [];
  const paths: string[] = [];
  for (const [place, one] of (json.value as readonly unknown[]).entries()) {
    if (!isObject(one)) return wrong(place, 'is not an object');
    const { op, path } = one;
    if (typeof op !== 'string' || !OPERATIONS.has(op))
      return wrong(place, `has an op other than ${[...OPERATIONS].join(', ')}`);
    const steps = typeof path === 'string' ? parsePointer(path) : undefined;
    const [column, ...inside] = steps ?? [];
    if (column === undefined) return wrong(place, "has no path that begins with '/' and the name of a column");
    if (inside.length > LIMITS.jsonSteps.most) return err({ kind: 'too-many', limit: 'jsonSteps' });
    if (op !== 'remove' && !Object.hasOwn(one, 'value')) return wrong(place, 'has no value');
    if (op === 'remove' && inside.length === 0)
      return wrong(place, 'removes a whole column; replace its value by null instead');
    const odd = oddSteps(inside);
    operations.push({
      op: op as PatchOperation['op'],
      column,
      steps: inside.length,
      ...(odd.length === 0 ? undefined : { odd }),
    });
    paths.push(arrayLiteral(inside));
  }
  return operations.length === 0
    ? wrong(undefined, 'has no operation')
    : ok({ kind: 'json-patch', bytes, operations, paths });
}

/** Steps on the way, from 0, that are no index of a list (RFC 6901) and would be taken for one: `-1`, `01`, `+1`. */
function oddSteps(steps: readonly string[]): readonly number[] {
  return steps
    .slice(0, -1)
    .flatMap((step, place) => (/^\s*[+-]?\d+$/.test(step) && !/^(0|[1-9]\d*)$/.test(step) ? [place] : []));
}

/** RFC 6901; undefined: it is none. */
function parsePointer(text: string): readonly string[] | undefined {
  if (!text.startsWith('/') || /~(?![01])/.test(text) || text.includes('\0')) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function wrong(place: number | undefined, why: string): Result<never, RequestError> {
  return err({ kind: 'json-patch-invalid', place: place === undefined ? undefined : place + 1, why });
}

function parseJson(bytes: Uint8Array): Result<unknown, RequestError> {
  const scan = scanJson(bytes);
  if (scan.kind === 'invalid') return invalid({ kind: 'json-invalid' });
  if (scan.kind === 'too-deep') return invalid({ kind: 'json-too-deep', limit: DEEPEST_JSON });
  return ok(JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as unknown);
}

function invalid(problem: BodyProblem): Result<never, RequestError> {
  return err({ kind: 'body-invalid', problem });
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
