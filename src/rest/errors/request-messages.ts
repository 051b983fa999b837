// Words for requests that are not well-formed.

import { ALSO_QUERY } from '../../http/query-method.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { LIMITS } from '../request/limits.ts';
import type { BodyProblem, RequestError } from '../request/request-error.ts';
import type { ErrorMessage, MessageTable } from './error-message.ts';

const REFERENCE_PROBLEMS = {
  form: 'It is not a valid reference.',
  unknown: 'No request has that id.',
  later: 'A request can only refer to earlier ones.',
  'not-a-value': 'In a URL, a reference must be the whole value of a filter or argument, or an item of a list.',
  'no-answer': 'That request does not return JSON; send it with "Prefer": "return=representation".',
  'not-found': 'The response has no such value.',
  several: 'The response has no row or several rows; say which one: $1.0.column.',
  'not-plain': 'In a URL, the value must be a string, a number or a boolean.',
} as const;

const NOT_SATISFIABLE = { status: 416, code: 'SVRST103', message: 'Requested range not satisfiable' };

export const CURSOR_INVALID: ErrorMessage = {
  status: 400,
  code: 'SVRST181',
  message: 'The cursor does not belong to this request',
  details: 'A cursor is only valid for the relation, filters and order it was issued for.',
  hint: 'Start again with an empty `after=`.',
};

export const requestMessages: MessageTable<RequestError> = {
  'regex-refused': ({ why }) => ({
    status: 400,
    code: 'SVRST194',
    message: 'The regular expression is not allowed',
    details: why,
    hint: 'Some expressions would keep the database busy for hours. Functions of your own may use any expression.',
  }),
  'too-many': ({ limit }) => ({
    status: 400,
    code: 'SVRST193',
    message: 'The request exceeds a limit',
    details: `More than ${LIMITS[limit].most} ${LIMITS[limit].of}.`,
    hint: 'Split it into several requests.',
  }),
  'query-unparsable': ({ message, details }) => ({ status: 400, code: 'SVRST100', message, details }),
  'method-not-for-routines': ({ method }) => ({
    status: 405,
    code: 'SVRST101',
    message: `Cannot use the ${method} method on RPC`,
    headers: [['Allow', `OPTIONS,GET,HEAD,POST${ALSO_QUERY}`]],
  }),
  'body-invalid': ({ problem }) => ({ status: 400, code: 'SVRST102', message: bodyMessage(problem) }),
  'limit-negative': () => ({ ...NOT_SATISFIABLE, details: 'Limit should be greater than or equal to zero.' }),
  'range-crossed': () => ({
    ...NOT_SATISFIABLE,
    details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
  }),
  'schema-not-exposed': ({ schema, exposed }) => ({
    status: 406,
    code: 'SVRST106',
    message: `Invalid schema: ${schema}`,
    hint: exposed.length === 0 ? null : `Only the following schemas are exposed: ${exposed.join(', ')}`,
  }),
  'content-type-unsupported': ({ contentType }) => ({
    status: 415,
    code: 'SVRST107',
    message: `Content-Type not acceptable: ${contentType}`,
  }),
  'batch-invalid': ({ place, why }) => ({
    status: 400,
    code: 'SVRST170',
    message: `${place === undefined ? 'The batch' : `Request ${place} of the batch`} ${why}`,
    hint: 'A batch is an array of {"method", "path", "headers", "body"}, each optionally with an "id".',
  }),
  'batch-method': ({ method }) => ({
    status: 405,
    code: 'SVRST170',
    message: `Cannot use the ${method} method on batches`,
    headers: [['Allow', 'OPTIONS,POST']],
  }),
  'batch-reference': ({ place, reference, why }) => ({
    status: 400,
    code: 'SVRST171',
    message: `Request ${place} of the batch has a reference that cannot be resolved: ${reference}`,
    details: REFERENCE_PROBLEMS[why],
    hint: "A reference is $1.column or $id.column; a text that begins with '$' is written '$$'.",
  }),
  'cursor-invalid': () => CURSOR_INVALID,
  'cursor-with-offset': () => ({
    status: 400,
    code: 'SVRST182',
    message: 'Keyset pagination is not possible here',
    details: '`after` cannot be combined with `offset`, or with a Range that starts after 0.',
    hint: 'Use only one of them.',
  }),
  'parameter-twice': ({ name }) => ({
    status: 400,
    code: 'SVRST180',
    message: `The parameter '${name}' occurs both in the URL and in the body`,
    hint: 'Send all parameters with that name in one place.',
  }),
  'json-patch-invalid': ({ place, why }) => ({
    status: 400,
    code: 'SVRST102',
    message: `${place === undefined ? 'The JSON patch' : `Operation ${place} of the JSON patch`} ${why}`,
  }),
  'put-with-window': () => ({
    status: 400,
    code: 'SVRST114',
    message: 'limit/offset querystring parameters are not allowed for PUT',
  }),
  // What such a thing can be asked at all; OPTIONS tells what this one can.
  'method-not-supported': ({ method, on }) => ({
    status: 405,
    code: 'SVRST117',
    message: `Unsupported HTTP method: ${method}`,
    headers: [['Allow', on === 'root' ? 'OPTIONS,GET,HEAD' : `OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE${ALSO_QUERY}`]],
  }),
  'path-invalid': () => ({ status: 404, code: 'SVRST125', message: 'Invalid path specified in request URL' }),
  'root-disabled': () => ({ status: 404, code: 'SVRST126', message: 'Root endpoint metadata is disabled' }),
};

function bodyMessage(problem: BodyProblem): string {
  switch (problem.kind) {
    case 'json-invalid':
      return 'Empty or invalid json';
    case 'json-too-deep':
      return `The json is nested deeper than ${problem.limit} levels`;
    case 'keys-differ':
      return 'All object keys must match';
    case 'fields-differ':
      return 'All lines must have same number of fields';
    case 'too-many-keys':
      return `An object of the body has more than ${problem.limit} keys; no table has as many columns`;
    case 'not-parameters':
      return 'The body of a QUERY request must be a JSON object whose values are strings, numbers, booleans or arrays of these';
    case 'csv-grows':
      return `The csv is more than ${problem.times} times as large as json; shorten the names in its header, or send json`;
    case 'csv-empty':
      return 'The csv has no header line';
    case 'csv-not-utf8':
      return 'The csv is not valid UTF-8';
    case 'csv-quote-unclosed':
      return `The csv has an unclosed quote, opened in line ${problem.line}`;
    case 'csv-text-after-quote':
      return `The csv has text after a closing quote in line ${problem.line}`;
    default:
      return assertNever(problem);
  }
}
