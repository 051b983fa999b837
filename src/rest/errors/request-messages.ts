// Words for requests that are not well-formed.

import { ALSO_QUERY } from '../../http/query-method.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { LIMITS } from '../request/limits.ts';
import type { BodyProblem, RequestError } from '../request/request-error.ts';
import type { ErrorMessage, MessageTable } from './error-message.ts';

const REFERENCE_PROBLEMS = {
  form: 'It cannot be read as a reference.',
  unknown: 'No request has that id.',
  later: 'Only requests that come before it can be referred to.',
  'not-a-value': 'In an address a reference is the whole value of a filter or argument, or one of a list.',
  'no-answer': 'That request answers without JSON; write it with "Prefer": "return=representation".',
  'not-found': 'The answer has nothing there.',
  several: 'The answer is a list of none or several rows; say which one: $1.0.column.',
  'not-plain': 'In an address a value is a text, a number or a truth value.',
} as const;

const NOT_SATISFIABLE = { status: 416, code: 'SVRST103', message: 'Requested range not satisfiable' };

export const CURSOR_INVALID: ErrorMessage = {
  status: 400,
  code: 'SVRST181',
  message: 'The cursor does not belong to this request',
  details: 'A cursor goes on with the relation, the filters and the order that it was given for.',
  hint: 'Begin again with an empty `after=`.',
};

export const requestMessages: MessageTable<RequestError> = {
  'regex-refused': ({ why }) => ({
    status: 400,
    code: 'SVRST194',
    message: 'The regular expression is refused',
    details: why,
    hint: 'Some expressions keep the database busy for hours, whatever the rows. A function of your own may use any.',
  }),
  'too-many': ({ limit }) => ({
    status: 400,
    code: 'SVRST193',
    message: 'The request holds too much',
    details: `More than ${LIMITS[limit].most} ${LIMITS[limit].of}.`,
    hint: 'Ask in several requests.',
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
    hint: 'A batch is a list of {"method", "path", "headers", "body"}, each perhaps with an "id".',
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
    message: `Request ${place} of the batch has a reference that means nothing: ${reference}`,
    details: REFERENCE_PROBLEMS[why],
    hint: "A reference is $1.column or $id.column; a text that begins with '$' is written '$$'.",
  }),
  'cursor-invalid': () => CURSOR_INVALID,
  'cursor-with-offset': () => ({
    status: 400,
    code: 'SVRST182',
    message: 'Keyset pages are not possible here',
    details: 'A cursor says where the page begins; `offset`, or a Range that begins later, says it too.',
    hint: 'Leave one of them out.',
  }),
  'parameter-twice': ({ name }) => ({
    status: 400,
    code: 'SVRST180',
    message: `The parameter '${name}' is in the address and in the body`,
    hint: 'Put all parameters of that name into one of them.',
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
      return 'The body to read by is a JSON object whose values are texts, numbers, booleans or lists of these';
    case 'csv-grows':
      return `The csv is more than ${problem.times} times as large as json; shorten the names in its header, or send json`;
    case 'csv-empty':
      return 'The csv has no header line';
    case 'csv-not-utf8':
      return 'The csv is not valid UTF-8';
    case 'csv-quote-unclosed':
      return `The csv has a quote without its end, opened in line ${problem.line}`;
    case 'csv-text-after-quote':
      return `The csv has text behind a closing quote in line ${problem.line}`;
    default:
      return assertNever(problem);
  }
}
