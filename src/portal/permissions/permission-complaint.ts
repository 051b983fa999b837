// What the database has against a list of permissions → a message under the member of the body that it is about.

import type { SqlError } from '../../pg/driver.ts';
import type { PortalError } from '../errors/portal-error.ts';

/** Undefined: it is something else. */
export function permissionComplaint(error: SqlError, spec: unknown): PortalError | undefined {
  if (error.sqlstate !== '22023') return undefined;
  const field = fieldOf(error.message, spec);
  return { kind: 'invalid-fields', fields: { [field]: [error.message] } };
}

function fieldOf(message: string, spec: unknown): string {
  const [, kind = '', name = ''] = /^unknown (user|group|member) "(.*)"$/s.exec(message) ?? [];
  if (kind === 'user') return 'users';
  if (kind === 'group') return 'groups';
  if (kind === 'member') return name.slice(0, 100);
  const [, member] = /^(?:entries of )?"(users|organizations|groups)" must/.exec(message) ?? [];
  if (member !== undefined) return member;
  const [, permission] = /^(?:unknown permission|an? \w+ has no permission) "(.*)"$/s.exec(message) ?? [];
  const [, principal] = /^permissions of "(.*)" must/s.exec(message) ?? [];
  for (const at of ['users', 'groups']) {
    for (const [who, perms] of Object.entries(membersIn(membersIn(spec)[at]))) {
      if (who === principal) return at;
      // What is no text is no permission either.
      const isIt = (perm: unknown): boolean => typeof perm !== 'string' || perm === permission;
      if (permission !== undefined && Array.isArray(perms) && perms.some(isIt)) return at;
    }
  }
  return 'non_field_errors';
}

function membersIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
