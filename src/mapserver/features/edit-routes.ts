// Features created, replaced, updated and deleted (Part 4). The database decides who may.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import type { Statement, StatementResult } from '../../pg/driver.ts';
import { columnClass } from '../layers/column-class.ts';
import { type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import {
  deleteStatement,
  insertStatement,
  parseFeature,
  replaceStatement,
  updateStatement,
} from '../query/edit-sql.ts';
import { keySql } from '../query/feature-query.ts';
import { tagCondition } from '../query/feature-tag.ts';
import { type CrsBook, type KnownCrs, WGS84 } from '../query/known-crs.ts';
import { tableOf } from '../query/layer-sql.ts';
import { crsOf, keyCondition } from './items-query.ts';
import { collectionUrl, JSON_TYPE } from './ogc-documents.ts';
import type { Ask, Handled, OgcRoute } from './ogc-route.ts';
import { queryFailure } from './query-failure.ts';

type Changing = Pick<Ask, 'request' | 'reply' | 'caller'>;

const BODY_LIMIT = 16 * 1024 * 1024;

export function registerEdits(
  scope: FastifyInstance,
  context: MapContext,
  book: CrsBook,
  { route, withLayer }: OgcRoute,
): void {
  for (const type of ['application/geo+json', 'application/merge-patch+json']) {
    scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
      done(null, parseBody(String(body)));
    });
  }
  scope.post('/ogc/collections/:layer/items', { bodyLimit: BODY_LIMIT }, route(withLayer(createItem)));
  scope.put('/ogc/collections/:layer/items/:id', { bodyLimit: BODY_LIMIT }, route(withLayer(changeItem)));
  scope.patch('/ogc/collections/:layer/items/:id', { bodyLimit: BODY_LIMIT }, route(withLayer(changeItem)));
  scope.delete('/ogc/collections/:layer/items/:id', route(withLayer(deleteItem)));

  async function createItem({ request, reply, caller, root }: Ask, layer: VectorLayer): Promise<Handled> {
    const crs = await contentCrs(request, layer);
    if (!crs.ok) return crs;
    const sent = parseFeature(request.body, layer, crs.value, true);
    if (!sent.ok) return sent;
    const flown = await context.db.write(caller, requestInfo(request), [insertStatement(layer, sent.value, crs.value)]);
    if (!flown.ok) return err(queryFailure(flown.error));
    const id = firstCell(flown.value[0]) ?? '';
    return ok(
      reply
        .code(201)
        .header('Location', `${collectionUrl(root, layer)}/items/${encodeURIComponent(id)}`)
        .type(JSON_TYPE)
        .send(JSON.stringify({ id: columnClass(layer.keyType) === 'integer' ? Number(id) : id })),
    );
  }

  async function changeItem({ request, reply, caller }: Changing, layer: VectorLayer): Promise<Handled> {
    const { id } = request.params as { readonly id: string };
    if (keyCondition(layer, id) === undefined) return err({ kind: 'not-found' });
    const crs = await contentCrs(request, layer);
    if (!crs.ok) return crs;
    const isWhole = request.method === 'PUT';
    const sent = parseFeature(request.body, layer, crs.value, isWhole);
    if (!sent.ok) return sent;
    const target = { id, condition: conditionOf(request, layer, crs.value) };
    const statement = isWhole
      ? replaceStatement(layer, target, sent.value, crs.value)
      : updateStatement(layer, target, sent.value, crs.value);
    return change({ request, reply, caller }, layer, id, statement);
  }

  async function deleteItem({ request, reply, caller }: Changing, layer: VectorLayer): Promise<Handled> {
    const { id } = request.params as { readonly id: string };
    if (keyCondition(layer, id) === undefined) return err({ kind: 'not-found' });
    const target = { id, condition: conditionOf(request, layer, WGS84) };
    return change({ request, reply, caller }, layer, id, deleteStatement(layer, target));
  }

  async function change(
    { request, reply, caller }: Changing,
    layer: VectorLayer,
    id: string,
    statement: Statement,
  ): Promise<Handled> {
    const flown = await context.db.write(caller, requestInfo(request), [statement]);
    if (!flown.ok) return err(queryFailure(flown.error));
    if (firstCell(flown.value[0]) !== undefined) return ok(reply.code(204).send());
    if (request.headers['if-match'] === undefined) return err({ kind: 'not-found' });
    // It is gone, or it is another by now.
    const found = await context.db.read(caller, requestInfo(request), [
      { text: `select ${keySql(layer)} from ${tableOf(layer)} as f where ${keyCondition(layer, id)}`, params: [] },
    ]);
    if (!found.ok) return err(queryFailure(found.error));
    return err({ kind: firstCell(found.value[0]) === undefined ? 'not-found' : 'precondition-failed' });
  }

  function contentCrs(request: FastifyRequest, layer: VectorLayer): Promise<Result<KnownCrs, MapFailure>> {
    const header = request.headers['content-crs'];
    return crsOf(book, layer, typeof header === 'string' ? header.trim().replace(/^<(.*)>$/, '$1') : undefined);
  }
}

function conditionOf(request: FastifyRequest, layer: VectorLayer, crs: KnownCrs): string | undefined {
  const header = request.headers['if-match'];
  return header === undefined ? undefined : tagCondition(header, layer, crs);
}

function firstCell(result: StatementResult | undefined): string | undefined {
  return result?.rows[0]?.[0]?.toString();
}

/** What is not JSON is no feature either. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  } catch {
    return undefined;
  }
}
