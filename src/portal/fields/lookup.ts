// Tables whose rows are referred to: by id, or by a name that people use.

export type Lookup = {
  /** What a message calls it. */
  readonly what: string;
  readonly table: string;
  /** Columns that name a row, in the order they are tried, each with the member of an object it comes from. */
  readonly names: readonly { readonly column: string; readonly member: string }[];
  /** A plain text is taken for this column. */
  readonly plain: string;
  /** Complaint about one that does not exist; undefined: the usual one. */
  readonly complaint?: string;
};

function byIdentifier(what: string, table: string): Lookup {
  return { what, table, names: [{ column: 'identifier', member: 'identifier' }], plain: 'identifier' };
}

export const CATEGORY: Lookup = byIdentifier('category', 'portal.category');
export const LICENSE: Lookup = byIdentifier('license', 'portal.license');
export const RESTRICTION: Lookup = byIdentifier('restriction code type', 'portal.restriction_code_type');
export const REPRESENTATION: Lookup = byIdentifier('spatial representation type', 'portal.spatial_representation_type');

export const GROUP: Lookup = {
  what: 'group',
  table: 'portal.user_group',
  names: [
    { column: 'slug', member: 'name' },
    { column: 'slug', member: 'slug' },
  ],
  plain: 'slug',
};

export const ACCOUNT: Lookup = {
  what: 'user',
  table: 'portal.account',
  names: [{ column: 'username', member: 'username' }],
  plain: 'username',
  complaint: "The specified 'owner' does not exist!",
};

// Two regions may share a code (NAM); the name of an object decides between them.
export const REGION: Lookup = {
  what: 'region',
  table: 'portal.region',
  names: [
    { column: 'name', member: 'name' },
    { column: 'code', member: 'code' },
  ],
  plain: 'code',
};

export const KEYWORD: Lookup = {
  what: 'keyword',
  table: 'portal.keyword',
  names: [
    { column: 'name', member: 'name' },
    { column: 'slug', member: 'slug' },
  ],
  plain: 'name',
};

export const GROUP_CATEGORY: Lookup = {
  what: 'group category',
  table: 'portal.group_category',
  names: [
    { column: 'slug', member: 'slug' },
    { column: 'name', member: 'name' },
  ],
  plain: 'slug',
};

export const THESAURUS: Lookup = {
  what: 'thesaurus',
  table: 'portal.thesaurus',
  names: [
    { column: 'identifier', member: 'slug' },
    { column: 'identifier', member: 'identifier' },
    { column: 'title', member: 'name' },
  ],
  plain: 'identifier',
};

// The same word may stand in several thesauri; its address decides between them.
export const THESAURUS_KEYWORD: Lookup = {
  what: 'thesaurus keyword',
  table: 'portal.thesaurus_keyword',
  names: [
    { column: 'uri', member: 'uri' },
    { column: 'alt_label', member: 'alt_label' },
    { column: 'alt_label', member: 'name' },
    { column: 'slug', member: 'slug' },
  ],
  plain: 'alt_label',
};

export const RESOURCE: Lookup = { what: 'resource', table: 'portal.resource', names: [], plain: 'uuid' };
