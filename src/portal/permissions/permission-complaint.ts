// What the database has against a list of permissions → a message under the member of the body that it is about.

import type { SqlError } from '../../pg/driver.ts';
import type { PortalError } from '../errors/portal-error.ts';

/** Undefined: it is something else. */
export function permissionComplaint(error: SqlError, spec: unknown): PortalError | undefined {
  if (error.sqlstate !== '22023') return undefined;
  const field = fieldOf(error.message, spec);
  return { kind: 'invalid-fields', fields: { [field]: [error.message] } };
}

type Entry = Readonly<Record<string, unknown>>;

function fieldOf(message: string, spec: unknown): string {
  const [, kind = '', name = ''] =
    /^unknown (user|group)s? "([^"]*)"/.exec(message) ?? /^unknown (member) "(.*)"$/s.exec(message) ?? [];
  if (kind === 'user') return 'users';
  if (kind === 'group')
    return memberWith(spec, (entry) => entry['name'] === name || String(entry['id']) === name) ?? 'groups';
  if (kind === 'member') return name.slice(0, 100);
  const [, member] = /^(?:entries of )?"(users|organizations|groups)" must/.exec(message) ?? [];
  if (member !== undefined) return member;
  const [, level] = /^unknown level "(.*)" of "/s.exec(message) ?? [];
  const hasLevel = ({ permissions }: Entry): boolean => (typeof permissions === 'string' ? permissions : '') === level;
  if (level !== undefined) return memberWith(spec, hasLevel) ?? 'non_field_errors';
  const [, permission] = /^(?:unknown permissions?|an? \w+ has no permission) "([^"]*)"/.exec(message) ?? [];
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

/** Of levels, which are lists of entries: the list that has such an entry. */
function memberWith(spec: unknown, isIt: (entry: Entry) => boolean): string | undefined {
  const lists = membersIn(spec);
  return ['users', 'organizations', 'groups'].find((at) => {
    const list = lists[at];
    return Array.isArray(list) && list.some((entry) => isIt(membersIn(entry)));
  });
}

function membersIn(value: unknown): Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
