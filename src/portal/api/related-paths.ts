// Paths below items that lead to other records: layers of maps, members of groups, what belongs to whom.

import type { FastifyInstance } from 'fastify';
import { err } from '../../kernel/result.ts';
import { empty, raw, sql } from '../../sql/index.ts';
import type { Collection } from '../collections/collection.ts';
import { type ApiContext, asRoute } from '../collections/exchange.ts';
import { readList } from '../collections/read.ts';
import { pathId } from '../collections/register-collection.ts';
import { type BareRecords, readBareList, readBareRecords, readOf } from '../collections/relation-paths.ts';
import { catalogueSource } from '../definitions/content.ts';
import { accountFace } from '../represent/account.ts';
import type { Relation } from '../represent/field.ts';
import { group } from '../represent/group.ts';
import { layer } from '../represent/layer.ts';
import { layersOfMap } from '../represent/map.ts';
import { resource } from '../represent/resource.ts';
import { type Slot, type Sql, slot } from '../represent/slot.ts';

const allItems = catalogueSource(undefined);

/** The portal's own layers among those of a map: by id where the map knows it, else by name. */
const localLayers: BareRecords = {
  shape: layer,
  source: catalogueSource('layer'),
  ids: (map) =>
    sql<Slot>`select l.id from portal.resource l where l.resource_type = 'layer' and (l.id = any (array(select m.layer_id from portal.map_layer m where m.map_id = ${map} and m.layer_id is not null)) or l.alternate = any (array(select m.name from portal.map_layer m where m.map_id = ${map})) or l.name = any (array(select m.name from portal.map_layer m where m.map_id = ${map})))`,
  order: raw('r.title, r.id'),
};

const ownedItems: BareRecords = {
  shape: resource,
  source: allItems,
  ids: (account) => sql<Slot>`select i.id from portal.resource i where i.owner_id = ${account}`,
  order: raw('r.title, r.id'),
};

const itemsOfGroup: BareRecords = {
  shape: resource,
  source: allItems,
  ids: (of) => sql<Slot>`select i.id from portal.group_resources(${of}) i(id)`,
  order: raw('r.last_updated desc, r.id desc'),
};

const members = (which: Sql): Relation => ({
  shape: () => accountFace,
  rows: (outer, inner) => ({
    from: raw(`portal.group_member ${inner}_in join portal.account ${inner} on ${inner}.id = ${inner}_in.account_id`),
    on: sql<Slot>`${raw(`${inner}_in.group_id = ${outer}.id`)}${which}`,
  }),
  order: (inner) => raw(`${inner}.username`),
});

const managers: Relation = {
  ...members(empty),
  rows: (outer, inner) => members(raw(` and ${inner}_in.is_manager`)).rows(outer, inner),
};

const groupsOfUser: Relation = {
  shape: () => group,
  rows: (outer, inner) => ({
    from: raw(`portal.group_member ${inner}_in join portal.user_group ${inner} on ${inner}.id = ${inner}_in.group_id`),
    on: raw(`${inner}_in.account_id = ${outer}.id and not ${inner}.builtin`),
  }),
  order: (inner) => raw(`${inner}.title`),
};

export type Related = {
  readonly maps: Collection;
  readonly documents: Collection;
  readonly groups: Collection;
  readonly users: Collection;
  readonly resources: Collection;
};

export function registerRelatedPaths(app: FastifyInstance, context: ApiContext, collections: Related): void {
  const { maps, documents, groups, users, resources } = collections;
  const bare = (path: string, collection: Collection, relation: Relation): void => {
    app.get(
      path,
      asRoute(context, (exchange) => readBareList(context, exchange, collection, pathId(exchange), relation)),
    );
  };
  const records = (path: string, collection: Collection, of: BareRecords): void => {
    app.get(
      path,
      asRoute(context, (exchange) => readBareRecords(context, exchange, collection, pathId(exchange), of)),
    );
  };
  bare('/api/v2/maps/:id/layers', maps, layersOfMap);
  records('/api/v2/maps/:id/local_layers', maps, localLayers);
  bare('/api/v2/groups/:id/members', groups, members(empty));
  bare('/api/v2/groups/:id/managers', groups, managers);
  records('/api/v2/groups/:id/resources', groups, itemsOfGroup);
  bare('/api/v2/users/:id/groups', users, groupsOfUser);
  records('/api/v2/users/:id/resources', users, ownedItems);

  app.get(
    '/api/v2/documents/:id/linked_resources',
    asRoute(context, async (exchange) => {
      const id = pathId(exchange);
      const parent = await readOf(context, exchange, documents, id, raw('true'));
      if (!parent.ok) return parent;
      if (id === undefined || parent.value === undefined) return err({ kind: 'not-found' });
      const linked = sql<Slot>`r.id in (select l.resource_id from portal.document_link l where l.document_id = ${slot(String(id))}::integer)`;
      return readList(context, exchange, resources, [linked]);
    }),
  );
}
