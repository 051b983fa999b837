// Whether those that an item is shared with see another one that it shows, and what the other's permissions are when they do. Pure.

import type { Permission, Permissions } from '../api/types.ts';
import { MEMBERS, namesOf, PUBLIC, publicNames, type Share } from './levels.ts';

/** To see rows in a list is to download them. */
export function neededFor(hasRows: boolean): readonly Permission[] {
  return namesOf(hasRows ? 'download' : 'view', false);
}

/** By what they were given, what every account was, or what everybody was. */
export function isSeenByAll(permissions: Permissions, { kind, name }: Share, needed: readonly Permission[]): boolean {
  const forMembers = name === PUBLIC ? [] : (permissions.groups[MEMBERS] ?? []);
  const held = [...publicNames(permissions), ...forMembers, ...(permissions[kind][name] ?? [])];
  return needed.every((one) => held.includes(one));
}

export function withNeeded(
  permissions: Permissions,
  people: readonly Share[],
  needed: readonly Permission[],
): Permissions {
  const given = { users: { ...permissions.users }, groups: { ...permissions.groups } };
  for (const share of people)
    if (!isSeenByAll(permissions, share, needed))
      given[share.kind][share.name] = [...new Set([...(given[share.kind][share.name] ?? []), ...needed])];
  return given;
}
