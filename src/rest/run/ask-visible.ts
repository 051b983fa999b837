// Asks the database what the caller may know of a schema, in the caller's own scope.

import { readFileSync } from 'node:fs';
import { ok, type Result } from '../../kernel/result.ts';
import type { Batch, DbError, Driver, ExecuteOptions, Row, Statement } from '../../pg/driver.ts';

export type Visible = {
  readonly comment: string | null;
  /** Undefined: privileges are not asked, everything is described. */
  readonly objects: { readonly tables: Buffer | null; readonly routines: Buffer | null } | undefined;
};

export type VisibilityMode = 'follow-privileges' | 'ignore-privileges';

const VISIBLE_OBJECTS = readFileSync(new URL('./sql/visible-objects.sql', import.meta.url), 'utf8');
const SCHEMA_COMMENT = readFileSync(new URL('./sql/schema-comment.sql', import.meta.url), 'utf8');

/** `response`: asks what was set of the reply. */
type VisibilityQuestion = {
  readonly mode: VisibilityMode;
  readonly schema: string;
  readonly guard?: string | undefined;
  readonly response?: Statement | undefined;
};

/** With `response.headers` and `response.status`, as set. */
type VisibilityAnswer = Visible & {
  readonly headers?: string | undefined;
  readonly status?: string | undefined;
};

/** `before`: the scope, and whatever else every request of the caller begins with. */
export async function askVisible(
  driver: Driver,
  before: Batch,
  { mode, schema, guard, response }: VisibilityQuestion,
  options: Pick<ExecuteOptions, 'signal'>,
): Promise<Result<VisibilityAnswer, DbError>> {
  const text = mode === 'follow-privileges' ? visibleObjects(guard) : SCHEMA_COMMENT;
  const asked = { text, params: [schema] };
  const executed = await driver.execute(
    response === undefined ? [...before, asked] : [...before, asked, response],
    options,
  );
  if (!executed.ok) return executed;
  const visible = readVisible(mode, executed.value[before.length]?.rows ?? []);
  const [headers, status] = executed.value[before.length + 1]?.rows[0] ?? [];
  return ok({ ...visible, headers: headers?.toString(), status: status?.toString() });
}

/** The rows of the answer. */
export function readVisible(mode: VisibilityMode, rows: readonly Row[]): Visible {
  const [comment, tables, routines] = rows[0] ?? [];
  return {
    comment: comment?.toString('utf8') ?? null,
    objects: mode === 'ignore-privileges' ? undefined : { tables: tables ?? null, routines: routines ?? null },
  };
}

/** `guard`: the quoted name of the relation guard, which is asked once, about all relations of the schema. */
function visibleObjects(guard: string | undefined): string {
  if (guard === undefined) return VISIBLE_OBJECTS;
  return `with visible as materialized (
  select ${guard}(array(select c.oid::regclass from pg_catalog.pg_class c where c.relnamespace = n.oid), false) as relations
  from pg_catalog.pg_namespace n where n.nspname = $1
)
${VISIBLE_OBJECTS.replace('-- relation guard', 'and c.oid in (select pg_catalog.unnest(relations) from visible)')}`;
}
