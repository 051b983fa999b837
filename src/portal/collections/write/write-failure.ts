// What the database refused of a write → the failure of the request, with the field it is about where that can be told.

import type { DbError } from '../../../pg/driver.ts';
import { dbFailure } from '../../errors/db-failure.ts';
import type { FieldMessages, PortalError } from '../../errors/portal-error.ts';
import { NOWHERE } from '../../represent/document.ts';
import type { Shape } from '../../represent/field.ts';

/** Checks over several columns have numbers instead of names. */
const KNOWN: Readonly<Record<string, readonly [field: string, message: string]>> = {
  resource_srid_known: ['srid', 'There is no such coordinate system. Enter a code like EPSG:4326.'],
  document_is_somewhere: ['doc_url', NOWHERE],
  resource_check: ['temporal_extent_end', 'The end must not be before the start.'],
};

export function writeFailure(error: DbError, shape: Shape): PortalError {
  if (error.kind === 'sql' && error.sqlstate === '23514') {
    const fields = checkedField(error.message, shape);
    if (fields !== undefined) return { kind: 'invalid-fields', fields };
  }
  // What is wrong with a list of permissions the database says in a sentence.
  if (error.kind === 'sql' && error.sqlstate === '22023' && shape.byName.has('permissions'))
    return { kind: 'invalid-fields', fields: { permissions: [error.message] } };
  return { kind: 'database', error };
}

/** The constraint's name in the sentence: `resource_title_check`. */
function checkedField(message: string, shape: Shape): FieldMessages | undefined {
  for (const word of message.split(/[^A-Za-z0-9_]+/)) {
    const known = KNOWN[word];
    if (known !== undefined) return { [known[0]]: [known[1]] };
    const column = /^(?:resource|upload|user_group|account|account_detail)_(\w+?)_check\d*$/.exec(word)?.[1];
    const field = shape.fields.find(
      ({ name, write }) => name === column || ('column' in write && write.column === column),
    );
    if (field !== undefined) return { [field.name]: ['This value is not allowed.'] };
  }
  return undefined;
}

/** Messages about one element of several; undefined: the failure is not the element's. */
export function elementMessages(failure: PortalError): FieldMessages | undefined {
  const plain = failure.kind === 'database' ? dbFailure(failure.error) : failure;
  switch (plain.kind) {
    case 'invalid-fields':
      return plain.fields;
    case 'invalid-request':
      return { non_field_errors: plain.messages };
    default:
      return undefined;
  }
}
