// What the database refused of a write → the failure of the request, with the field it is about where that can be told.

import type { DbError, SqlError } from '../../../pg/driver.ts';
import { constraintMessages, constraintOf } from '../../errors/constraint-messages.ts';
import { dbFailure } from '../../errors/db-failure.ts';
import type { FieldMessages, PortalError } from '../../errors/portal-error.ts';
import type { RecordType } from '../../fields/field.ts';

export function writeFailure(error: DbError, recordType: RecordType): PortalError {
  if (error.kind === 'sql' && error.sqlstate === '23514') {
    const fields = checkedField(error, recordType);
    if (fields !== undefined) return { kind: 'invalid-fields', fields };
  }
  // What is wrong with a list of permissions the database says in a sentence.
  if (error.kind === 'sql' && error.sqlstate === '22023' && recordType.byName.has('permissions'))
    return { kind: 'invalid-fields', fields: { permissions: [error.message] } };
  return { kind: 'database', error };
}

/** Under the name that the field has here, which need not be that of its column. */
function checkedField(error: SqlError, recordType: RecordType): FieldMessages | undefined {
  const constraint = constraintOf(error);
  if (constraint === undefined) return undefined;
  const column = /^(?:resource|upload|user_group|account|account_detail)_(\w+?)_check\d*$/.exec(constraint)?.[1];
  const field = recordType.fields.find(
    ({ name, write }) => name === column || ('column' in write && write.column === column),
  );
  return field === undefined ? constraintMessages(constraint) : { [field.name]: ['This value is not allowed.'] };
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
