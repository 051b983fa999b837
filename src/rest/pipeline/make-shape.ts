// Plan → shape: the SQL is rendered, the statements get their names, and what of the reply does not depend on values is
// put together.

import type { Rendered } from '../../sql/index.ts';
import type { MutatePlan, QueryPlan } from '../plan/plan.ts';
import type { Bind } from '../query/bind.ts';
import { buildQuery, type RowsStatements } from '../query/main-query.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { type Preferences, preferenceApplied } from '../request/preferences.ts';
import type { Header } from '../response/response-settings.ts';
import type { Identifier } from '../schema-cache/schema-cache.ts';
import { raiseRules } from './result-check.ts';
import type { Shape, ShapeStatement } from './shape-cache.ts';

let statements = 0;

export function makeShape(
  request: ApiRequest,
  plan: QueryPlan,
  options: { readonly prepare: boolean; readonly copies?: boolean; readonly guarded?: readonly Identifier[] },
): Shape {
  const raise = raiseRules(request, plan);
  const { main, before, call, estimate, rows, levels, copy } = buildQuery(plan, raise);
  const describe = plan.media.format.kind === 'handler' || plan.media.format.kind === 'value';
  const named = (rendered: Rendered<Bind>, describes: boolean): ShapeStatement => {
    statements += 1;
    return { ...rendered, name: options.prepare ? `q${statements}` : undefined, describe: describes };
  };
  return {
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
    guarded: options.guarded ?? [],
    headers: fixedHeaders(request, plan),
    headOnly: isHeadOnly(request),
  };
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
  if (plan.kind !== 'mutate')
    headers.push([
      'Vary',
      request.schemaNegotiated ? 'Accept, Prefer, Range, Accept-Profile' : 'Accept, Prefer, Range',
    ]);
  return headers;
}

/** An estimate that would tell of hidden rows was counted instead. */
function appliedOf({ preferences }: ApiRequest, plan: QueryPlan): Preferences {
  const isCounted = plan.kind === 'read' && plan.count.kind === 'exact' && preferences.count !== undefined;
  return isCounted ? { ...preferences, count: 'exact' } : preferences;
}
