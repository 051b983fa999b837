// Lists below an item: whole records of another collection, chosen by the item's id. They take the query of other lists.

import { empty, raw, sql } from '../../sql/index.ts';
import type { BoundValue } from '../fields/bound-value.ts';
import type { RelatedList } from '../operations/related-list.ts';
import { naturalCollation, type OrderColumn, type Source } from '../query/source.ts';
import { accountFace } from './account/fields.ts';
import { catalogueSource } from './item/content-collection.ts';
import { resource } from './item/fields.ts';
import { layer } from './layer/fields.ts';
import { groups, USER_NAMES } from './people/collections.ts';
import { group } from './people/group-fields.ts';

const ITEM_RULES = { searched: ['title', 'abstract'], hasExtent: true, hasFavourites: true, full: [] } as const;
const PLAIN_RULES = { hasExtent: false, hasFavourites: false, full: [] } as const;

const byTitle: OrderColumn = { value: naturalCollation(raw('r.title')), isDescending: false };

/** The portal's own layers among those of a map: by id where the map knows it, else by name. */
export const localLayers: RelatedList = {
  recordType: layer,
  source: { ...catalogueSource('layer'), order: byTitle },
  rules: { recordType: layer, ...ITEM_RULES },
  ids: (map) =>
    sql<BoundValue>`select l.id from portal.resource l where l.resource_type = 'layer' and (l.id = any (array(select m.layer_id from portal.map_layer m where m.map_id = ${map} and m.layer_id is not null)) or l.alternate = any (array(select m.name from portal.map_layer m where m.map_id = ${map})) or l.name = any (array(select m.name from portal.map_layer m where m.map_id = ${map})))`,
};

export const ownedItems: RelatedList = {
  recordType: resource,
  source: { ...catalogueSource(undefined), order: byTitle },
  rules: { recordType: resource, ...ITEM_RULES },
  ids: (account) => sql<BoundValue>`select i.id from portal.resource i where i.owner_id = ${account}`,
};

export const itemsOfGroup: RelatedList = {
  recordType: resource,
  source: catalogueSource(undefined),
  rules: { recordType: resource, ...ITEM_RULES },
  ids: (of) => sql<BoundValue>`select i.id from portal.group_resources(${of}) i(id)`,
};

const accounts: Source = {
  row: 'a',
  table: raw('portal.account a'),
  joins: empty,
  key: raw('a.id'),
  where: [],
  order: { value: naturalCollation(raw('a.username')), isDescending: false },
  isCatalogue: false,
};

export const members: RelatedList = {
  recordType: accountFace,
  source: accounts,
  rules: { recordType: accountFace, searched: USER_NAMES, ...PLAIN_RULES },
  ids: (of) => sql<BoundValue>`select m.account_id from portal.group_member m where m.group_id = ${of}`,
};

export const managers: RelatedList = {
  ...members,
  ids: (of) =>
    sql<BoundValue>`select m.account_id from portal.group_member m where m.group_id = ${of} and m.is_manager`,
};

export const groupsOfUser: RelatedList = {
  recordType: group,
  source: { ...groups.source, where: [raw('not g.builtin')] },
  rules: groups.rules,
  ids: (account) => sql<BoundValue>`select m.group_id from portal.group_member m where m.account_id = ${account}`,
};
