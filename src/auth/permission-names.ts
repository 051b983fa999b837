// The names of permissions, as people and programs write them. What each allows is decided in the database.

export const PERMISSION_NAMES = [
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

export type PermissionName = (typeof PERMISSION_NAMES)[number];
