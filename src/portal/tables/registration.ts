// A body → the table of the database that is to be registered. Pure; every mistake is told at its field.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { FieldMessages } from '../errors/portal-error.ts';
import { isMembers, type Members } from '../operations/write/body-forms.ts';

export type Registration = {
  readonly schema: string;
  readonly table: string;
  /** Undefined: the comment of the table, or its name. */
  readonly title: string | undefined;
  readonly abstract: string;
  /** Undefined: its primary key. */
  readonly key: string | undefined;
  /** As `set_perms` takes them; undefined: those that new layers have. */
  readonly permissions: Members | undefined;
};

const MEMBERS: ReadonlySet<string> = new Set(['schema', 'table', 'title', 'abstract', 'key', 'permissions']);
/** Of a name in PostgreSQL. */
const MAX_NAME = 63;

export function parseRegistration(body: unknown): Result<Registration, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: ['Expected a JSON object.'] });
  const faults: Record<string, readonly string[]> = {};
  for (const member of Object.keys(body)) if (!MEMBERS.has(member)) faults[member.slice(0, 100)] = ['Unknown field.'];
  const text = (field: string, max: number, isRequired: boolean): string => {
    const value = body[field] ?? '';
    if (typeof value !== 'string' || value.includes('\0')) faults[field] = ['Not a valid string.'];
    else if (isRequired && value === '') faults[field] = ['This field may not be blank.'];
    else if ([...value].length > max) faults[field] = [`Ensure this field has no more than ${max} characters.`];
    else return value;
    return '';
  };
  const schema = text('schema', MAX_NAME, true);
  const table = text('table', MAX_NAME, true);
  const title = text('title', 255, false).trim();
  const abstract = text('abstract', 2000, false);
  const key = text('key', MAX_NAME, false);
  const { permissions } = body;
  if (permissions !== undefined && permissions !== null && !isMembers(permissions))
    faults['permissions'] = ['An object with "users" and "groups" is expected.'];
  if (Object.keys(faults).length > 0) return err(faults);
  return ok({
    schema,
    table,
    title: title === '' ? undefined : title,
    abstract,
    key: key === '' ? undefined : key,
    permissions: isMembers(permissions) ? permissions : undefined,
  });
}
