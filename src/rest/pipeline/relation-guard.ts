// The relation guard (`db-relation-guard`): relations of which the caller may not even know do not exist for them. Row-level security hides
// their rows; this hides their names, in answers, errors and hints. The database decides, in the request's own batch.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Statement } from '../../pg/driver.ts';
import { scopeStatement } from '../../pg/scope.ts';
import { quoteIdent } from '../../sql/index.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { QueryPlan, ReadNode } from '../plan/plan.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { runGuard } from '../run/run-guard.ts';
import { arrayLiteral } from '../schema-cache/array-literal.ts';
import type { Identifier, SchemaCache } from '../schema-cache/schema-cache.ts';
import type { Exchange } from './exchange.ts';
import { qualified } from './qualified-name.ts';
import { requestScope } from './request-scope.ts';
import { sentSettings } from './sent-settings.ts';
import type { RestState } from './state.ts';

/** What the guard raises for a relation that the caller may not know of; the detail is its place in the list, from 1. */
const HIDDEN = 'SV205';

/** The relations of a plan, the one that is asked for first; none where no policy protects any of them: nothing else can be hidden. */
export function guardedRelations(plan: QueryPlan, cache: SchemaCache): readonly Identifier[] {
  const found: Identifier[] = [];
  const add = ({ schema, name }: Identifier): void => {
    if (!found.some((known) => known.schema === schema && known.name === name)) found.push({ schema, name });
  };
  const walk = ({ from, embeds }: ReadNode): void => {
    if (from.kind === 'relation') add(from.relation);
    for (const { node } of embeds) walk(node);
  };
  if (plan.kind === 'mutate') add(plan.change.table);
  if (plan.tree !== undefined) walk(plan.tree);
  return found.some(cache.isSecured) ? found : [];
}

/** Raises where one of the relations is hidden. Undefined: there is nothing to ask. */
export function guardStatement({ config }: RestState, relations: readonly Identifier[]): Statement | undefined {
  if (config.dbRelationGuard === undefined || relations.length === 0) return undefined;
  const text = `select ${qualified(config.dbRelationGuard)}($1::text[]::regclass[], true)`;
  const names = relations.map(({ schema, name }) => `${quoteIdent(schema)}.${quoteIdent(name)}`);
  const params = [arrayLiteral(names)];
  return config.dbPreparedStatements ? { text, params, name: `relation_guard_${text}` } : { text, params };
}

/** The error of a guard that raised, as an unknown name has it; any other as it is. */
export function asUnknown<E extends RestError>(error: E, relations: readonly Identifier[]): E | RestError {
  if (error.kind !== 'sql' || error.sqlstate !== HIDDEN) return error;
  const [root] = relations;
  const hidden = relations[Number(error.detail) - 1];
  if (root === undefined || hidden === undefined) return error;
  return hidden === root
    ? unknownTable(root)
    : {
        kind: 'relationship-not-found',
        schema: root.schema,
        origin: root.name,
        target: hidden.name,
        hint: undefined,
        near: undefined,
      };
}

export function unknownTable({ schema, name }: Identifier): RestError {
  return { kind: 'table-not-found', schema, table: name, near: undefined };
}

/** The relation that a request is about, where it could be hidden from the caller. */
export function guardedTarget({ schema, target }: ApiRequest, { config, cache }: RestState): Identifier | undefined {
  if (config.dbRelationGuard === undefined || target.kind !== 'relation') return undefined;
  const table = { schema, name: target.name };
  return cache?.isSecured(table) === true ? table : undefined;
}

/** For what is answered without the database, a refused plan or OPTIONS: the guard is asked by itself. */
export async function checkVisibility(
  { http, state, driver, signal }: Exchange,
  request: ApiRequest,
  who: Who,
  table: Identifier,
): Promise<Result<undefined, RestError>> {
  const guard = guardStatement(state, [table]);
  if (guard === undefined) return ok(undefined);
  const parts = requestScope(
    { http, sent: sentSettings(http), request, who, readOnly: true, routineSettings: [] },
    state,
  );
  const scope = scopeStatement(parts, state.config.dbPreparedStatements);
  const asked = await runGuard(driver, scope, guard, signal === undefined ? {} : { signal });
  return asked.ok ? asked : err(asUnknown(asked.error, [table]));
}
