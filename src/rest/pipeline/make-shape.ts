// Plan → shape: the SQL is rendered, the statements get their names, and what of the reply does not depend on values is
// put together.

import { addVary, BY_CALLER, isCacheable } from '../../http/vary.ts';
import type { Setting } from '../../pg/scope.ts';
import type { Rendered } from '../../sql/index.ts';
import type { MutatePlan, QueryPlan } from '../plan/plan.ts';
import type { Bind } from '../query/bind.ts';
import { buildQuery, type RowsStatements } from '../query/main-query.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { type Preferences, preferenceApplied } from '../request/preferences.ts';
import type { Header } from '../response/response-settings.ts';
import type { Identifier } from '../schema-cache/schema-cache.ts';
import { guardedRelations } from './relation-guard.ts';
import { raiseRules, resultCheck } from './result-check.ts';
import type { Shape, ShapeStatement } from './shape-cache.ts';
import type { RestState } from './state.ts';
import { chooseWay } from './ways/choose-way.ts';

let statements = 0;

/** What of configuration and schema a shape depends on; absent is off. */
export type ShapeOptions = {
  readonly prepare: boolean;
  /** Many rows may be inserted by COPY. */
  readonly copies?: boolean;
  readonly guarded?: readonly Identifier[];
  /** Writes are undone where no preference says otherwise. */
  readonly rollback?: boolean;
  /** Settings of a function that are set for the whole transaction. */
  readonly hoisted?: readonly string[];
  /** There are limits of owners, or on costs. */
  readonly isLimited?: boolean;
};

export function shapeOptions({ config, cache }: RestState, plan: QueryPlan): ShapeOptions {
  return {
    prepare: config.dbPreparedStatements,
    copies: config.serverShortcuts.includes('copied-inserts'),
    guarded: config.dbRelationGuard === undefined || cache === undefined ? [] : guardedRelations(plan, cache),
    rollback: config.dbTxEnd.startsWith('rollback'),
    hoisted: config.dbHoistedTxSettings,
    isLimited: cache?.hasLimits === true || config.dbMaxCost !== undefined,
  };
}

export function makeShape(request: ApiRequest, plan: QueryPlan, options: ShapeOptions): Shape {
  const raise = raiseRules(request, plan);
  const { main, before, call, estimate, rows, levels, copy } = buildQuery(plan, raise);
  const describe = plan.media.format.kind === 'handler' || plan.media.format.kind === 'value';
  const named = (rendered: Rendered<Bind>, describes: boolean): ShapeStatement => {
    statements += 1;
    return { ...rendered, name: options.prepare ? `q${statements}` : undefined, describe: describes };
  };
  const { preferences } = request;
  const guarded = options.guarded ?? [];
  const shape: Omit<Shape, 'way'> = {
    kind: 'query',
    plan,
    main: named(main, describe),
    rows:
      rows === undefined
        ? undefined
        : {
            of: rows.of,
            isScalar: rows.isScalar === true,
            held: namedRows(rows.held, (one) => named(one, false)),
            // A cursor is declared by a statement that cannot be prepared for good.
            streamed: () => namedRows(rows.streamed(), (one) => ({ ...one, name: undefined, describe: false })),
            oneSnapshot: rows.oneSnapshot === true,
            fewTexts: rows.fewTexts === true,
            few: rows.few === undefined ? undefined : named(rows.few, false),
            // What may be called once only is taken for large until it has shown that it is not.
            seen: { asTexts: rows.of === 'call-once', few: false, bytes: 0, large: rows.of === 'call-once' },
          },
    levels:
      levels === undefined
        ? undefined
        : { ...levels, statement: named(levels.statement, false), seen: { isOther: false, bytes: 0 } },
    // Where nothing is prepared there may be a pooler in between, and not every one takes rows that nobody has asked for yet.
    copy:
      copy === undefined || !options.prepare || options.copies !== true
        ? undefined
        : {
            statement: named(copy.statement, false),
            response: named(copy.response, false),
            columns: copy.columns,
            seen: { isRefused: false },
          },
    before: before === undefined ? undefined : named(before, false),
    call: call === undefined ? undefined : named(call, false),
    calledRow: { isWrittenHere: undefined },
    estimate: estimate === undefined ? undefined : named(estimate, false),
    readOnly: isReadOnly(request, plan),
    raises: raise !== undefined,
    guarded,
    check: resultCheck(request, plan),
    rollback: preferences.tx === undefined ? options.rollback === true : preferences.tx === 'rollback',
    routineSettings: routineSettings(plan, options.hoisted ?? []),
    isExtended: options.isLimited === true || guarded.length > 0 || preferences.explain === 'access',
    headers: fixedHeaders(request, plan),
    headOnly: isHeadOnly(request),
  };
  return { ...shape, way: chooseWay(shape) };
}

const NO_SETTINGS: readonly Setting[] = [];

function routineSettings(plan: QueryPlan, hoisted: readonly string[]): readonly Setting[] {
  if (plan.kind !== 'call' || plan.routine.settings.length === 0) return NO_SETTINGS;
  // The isolation level is not a setting of the transaction but its beginning.
  return plan.routine.settings.filter(([name]) => name !== 'default_transaction_isolation' && hoisted.includes(name));
}

function namedRows(
  { cells, texts, total, response }: RowsStatements<Rendered<Bind>>,
  named: (rendered: Rendered<Bind>) => ShapeStatement,
): RowsStatements<ShapeStatement> {
  return {
    cells: cells === undefined ? undefined : named(cells),
    texts: texts === undefined ? undefined : named(texts),
    total,
    ...(response === undefined ? {} : { response: named(response) }),
  };
}

function isHeadOnly({ action }: ApiRequest): boolean {
  return (action.kind === 'read' && action.headOnly) || (action.kind === 'call' && action.by === 'head');
}

/** A GET never writes; a POST to a function may when the function says so. */
function isReadOnly({ action }: ApiRequest, plan: QueryPlan): boolean {
  if (plan.kind === 'call')
    return (action.kind === 'call' && action.by !== 'post') || plan.routine.volatility !== 'volatile';
  return plan.kind === 'read';
}

function resolves(change: MutatePlan['change']): boolean {
  if (change.kind === 'nested') return change.root.conflict !== undefined;
  return change.kind === 'insert' && change.conflict !== undefined;
}

function fixedHeaders(request: ApiRequest, plan: QueryPlan): readonly Header[] {
  const headers: Header[] = [['Content-Type', plan.media.contentType]];
  if (request.schemaNegotiated) headers.push(['Content-Profile', request.schema]);
  const applied = preferenceApplied(appliedOf(request, plan), request.action.kind, {
    resolutionApplies: plan.kind === 'mutate' && resolves(plan.change),
  });
  if (applied !== undefined) headers.push(['Preference-Applied', applied]);
  if (plan.kind !== 'mutate') {
    const vary = request.schemaNegotiated ? 'Accept, Prefer, Range, Accept-Profile' : 'Accept, Prefer, Range';
    headers.push(['Vary', isCacheable(request.method) ? addVary(vary, BY_CALLER) : vary]);
  }
  return headers;
}

/** An estimate that would tell of hidden rows was counted instead. */
function appliedOf({ preferences }: ApiRequest, plan: QueryPlan): Preferences {
  const isCounted = plan.kind === 'read' && plan.count.kind === 'exact' && preferences.count !== undefined;
  return isCounted ? { ...preferences, count: 'exact' } : preferences;
}
