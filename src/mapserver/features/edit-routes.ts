// Features created, replaced, updated and deleted (Part 4). The database decides who may.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { preflight } from '../../http/cors.ts';
import { hasLongNumbers, parseExact } from '../../kernel/exact-numbers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { DbError, Statement, StatementResult } from '../../pg/driver.ts';
import { columnClass } from '../columns/column-class.ts';
import { layerFailure, type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import { deleteStatement, insertStatement, replaceStatement, type Sent, updateStatement } from '../query/edit-sql.ts';
import { keyCondition, presenceStatement } from '../query/feature-query.ts';
import { tagCondition } from '../query/feature-tag.ts';
import { type CrsBook, type KnownCrs, WGS84 } from '../query/known-crs.ts';
import { allOf, type Sql } from '../query/value.ts';
import { queryFailure } from '../query-failure.ts';
import { fieldFailure, isAboutField } from './edit-failure.ts';
import { crsOf } from './items-query.ts';
import { collectionUrl, JSON_TYPE } from './ogc-documents.ts';
import type { Ask, Handled, OgcRoute } from './ogc-route.ts';
import { parseFeature } from './parse-feature.ts';
import { readCatalogueRules } from './read-column-rules.ts';

type Changing = Pick<Ask, 'request' | 'reply' | 'caller'>;

const BODY_LIMIT = 16 * 1024 * 1024;

export function registerEdits(
  scope: FastifyInstance,
  context: MapContext,
  book: CrsBook,
  { route, withLayer }: OgcRoute,
): void {
  scope.removeContentTypeParser('application/json');
  for (const type of [JSON_TYPE, 'application/geo+json', 'application/merge-patch+json']) {
    scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
      done(null, parseBody(String(body)));
    });
  }
  scope.post('/ogc/collections/:layer/items', { bodyLimit: BODY_LIMIT }, route(withLayer(createItem)));
  scope.put('/ogc/collections/:layer/items/:id', { bodyLimit: BODY_LIMIT }, route(withLayer(changeItem)));
  scope.patch('/ogc/collections/:layer/items/:id', { bodyLimit: BODY_LIMIT }, route(withLayer(changeItem)));
  scope.delete('/ogc/collections/:layer/items/:id', route(withLayer(deleteItem)));
  scope.options('/ogc/collections/:layer/items', tellAllowed(['POST']));
  scope.options('/ogc/collections/:layer/items/:id', tellAllowed(['DELETE', 'PATCH', 'PUT']));

  /** What this caller may do. A browser that asks for a page of another site (CORS preflight) is told what the address takes. */
  function tellAllowed(writes: readonly string[]): ReturnType<OgcRoute['route']> {
    const reads = ['GET', 'HEAD', 'OPTIONS'];
    const tell = route(
      withLayer(async ({ request, reply, caller }, layer) => {
        const may = await context.layers.mayAmong(caller, requestInfo(request), [layer.id], 'change_layer_data');
        if (!may.ok) return err(layerFailure(may.error));
        const allowed = may.value.has(layer.id) ? [...reads, ...writes].sort() : reads;
        return ok(
          reply
            .code(204)
            .headers({ Allow: allowed.join(', '), Vary: 'Authorization, Cookie' })
            .send(),
        );
      }),
      'any',
    );
    return async (request, reply) => {
      const methods = [...reads, ...writes];
      const asked = preflight('OPTIONS', request.headers, { allowedOrigins: undefined, methods, exposed: [] });
      if (asked === undefined) return tell(request, reply);
      return reply.code(204).headers(Object.fromEntries(asked.headers)).send();
    };
  }

  async function createItem({ request, reply, caller, root }: Ask, layer: VectorLayer): Promise<Handled> {
    const crs = await contentCrs(request, layer);
    if (!crs.ok) return crs;
    const sent = parseFeature(request.body, layer, crs.value, true);
    if (!sent.ok) return sent;
    const executed = await context.db.write(caller, requestInfo(request), [
      insertStatement(layer, sent.value, crs.value),
    ]);
    if (!executed.ok)
      return err(await editFailure({ request, reply, caller }, layer, executed.error, sent.value.properties));
    const id = firstCell(executed.value[0]) ?? '';
    return ok(
      reply
        .code(201)
        .header('Location', `${collectionUrl(root, layer)}/items/${encodeURIComponent(id)}`)
        .type(JSON_TYPE)
        .send(`{"id":${columnClass(layer.keyType) === 'integer' ? id : JSON.stringify(id)}}`),
    );
  }

  async function changeItem({ request, reply, caller }: Changing, layer: VectorLayer): Promise<Handled> {
    const { id } = request.params as { readonly id: string };
    const key = keyCondition(layer, id);
    if (key === undefined) return err({ kind: 'not-found' });
    const crs = await contentCrs(request, layer);
    if (!crs.ok) return crs;
    const isWhole = request.method === 'PUT';
    const sent = parseFeature(request.body, layer, crs.value, isWhole);
    if (!sent.ok) return sent;
    const meant = meantBy(request, layer, key, crs.value);
    const statement = isWhole
      ? replaceStatement(layer, meant, sent.value, crs.value)
      : updateStatement(layer, meant, sent.value, crs.value);
    return change({ request, reply, caller }, layer, key, statement, sent.value.properties);
  }

  async function deleteItem({ request, reply, caller }: Changing, layer: VectorLayer): Promise<Handled> {
    const { id } = request.params as { readonly id: string };
    const key = keyCondition(layer, id);
    if (key === undefined) return err({ kind: 'not-found' });
    return change({ request, reply, caller }, layer, key, deleteStatement(layer, meantBy(request, layer, key, WGS84)));
  }

  async function change(
    { request, reply, caller }: Changing,
    layer: VectorLayer,
    key: Sql,
    statement: Statement,
    sent: Sent['properties'] = {},
  ): Promise<Handled> {
    const executed = await context.db.write(caller, requestInfo(request), [statement]);
    if (!executed.ok) return err(await editFailure({ request, reply, caller }, layer, executed.error, sent));
    if (firstCell(executed.value[0]) !== undefined) return ok(reply.code(204).send());
    if (request.headers['if-match'] === undefined) return err({ kind: 'not-found' });
    // It is gone, or it is another by now.
    const found = await context.db.read(caller, requestInfo(request), [presenceStatement(layer, key)]);
    if (!found.ok) return err(queryFailure(found.error));
    return err({ kind: firstCell(found.value[0]) === undefined ? 'not-found' : 'precondition-failed' });
  }

  /** What a constraint refuses is told of the field that it is about: which that is, the catalogue knows. */
  async function editFailure(
    { request, caller }: Changing,
    layer: VectorLayer,
    error: DbError,
    sent: Sent['properties'],
  ): Promise<MapFailure> {
    if (!isAboutField(error)) return queryFailure(error);
    const catalogue = await readCatalogueRules(context, caller, requestInfo(request), layer);
    const failure = catalogue.ok ? fieldFailure(error, catalogue.value, sent) : undefined;
    return failure ?? queryFailure(error);
  }

  function contentCrs(request: FastifyRequest, layer: VectorLayer): Promise<Result<KnownCrs, MapFailure>> {
    const header = request.headers['content-crs'];
    return crsOf(book, layer, typeof header === 'string' ? header.trim().replace(/^<(.*)>$/, '$1') : undefined);
  }
}

/** The feature of the key, as long as it is what the client thinks it is (If-Match). */
function meantBy(request: FastifyRequest, layer: VectorLayer, key: Sql, crs: KnownCrs): Sql {
  const header = request.headers['if-match'];
  return allOf([key, ...[(header === undefined ? undefined : tagCondition(header, layer, crs)) ?? []].flat()]);
}

function firstCell(result: StatementResult | undefined): string | undefined {
  return result?.rows[0]?.[0]?.toString();
}

/** What is not JSON is no feature either. Long numbers keep their digits among the properties; positions are numbers to compute with. */
function parseBody(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    if (!isFeature(body) || !hasLongNumbers(text)) return body;
    return { ...body, properties: (parseExact(text) as typeof body).properties };
  } catch {
    return undefined;
  }
}

function isFeature(body: unknown): body is { readonly properties: unknown } {
  return typeof body === 'object' && body !== null && 'properties' in body;
}
