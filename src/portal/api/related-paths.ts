// Paths below items that lead to other records: layers of maps, members of groups, what belongs to whom.

import type { FastifyInstance } from 'fastify';
import { err } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { layersOfMap } from '../kinds/map/fields.ts';
import { groupsOfUser, itemsOfGroup, localLayers, managers, members, ownedItems } from '../kinds/related.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, asRoute } from '../operations/exchange.ts';
import { readList } from '../operations/read.ts';
import { pathId } from '../operations/register-collection.ts';
import type { RelatedList } from '../operations/related-list.ts';
import { readBareList, readOf, readRelatedList } from '../operations/relation-paths.ts';

export type Related = {
  readonly maps: Collection;
  readonly documents: Collection;
  readonly groups: Collection;
  readonly users: Collection;
  readonly resources: Collection;
};

export function registerRelatedPaths(app: FastifyInstance, context: ApiContext, collections: Related): void {
  const { maps, documents, groups, users, resources } = collections;
  const records = (path: string, collection: Collection, of: RelatedList): void => {
    app.get(
      path,
      asRoute(context, (exchange) => readRelatedList(context, exchange, collection, pathId(exchange), of)),
    );
  };
  app.get(
    '/api/v2/maps/:id/layers',
    asRoute(context, (exchange) => readBareList(context, exchange, maps, pathId(exchange), layersOfMap)),
  );
  records('/api/v2/maps/:id/local_layers', maps, localLayers);
  records('/api/v2/groups/:id/members', groups, members);
  records('/api/v2/groups/:id/managers', groups, managers);
  records('/api/v2/groups/:id/resources', groups, itemsOfGroup);
  records('/api/v2/users/:id/groups', users, groupsOfUser);
  records('/api/v2/users/:id/resources', users, ownedItems);

  app.get(
    '/api/v2/documents/:id/linked_resources',
    asRoute(context, async (exchange) => {
      const id = pathId(exchange);
      const parent = await readOf(context, exchange, documents, id, raw('true'));
      if (!parent.ok) return parent;
      if (id === undefined || parent.value === undefined) return err({ kind: 'not-found' });
      const linked = sql<BoundValue>`r.id in (select l.resource_id from portal.document_link l where l.document_id = ${bound(String(id))}::integer)`;
      return readList(context, exchange, resources, [linked]);
    }),
  );
}
