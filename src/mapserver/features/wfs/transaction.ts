// Transaction: features inserted, updated, replaced and deleted, all of them or none, as the caller and under the layer's policies. The
// statements are those of OGC API Features.

import { isAskedByPage } from '../../../http/asked-by-page.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { VectorLayer } from '../../../layer-ports/layer.ts';
import type { DbError, Statement } from '../../../pg/driver.ts';
import { requestInfo } from '../../map-context.ts';
import { deleteStatement, insertStatement, replaceStatement, updateStatement } from '../../query/edit-sql.ts';
import { EVERY_ROW } from '../../query/value.ts';
import { findType } from './feature-types.ts';
import { featureValues, propertiesOfFeature } from './feature-values.ts';
import { type Action, parseActions } from './transaction-request.ts';
import { type Done, transactionResponse } from './transaction-response.ts';
import type { WfsAsk, WfsHandled, WfsParts } from './wfs-ask.ts';
import { DIALECTS } from './wfs-dialect.ts';
import { XML } from './wfs-documents.ts';
import { wfsError } from './wfs-error.ts';
import type { WfsFailure } from './wfs-failure.ts';
import { filterCondition } from './wfs-query.ts';

/** Of one statement: a filter may choose many features. */
const TRANSACTION_MS = 60_000;

type Step = { readonly action: Action; readonly layer: VectorLayer; readonly statement: Statement };

export async function transaction(parts: WfsParts, ask: WfsAsk): Promise<WfsHandled> {
  const { context } = parts;
  const { request, reply, caller, params } = ask;
  if (params.values.has('lockid')) return wfsError('OptionNotSupported', 'lockId', 'Features are not locked here.');
  const actions = parseActions(params.actions);
  if (!actions.ok) return actions;
  const layers = new Map<string, VectorLayer>();
  const steps: Step[] = [];
  for (const action of actions.value) {
    const name = action.kind === 'insert' || action.kind === 'replace' ? action.feature.name : action.typeName;
    const known = layers.get(name);
    const layer = known === undefined ? await findType(context, ask, name) : ok(known);
    if (!layer.ok) return layer;
    layers.set(name, layer.value);
    const statement = await statementOf(parts, ask, action, layer.value);
    if (!statement.ok) return statement;
    steps.push({ action, layer: layer.value, statement: statement.value });
  }
  const executed = await context.db.write(
    caller,
    requestInfo(request),
    steps.map(({ statement }) => statement),
    { timeLimitMs: TRANSACTION_MS },
  );
  if (!executed.ok) return refusal(executed.error, steps, ask);
  const done = steps.map(({ action, layer }, i): Done => {
    const result = executed.value[i];
    const keys = (result?.rows ?? []).map(([key]) => key?.toString() ?? '');
    return { kind: action.kind, handle: action.handle, layer, keys };
  });
  return ok(reply.type(XML).send(transactionResponse(params.version, done)));
}

async function statementOf(
  { book }: WfsParts,
  { params }: WfsAsk,
  action: Action,
  layer: VectorLayer,
): Promise<Result<Statement, WfsFailure>> {
  const dialect = DIALECTS[params.version];
  const source = { layer, dialect, book, srsName: action.srsName ?? params.values.get('srsname') };
  if (action.kind === 'insert') {
    const values = await featureValues(propertiesOfFeature(action.feature), source);
    return values.ok ? ok(insertStatement(layer, values.value.sent, values.value.crs)) : values;
  }
  const chosen = await filterCondition(action.filter, layer, [], dialect, book);
  if (!chosen.ok) return chosen;
  const meant = chosen.value ?? EVERY_ROW;
  if (action.kind === 'delete') return ok(deleteStatement(layer, meant));
  const named = action.kind === 'update' ? action.properties : propertiesOfFeature(action.feature);
  const values = await featureValues(named, source);
  if (!values.ok) return values;
  const { sent, crs } = values.value;
  return ok(
    action.kind === 'update'
      ? updateStatement(layer, meant, sent, crs)
      : replaceStatement(layer, meant, { ...sent, geometry: sent.geometry ?? null }, crs),
  );
}

/** Nothing was done. Which action it was is said by its handle, or its name. */
function refusal(
  error: DbError,
  steps: readonly Step[],
  { request, reply, caller }: WfsAsk,
): Result<never, WfsFailure> {
  if (error.kind !== 'sql') return err({ kind: 'database', error });
  // The first statement of a batch is the caller's scope.
  const action = steps[error.statement - 1]?.action;
  const locator =
    action === undefined ? 'Transaction' : (action.handle ?? `${action.kind[0]?.toUpperCase()}${action.kind.slice(1)}`);
  const { sqlstate, message } = error;
  if (sqlstate === '42501') {
    if (caller.kind === 'visitor') {
      if (!isAskedByPage(request.headers)) reply.header('WWW-Authenticate', 'Basic realm="api"');
      return err({ kind: 'wfs', code: 'NoApplicableCode', locator, said: 'Sign in to change features.', status: 401 });
    }
    return err({ kind: 'wfs', code: 'NoApplicableCode', locator, said: 'This is not allowed.', status: 403 });
  }
  if (/^(?:22|42883|42804|42725|42P18|XX000)/.test(sqlstate))
    return wfsError('InvalidValue', locator, `A value does not fit: ${message.slice(0, 200)}`);
  if (sqlstate.startsWith('23'))
    return wfsError('OperationProcessingFailed', locator, `The database refuses it: ${message.slice(0, 200)}`);
  return err({ kind: 'database', error });
}
