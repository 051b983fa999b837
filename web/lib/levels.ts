// Permissions as people think of them: levels, each with all of the one before. To the names of the API and back. Pure.

import type { Permission, Permissions } from '../api/types.ts';

export const LEVELS = ['view', 'download', 'edit', 'manage'] as const;
export type Level = (typeof LEVELS)[number];

const NAMES: Readonly<Record<Level, readonly Permission[]>> = {
  view: ['view_resourcebase'],
  download: ['download_resourcebase'],
  edit: ['change_resourcebase', 'change_resourcebase_metadata'],
  manage: ['delete_resourcebase', 'change_resourcebase_permissions', 'publish_resourcebase'],
};
const OF_LAYERS: readonly Permission[] = ['change_layer_data', 'change_layer_style'];

export function namesOf(level: Level, isLayer: boolean): readonly Permission[] {
  const upTo = LEVELS.slice(0, LEVELS.indexOf(level) + 1).flatMap((one) => NAMES[one]);
  return isLayer && LEVELS.indexOf(level) >= LEVELS.indexOf('edit') ? [...upTo, ...OF_LAYERS] : upTo;
}

/** The highest level whose permissions are all there; `custom` when there are others besides. */
export function levelOf(names: readonly Permission[], isLayer: boolean): Level | 'custom' | undefined {
  if (names.length === 0) return undefined;
  const level = [...LEVELS].reverse().find((one) => namesOf(one, isLayer).every((name) => names.includes(name)));
  return level !== undefined && namesOf(level, isLayer).length === new Set(names).size ? level : 'custom';
}

export type Share = { readonly kind: 'users' | 'groups'; readonly name: string; readonly names: readonly Permission[] };

/** Everybody, signed in or not; and everybody who is signed in. */
const PUBLIC = 'anonymous';
export const MEMBERS = 'registered-members';

/** Whom it is shared with, besides its owner and the public. */
export function sharesOf(permissions: Permissions, owner: string | undefined): readonly Share[] {
  const users = Object.entries(permissions.users).filter(([name]) => name !== owner && name !== 'AnonymousUser');
  const groups = Object.entries(permissions.groups).filter(([name]) => name !== PUBLIC);
  return [
    ...groups.map(([name, names]) => ({ kind: 'groups' as const, name, names })),
    ...users.map(([name, names]) => ({ kind: 'users' as const, name, names })),
  ].sort((a, b) => a.name.localeCompare(b.name));
}

export function publicNames(permissions: Permissions): readonly Permission[] {
  return permissions.groups[PUBLIC] ?? permissions.users['AnonymousUser'] ?? [];
}

/** What is sent: all of it, since it replaces everything. */
export function permissionsOf(
  shares: readonly Share[],
  forPublic: readonly Permission[],
  owner: Permissions['users'] = {},
): Permissions {
  const of = (kind: Share['kind']): Record<string, readonly Permission[]> =>
    Object.fromEntries(
      shares.filter((share) => share.kind === kind && share.names.length > 0).map(({ name, names }) => [name, names]),
    );
  return {
    users: { ...owner, ...of('users') },
    groups: { ...of('groups'), ...(forPublic.length === 0 ? {} : { [PUBLIC]: forPublic }) },
  };
}

/** Of something that is being made: everybody sees and downloads it, or nobody but its owner. */
export function newPermissions(isPublic: boolean): Permissions {
  return permissionsOf([], isPublic ? namesOf('download', false) : []);
}
