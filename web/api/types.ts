// The records of the portal's API, as far as the pages read them.

export type Polygon = { readonly type: 'Polygon'; readonly coordinates: readonly (readonly (readonly number[])[])[] };

export const RESOURCE_TYPES = ['layer', 'map', 'document', 'geostory', 'geoapp'] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export type Account = {
  readonly pk: number;
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly avatar?: string;
};

export type Permission =
  | 'view_resourcebase'
  | 'download_resourcebase'
  | 'change_resourcebase'
  | 'change_resourcebase_metadata'
  | 'delete_resourcebase'
  | 'change_resourcebase_permissions'
  | 'publish_resourcebase'
  | 'change_layer_data'
  | 'change_layer_style';

export type ResourceLink = {
  readonly extension?: string;
  readonly link_type: string;
  readonly name: string;
  readonly mime?: string;
  readonly url: string;
};

export type Resource = {
  readonly pk: string;
  readonly uuid: string;
  readonly resource_type: ResourceType;
  readonly perms: readonly string[];
  readonly owner: Account | null;
  readonly title: string;
  readonly abstract: string;
  readonly raw_abstract: string;
  readonly attribution: string | null;
  readonly doi: string | null;
  readonly alternate: string | null;
  readonly date: string;
  readonly date_type: string;
  readonly edition: string | null;
  readonly purpose: string | null;
  readonly maintenance_frequency: string | null;
  readonly constraints_other: string | null;
  readonly license: { readonly identifier: string } | null;
  readonly language: string;
  readonly category: { readonly identifier: string } | null;
  readonly temporal_extent_start: string | null;
  readonly temporal_extent_end: string | null;
  readonly supplemental_information: string;
  readonly data_quality_statement: string | null;
  readonly ll_bbox_polygon: Polygon | null;
  readonly srid: string;
  readonly keywords: readonly { readonly name: string; readonly slug: string }[];
  readonly regions: readonly { readonly code: string; readonly name: string }[];
  readonly popular_count: string;
  readonly featured: boolean;
  readonly is_published: boolean;
  readonly is_approved: boolean;
  readonly detail_url: string;
  readonly embed_url: string;
  readonly thumbnail_url: string | null;
  readonly created: string;
  readonly last_updated: string;
  readonly links?: readonly ResourceLink[];
  readonly favorite?: boolean;
  /** Where it was asked for. */
  readonly sharing?: Sharing;
};

/** Everybody sees it, others than its owner do, or its owner alone. */
export type Sharing = 'public' | 'shared' | 'private';

export type Style = {
  readonly pk: number;
  readonly name: string;
  readonly sld_title: string | null;
  readonly sld_url: string | null;
};

export type Attribute = {
  readonly pk: number;
  readonly attribute: string;
  readonly attribute_label: string | null;
  readonly description: string | null;
  readonly attribute_type: string;
  readonly visible: boolean;
  readonly display_order: number;
  readonly count: number;
  readonly min: string;
  readonly max: string;
  readonly average: string;
  readonly median: string;
  readonly stddev: string;
  readonly sum: string;
  readonly unique_values: string;
};

export type Layer = Resource & {
  readonly name: string;
  readonly storeType: 'dataStore' | 'coverageStore' | null;
  readonly default_style: Style | null;
  readonly styles: readonly Style[];
  readonly attribute_set: readonly Attribute[];
  readonly has_time: boolean;
};

export type MapRecord = Resource & {
  /** Layers that the reader may not see; where it was asked for. */
  readonly hidden_layers?: number;
  readonly zoom: number;
  readonly center_x: number;
  readonly center_y: number;
  readonly projection: string;
  readonly data?: unknown;
};

export type Document = Resource & {
  readonly href: string | null;
  readonly doc_type: string | null;
  readonly extension: string | null;
  readonly mime_type: string | null;
};

/** A story or an app: what it holds is one JSON document. */
export type Story = Resource & { readonly name: string; readonly data?: unknown };

export type Group = {
  readonly pk: number;
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly access: string;
  readonly group: { readonly pk: number; readonly name: string };
};

export type User = Account & {
  readonly email?: string;
  readonly is_superuser: boolean;
  readonly is_staff: boolean;
  readonly is_active: boolean;
  readonly date_joined?: string;
  readonly last_login?: string | null;
  readonly perms?: readonly string[];
};

export type SessionUser = Account & {
  readonly email: string;
  readonly is_superuser: boolean;
  readonly groups: readonly unknown[];
};

export type Upload = {
  readonly id: number;
  readonly name: string;
  readonly date: string;
  readonly create_date: string;
  readonly user: number;
  readonly state: string;
  readonly progress: number;
  readonly complete: boolean;
  readonly import_id: number | null;
  readonly detail_url: string | null;
  readonly session?: { readonly error_msg?: string | null };
};

export type Page<Name extends string, T> = {
  readonly links: { readonly next: string | null; readonly previous: string | null };
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
} & { readonly [name in Name]: readonly T[] };

export type Permissions = {
  readonly users: Readonly<Record<string, readonly string[]>>;
  readonly groups: Readonly<Record<string, readonly string[]>>;
};
