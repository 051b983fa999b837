// Words for requests that are well-formed but not possible against the schema cache.

import type { PlanError } from '../plan/plan-error.ts';
import type { RequestError } from '../request/request-error.ts';
import { ambiguousEmbedMessage, relationshipNotFoundMessage } from './embed-messages.ts';
import type { MessageTable } from './error-message.ts';
import { CURSOR_INVALID } from './request-messages.ts';
import { ambiguousRoutineMessage, procedureInTransactionMessage, routineNotFoundMessage } from './routine-messages.ts';

const KEYSET_REASONS = {
  function: 'The function does not return rows of an exposed relation with a primary key.',
  'no-key': 'The relation has no primary key.',
  grouped: 'Grouped or distinct rows have no key.',
  order: 'The order uses something other than columns of the relation itself.',
} as const;

export const planMessages: MessageTable<Exclude<PlanError, RequestError>> = {
  'table-not-found': ({ schema, table, near }) => ({
    status: 404,
    code: 'SVRST205',
    message: `Could not find the table '${schema}.${table}' in the schema cache`,
    hint: near === undefined ? null : `Perhaps you meant the table '${schema}.${near}'`,
  }),
  'relation-undescribed': ({ schema, table, why }) => ({
    status: 500,
    code: 'SVRST206',
    message: `The relation '${schema}.${table}' cannot be described`,
    details: why,
  }),
  'column-not-found': ({ table, column }) => ({
    status: 400,
    code: 'SVRST204',
    message: `Could not find the '${column}' column of '${table}' in the schema cache`,
  }),
  'relationship-not-found': relationshipNotFoundMessage,
  'ambiguous-embed': ambiguousEmbedMessage,
  'embed-returns': ({ name, most }) => ({
    status: 400,
    code: 'SVRST193',
    message: `The embed '${name}' returns to the same relation too often`,
    details: `Rows multiply each time; a to-many embed may return to the same relation ${most} times at most.`,
    hint: 'Request the inner rows separately.',
  }),
  'not-embedded': ({ name }) => ({
    status: 400,
    code: 'SVRST108',
    message: `'${name}' is not an embedded resource in this request`,
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  }),
  'related-order-not-to-one': ({ origin, name }) => ({
    status: 400,
    code: 'SVRST118',
    message: `A related order on '${name}' is not possible`,
    details: `'${origin}' and '${name}' do not form a many-to-one or one-to-one relationship`,
  }),
  'bad-embed-filter': ({ name }) => ({
    status: 400,
    code: 'SVRST120',
    message: `Bad operator on the '${name}' embedded resource`,
    details: 'Only is null or not is null filters are allowed on embedded resources',
  }),
  'aggregates-disabled': () => ({
    status: 400,
    code: 'SVRST123',
    message: 'Use of aggregate functions is not allowed',
  }),
  'not-implemented': ({ feature }) => ({
    status: 400,
    code: 'SVRST127',
    message: 'Feature not implemented',
    details: feature,
  }),
  'routine-not-found': routineNotFoundMessage,
  'ambiguous-routine': ambiguousRoutineMessage,
  'procedure-by-get': ({ name }) => ({
    status: 405,
    code: 'SVRST101',
    message: `The procedure '${name}' must be called with POST`,
    headers: [['Allow', 'OPTIONS,POST']],
  }),
  'procedure-needs-transaction': procedureInTransactionMessage,
  'owner-limit': ({ where, limit, why }) => ({
    status: 400,
    code: 'SVRST186',
    message: `The request exceeds the limit ${limit}`,
    details: why,
    hint: `The limit is set in ${where}.`,
  }),
  'put-needs-key': () => ({
    status: 405,
    code: 'SVRST105',
    message: "Filters must include all and only primary key columns with 'eq' operators",
  }),
  'rows-need-key': ({ table, missing }) => ({
    status: 400,
    code: 'SVRST174',
    message: `The objects in the body do not identify rows of '${table}' they are`,
    details: missing.length === 0 ? 'It has no primary key.' : `Missing: ${missing.join(', ')}`,
    hint: 'Give every object the whole primary key, or name other columns with on_conflict.',
  }),
  'nested-impossible': ({ name, why }) => ({
    status: 400,
    code: 'SVRST177',
    message: `The rows under '${name}' cannot be written there`,
    details: why,
  }),
  'nested-keys-differ': ({ name, keys }) => ({
    status: 400,
    code: 'SVRST177',
    message: `All object keys under '${name}' must match`,
    details: `Some objects lack: ${keys.join(', ')}`,
    hint: 'With Prefer: missing=default, omitted columns get their default; with missing=null, they become null.',
  }),
  'increment-needs-number': ({ table, column }) => ({
    status: 400,
    code: 'SVRST174',
    message: `The column '${column}' of '${table}' is not numeric and cannot be incremented`,
  }),
  'json-patch-needs-json': ({ table, column }) => ({
    status: 400,
    code: 'SVRST174',
    message: `The column '${column}' of '${table}' is neither json nor jsonb, the only types that a JSON patch can change`,
  }),
  'invalid-preferences': ({ names }) => ({
    status: 400,
    code: 'SVRST122',
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${names.join(', ')}`,
  }),
  'not-acceptable': ({ types }) => ({
    status: 406,
    code: 'SVRST107',
    message: `None of these media types are available: ${types.join(', ')}`,
  }),
  'extension-missing': ({ extension, word }) => ({
    status: 400,
    code: 'SVRST183',
    message: `'${word}' requires the extension ${extension}, which is not installed in the database`,
    hint: `Install the extension ${extension} in the database, and reload the schema cache.`,
  }),
  'cursor-outdated': () => CURSOR_INVALID,
  'keyset-impossible': ({ why }) => ({
    status: 400,
    code: 'SVRST182',
    message: 'Keyset pagination is not possible here',
    details: KEYSET_REASONS[why],
    hint: 'Page by limit and offset.',
  }),
  'max-affected-needs-set': () => ({
    status: 400,
    code: 'SVRST128',
    message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  }),
};
