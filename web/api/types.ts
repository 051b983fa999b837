// The records of the portal's API under the names that the pages use. The types are generated from its OpenAPI document.

import type {
  EmbeddedUser,
  Geoapp,
  Geostory,
  GroupProfile,
  Map as MapOfPortal,
  PermissionName,
  Resource,
} from '../../client/src/operations.gen.ts';

export type {
  Attribute,
  Document,
  Layer,
  Permissions,
  Resource,
  Upload,
  User,
} from '../../client/src/operations.gen.ts';

export type Account = EmbeddedUser;
export type Group = GroupProfile;
export type MapRecord = MapOfPortal;
export type Permission = PermissionName;
/** A story or an app: what it holds is one JSON document. */
export type WrittenRecord = Geostory | Geoapp;

export type ResourceType = Resource['resource_type'];
export const RESOURCE_TYPES = [
  'layer',
  'map',
  'document',
  'geostory',
  'geoapp',
] as const satisfies readonly ResourceType[];

/** Everybody sees it, others than its owner do, or its owner alone. */
export type Sharing = NonNullable<Resource['sharing']>;

export type SessionUser = {
  readonly pk: number;
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly is_superuser: boolean;
  /** An administrator who has to have a second factor, and has none. */
  readonly needs_second_factor: boolean;
};
