// `/api/v2/resources/{id}/versions/`: versions of an item's content, description and styles (history, revisions): listing them, looking at
// one, restoring one. Restoring saves it again as the caller, and so is a new version. Who reaches them, the database says.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import {
  arrayOf,
  FLAG,
  INTEGER,
  MOMENT,
  orNull,
  record,
  reference,
  type Schema,
  TEXT,
} from '../../description/schema.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import type { Collection } from '../../operations/collection.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { pathId, pathPart } from '../../operations/register-collection.ts';
import { updateItem } from '../../operations/update.ts';

const VERSION_PARTS = ['content', 'metadata', 'style'] as const;
type Part = (typeof VERSION_PARTS)[number];

const MAX_VERSIONS = 200;

type Version = { readonly id: number; readonly part: Part; readonly body: unknown };

/** Content is saved where its kind is, so that what follows from it is saved with it, such as the layers of a map. */
export type VersionedCollections = {
  readonly resources: Collection;
  readonly maps: Collection;
  readonly geoapps: Collection;
  readonly geostories: Collection;
};

export function registerVersionPaths(
  app: FastifyInstance,
  context: ApiContext,
  collections: VersionedCollections,
): void {
  app.get(
    '/api/v2/resources/:id/versions',
    described({
      id: 'resources_versions',
      tag: 'resources',
      summary: {
        en: 'Versions of content, description and styles, newest first; for who may change them',
        de: 'Fassungen von Inhalt, Beschreibung und Stilen, neueste zuerst; für alle, die sie ändern dürfen',
      },
      parameters: [
        { name: 'part', in: 'query', schema: { type: 'string', enum: VERSION_PARTS } },
        { name: 'before', in: 'query', schema: { type: 'integer', minimum: 1 } },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MAX_VERSIONS, default: 50 } },
      ],
      answers: { 200: record({ versions: arrayOf(record(VERSION)) }) },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, (exchange) => listVersions(context, exchange)),
  );
  app.get(
    '/api/v2/resources/:id/versions/:version',
    described({
      id: 'resources_version',
      tag: 'resources',
      summary: { en: 'One version with all that is in it', de: 'Eine Fassung mit allem, was darin steht' },
      answers: {
        200: record({ ...VERSION, style_id: orNull(INTEGER), body: { type: 'object', additionalProperties: true } }),
      },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, async (exchange) => {
      const found = await readVersion(context, exchange);
      return found.ok ? ok(json(200, found.value)) : found;
    }),
  );
  app.post(
    '/api/v2/resources/:id/versions/:version/restore',
    described({
      id: 'resources_restore_version',
      tag: 'resources',
      summary: {
        en: 'Save an earlier version again; that is a new version',
        de: 'Eine frühere Fassung wieder speichern; das ist eine neue Fassung',
      },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(context, (exchange) => restoreVersion(context, exchange, collections)),
  );
}

async function listVersions(context: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const query = new URLSearchParams(exchange.query);
  const [part, before, limit] = [query.get('part'), query.get('before'), query.get('limit') ?? '50'];
  const fields: Record<string, string[]> = {};
  if (part !== null && !VERSION_PARTS.some((known) => known === part))
    fields['part'] = [`Must be one of ${VERSION_PARTS.join(', ')}.`];
  if (before !== null && !/^\d{1,18}$/.test(before)) fields['before'] = ['Must be the id of a version.'];
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_VERSIONS)
    fields['limit'] = [`Must be a number from 1 to ${MAX_VERSIONS}.`];
  if (Object.keys(fields).length > 0) return err({ kind: 'invalid-fields', fields });
  const read = await readJson(
    context,
    exchange,
    sql<BoundValue>`select portal.item_versions(${bound(String(id))}::integer, ${bound(part)}::text, ${bound(before)}::bigint, ${bound(limit)}::integer)`,
  );
  return read.ok ? ok(json(200, { versions: read.value })) : read;
}

async function readVersion(context: ApiContext, exchange: Exchange): Promise<Result<Version, PortalError>> {
  const id = pathId(exchange);
  const version = pathPart(exchange, 'version');
  if (id === undefined || version === undefined || !/^\d{1,18}$/.test(version)) return err({ kind: 'not-found' });
  const read = await readJson(
    context,
    exchange,
    sql<BoundValue>`select portal.item_version(${bound(String(id))}::integer, ${bound(version)}::bigint)`,
  );
  if (!read.ok) return read;
  return read.value === null ? err({ kind: 'not-found' }) : ok(read.value as Version);
}

async function restoreVersion(
  context: ApiContext,
  exchange: Exchange,
  collections: VersionedCollections,
): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  const found = await readVersion(context, exchange);
  if (!found.ok) return found;
  const { part, body } = found.value;
  if (id === undefined) return err({ kind: 'not-found' });
  switch (part) {
    case 'style': {
      const number = bound(String(found.value.id));
      const statement = sql<BoundValue>`select portal.restore_style(${bound(String(id))}::integer, ${number}::bigint)`;
      const executed = await context.db.write(exchange.caller, exchange.info, [exchange.statement(statement)]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      return cellOf(executed.value[0])?.toString() === 't' ? ok(RESTORED) : err({ kind: 'not-found' });
    }
    case 'metadata': {
      const updated = await updateItem(context, exchange, collections.resources, id, body, 'change');
      return updated.ok ? ok(RESTORED) : updated;
    }
    case 'content': {
      const type = await readJson(
        context,
        exchange,
        sql<BoundValue>`select to_jsonb(r.resource_type) from portal.resource r where r.id = ${bound(String(id))}::integer`,
      );
      if (!type.ok) return type;
      const { maps, geoapps, geostories } = collections;
      const collection = type.value === 'map' ? maps : type.value === 'geostory' ? geostories : geoapps;
      const updated = await updateItem(context, exchange, collection, id, body, 'change');
      return updated.ok ? ok(RESTORED) : updated;
    }
  }
}

const RESTORED: Answer = json(200, { meta: { updated: 1 } });

async function readJson({ db }: ApiContext, exchange: Exchange, statement: Sql): Promise<Result<unknown, PortalError>> {
  const executed = await db.read(exchange.caller, exchange.info, [exchange.statement(statement)]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok(JSON.parse(cellOf(executed.value[0])?.toString() ?? 'null'));
}

const VERSION: Readonly<Record<string, Schema>> = {
  id: INTEGER,
  part: { type: 'string', enum: VERSION_PARTS },
  style: orNull(TEXT),
  made: MOMENT,
  by: orNull(TEXT),
  current: FLAG,
};
