// What `/api/v2/resources/` has beyond other collections: lists by flag, types, favourites.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../../kernel/result.ts';
import { raw, sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import type { Text } from '../../description/language.ts';
import type { Described } from '../../description/operation.ts';
import { arrayOf, record, type Schema, TEXT } from '../../description/schema.ts';
import { type BoundValue, bound } from '../../fields/bound-value.ts';
import type { Collection } from '../../operations/collection.ts';
import { deleteItem } from '../../operations/delete.ts';
import { type ApiContext, asAccountRoute, asRoute, json } from '../../operations/exchange.ts';
import { readList } from '../../operations/read.ts';
import { pathId } from '../../operations/register-collection.ts';

const FLAGS = [
  { name: 'approved', column: 'is_approved', count: 'select portal.visible_count(null, 8)' },
  { name: 'published', column: 'is_published', count: 'select portal.visible_count(null, 2)' },
  // Few, and with an index of their own.
  { name: 'featured', column: 'featured', count: undefined },
] as const;

/** Apps are shown as what they are; the bare geoapp is no type to look for. */
const SHOWN_TYPES: readonly string[] = ['layer', 'map', 'document', 'geostory'];

const CREATE: Text = { en: 'Create one or several', de: 'Einen oder mehrere anlegen' };
const REMOVE: Text = { en: 'Delete', de: 'Löschen' };
const MESSAGES: Schema = { type: 'object', additionalProperties: TEXT };

const DELETE: Described = {
  id: 'resources_delete_by_path',
  tag: 'resources',
  summary: REMOVE,
  answers: { 204: undefined },
  refusals: [400, 401, 403, 404],
};

const TYPES: Described = {
  id: 'resources_types',
  tag: 'resources',
  summary: { en: 'What is related to it', de: 'Was dazu gehört' },
  answers: { 200: record({ resource_types: arrayOf(TEXT) }) },
};

const COUNT_VIEW: Described = {
  id: 'resources_count_view',
  tag: 'resources',
  summary: CREATE,
  answers: { 204: undefined },
  refusals: [400, 404],
};

const ADD_FAVOURITE: Described = {
  id: 'resources_add_favorite',
  tag: 'resources',
  summary: CREATE,
  answers: { 201: MESSAGES },
  refusals: [400, 401, 404],
};

const REMOVE_FAVOURITE: Described = {
  id: 'resources_remove_favorite',
  tag: 'resources',
  summary: REMOVE,
  answers: { 200: MESSAGES },
  refusals: [400, 401, 404],
};

export function registerResourcePaths(app: FastifyInstance, context: ApiContext, resources: Collection): void {
  // As newer clients delete, whatever the type.
  app.delete(
    `${resources.path}/:id/delete`,
    described(DELETE),
    asAccountRoute(context, (exchange) => deleteItem(context, exchange, resources, pathId(exchange))),
  );
  const { db } = context;
  const path = '/api/v2/resources';
  for (const { name, column, count } of FLAGS) {
    const flagged = withFlag(resources, column, count);
    app.get(
      `${path}/${name}`,
      asRoute(context, (exchange) => readList(context, exchange, flagged)),
    );
  }
  app.get(
    `${path}/favorites`,
    asAccountRoute(context, (exchange) =>
      readList(context, exchange, resources, [
        raw(
          'exists (select from portal.favourite f where f.resource_id = r.id and f.account_id = (select portal.me()))',
        ),
      ]),
    ),
  );
  app.get(
    `${path}/resource_types`,
    described(TYPES),
    asRoute(context, async () => ok(json(200, { resource_types: SHOWN_TYPES }))),
  );

  app.post(
    `${path}/:id/favorite`,
    described(ADD_FAVOURITE),
    asAccountRoute(context, async (exchange) => {
      const id = bound(String(pathId(exchange) ?? 0));
      const executed = await db.write(exchange.caller, exchange.info, [
        exchange.statement(sql<BoundValue>`select 1 from portal.resource r where r.id = ${id}::integer`),
        exchange.statement(
          sql<BoundValue>`insert into portal.favourite (account_id, resource_id) select (select portal.me()), r.id from portal.resource r where r.id = ${id}::integer on conflict do nothing returning 1`,
        ),
      ]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      const [seen, added] = executed.value;
      if (seen?.rows.length === 0) return err({ kind: 'not-found' });
      if (added?.rows.length === 0) return err({ kind: 'bad-request', detail: 'Resource is already in favorites' });
      return ok(json(201, { message: 'Successfully added resource to favorites' }));
    }),
  );
  // Told by the pages when somebody opens an item: a program that reads the catalogue looks at nothing.
  app.post(
    `${path}/:id/views`,
    described(COUNT_VIEW),
    asRoute(context, async (exchange) => {
      const id = bound(String(pathId(exchange) ?? 0));
      const executed = await db.write(exchange.caller, exchange.info, [
        exchange.statement(sql<BoundValue>`select portal.count_view(${id}::integer)`),
        exchange.statement(sql<BoundValue>`select 1 from portal.resource r where r.id = ${id}::integer`),
      ]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      return executed.value.at(-1)?.rows.length === 0 ? err({ kind: 'not-found' }) : ok({ status: 204 });
    }),
  );
  app.delete(
    `${path}/:id/favorite`,
    described(REMOVE_FAVOURITE),
    asAccountRoute(context, async (exchange) => {
      const id = bound(String(pathId(exchange) ?? 0));
      const executed = await db.write(exchange.caller, exchange.info, [
        exchange.statement(
          sql<BoundValue>`delete from portal.favourite where account_id = (select portal.me()) and resource_id = ${id}::integer returning 1`,
        ),
      ]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      if (executed.value[0]?.rows.length === 0) return err({ kind: 'not-found' });
      return ok(json(200, { message: 'Successfully removed resource from favorites' }));
    }),
  );
}

/** Of the items, those with the flag; `count`: how many they are all together, where that is known. */
function withFlag(resources: Collection, column: string, count: string | undefined): Collection {
  const { countAll: _all, countTypes: _types, searchPage: _page, ...source } = resources.source;
  return {
    ...resources,
    source: {
      ...source,
      where: [...source.where, raw(`r.${column}`)],
      ...(count === undefined ? {} : { countAll: raw(count) }),
    },
  };
}
