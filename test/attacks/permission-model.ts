// The permission model once more, as plainly as it can be said, to hold the program against: who is in which group, what was granted to
// whom, and from that who may do what. Nothing here is shared with the program.

export const PERMISSIONS = [
  'view_resourcebase',
  'download_resourcebase',
  'change_resourcebase',
  'change_resourcebase_metadata',
  'delete_resourcebase',
  'change_resourcebase_permissions',
  'publish_resourcebase',
  'change_layer_data',
  'change_layer_style',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What an answer takes: one of the permissions that can be granted, or to be the one whose it is. */
export type Right = Permission | 'owner';

export type Kind = 'layer' | 'map' | 'document';
export type Grants = {
  users: Record<string, Permission[]>;
  groups: Record<string, Permission[]>;
};
export type ModelItem = {
  readonly id: number;
  readonly kind: Kind;
  readonly name: string;
  readonly owner: string;
  /** The upload that a layer came by; an upload is its owner's, whatever the layer's permissions are. */
  readonly upload?: number;
  grants: Grants;
};
/** Everybody by name; undefined: a visitor. */
export type Who = string | undefined;

export type Model = {
  readonly people: readonly string[];
  /** Members by the group's name. */
  readonly groups: ReadonlyMap<string, Set<string>>;
  readonly items: readonly ModelItem[];
  /** What an unlisted link lets people do, by item; nothing once it has ended. It is for reading, and of items that are named. */
  link: ReadonlyMap<number, readonly Permission[]>;
};

export const ADMIN = 'admin';

/** Every permission of the kind; layers have two more. */
export function permissionsOf(kind: Kind): readonly Permission[] {
  return kind === 'layer' ? PERMISSIONS : PERMISSIONS.slice(0, 7);
}

/** What somebody may do with an item, administrators as if it were theirs. Who may not see it may do nothing with it. */
export function allowed(model: Model, who: Who, item: ModelItem, hasLink = false): ReadonlySet<Right> {
  if (who === ADMIN || who === item.owner) return new Set<Right>([...permissionsOf(item.kind), 'owner']);
  const held = new Set<Permission>(item.grants.groups['anonymous'] ?? []);
  const add = (granted: readonly Permission[] | undefined): void => {
    for (const one of granted ?? []) held.add(one);
  };
  if (hasLink) add(model.link.get(item.id));
  if (who !== undefined) {
    add(item.grants.users[who]);
    add(item.grants.groups['registered-members']);
    for (const [group, members] of model.groups) if (members.has(who)) add(item.grants.groups[group]);
  }
  return held.has('view_resourcebase') ? held : new Set();
}
