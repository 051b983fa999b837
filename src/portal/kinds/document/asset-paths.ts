// `resources/{id}/assets`: files beside an item, as newer clients of GeoNode send and list them. Each is a document with a file that is linked to
// the item, with permissions of its own; what the caller does not see is not there.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { raw, sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { type BoundValue, bound } from '../../fields/bound-value.ts';
import { leaveUnread } from '../../files/leave-unread.ts';
import { isMultipart } from '../../files/multipart.ts';
import type { Collection } from '../../operations/collection.ts';
import { createOne, newElement } from '../../operations/create.ts';
import { deleteItem } from '../../operations/delete.ts';
import { type Answer, type ApiContext, asAccountRoute, asRoute, type Exchange } from '../../operations/exchange.ts';
import { pathId } from '../../operations/register-collection.ts';
import { readOf } from '../../operations/relation-paths.ts';
import { WHOLE } from '../../query/catalogue-query.ts';
import { ADD, LIST, REMOVE } from './assets-described.ts';
import { titleOf, withForm } from './paths.ts';
import { withFile } from './stored-file.ts';

/** More files beside one item are read as its linked documents, page by page. */
const MAX_ASSETS = 1000;

export function registerAssetPaths(
  app: FastifyInstance,
  context: ApiContext,
  { resources, documents }: { readonly resources: Collection; readonly documents: Collection },
): void {
  const path = `${resources.path}/:id/assets`;
  app.get(
    path,
    described(LIST),
    asRoute(context, (exchange) => list(context, exchange, resources)),
  );
  app.post(
    path,
    described(ADD),
    asAccountRoute(context, (exchange) => add(context, exchange, resources, documents)),
  );
  app.delete(
    `${path}/:asset`,
    described(REMOVE),
    asAccountRoute(context, (exchange) => remove(context, exchange, resources, documents)),
  );
}

async function list(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
): Promise<Result<Answer, PortalError>> {
  const id = await itemOf(context, exchange, collection, 'view_resourcebase');
  return id.ok ? read(context, exchange, id.value) : id;
}

/** `only`: one of them. */
async function read(
  { db }: ApiContext,
  exchange: Exchange,
  item: number,
  only?: string,
): Promise<Result<Answer, PortalError>> {
  const one = only === undefined ? raw('true') : sql<BoundValue>`r.id = ${bound(only)}::integer`;
  // The file's own row is there for who may download it.
  const executed = await db.read(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select json_build_object('id', r.id, 'pk', r.id, 'name', r.title, 'title', r.title, 'description', r.abstract, 'type', r.doc_type, 'created', to_json(r.created), 'download_url', ${bound(exchange.base)}::text || '/documents/' || r.id || '/download', 'deletable', portal.may(r.id, 'delete_resourcebase'), 'owner', (select json_build_object('pk', a.id, 'username', a.username) from portal.account a where a.id = r.owner_id)) from portal.document_link l join portal.resource r on r.id = l.document_id where l.resource_id = ${bound(String(item))}::integer and r.doc_url is null and ${one} order by r.id limit ${bound(String(MAX_ASSETS))}::integer`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const assets = (executed.value[0]?.rows ?? []).map(([cell]) => cell?.toString() ?? 'null');
  return ok(
    only === undefined ? { status: 200, body: `[${assets.join(',')}]` } : { status: 201, body: assets[0] ?? 'null' },
  );
}

async function add(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  documents: Collection,
): Promise<Result<Answer, PortalError>> {
  const item = await itemOf(context, exchange, collection, 'change_resourcebase');
  if (!item.ok || !isMultipart(exchange.request)) {
    leaveUnread(exchange.request);
    return item.ok ? err(noFile()) : item;
  }
  const made = await withForm(context, exchange, async ({ fields, file }) => {
    if (file === undefined) return err(noFile());
    const { title = '', description = '', permissions } = fields;
    const element = await newElement(
      {
        title: title === '' ? titleOf(file) : title,
        abstract: description,
        linked_resources: [item.value],
        ...(permissions === undefined ? {} : { permissions }),
      },
      documents,
      exchange,
      (draft) => withFile(draft, file, documents),
    );
    return element.ok ? createOne(context, exchange, documents, element.value, WHOLE) : element;
  });
  if (!made.ok) return made;
  const { document } = JSON.parse(Buffer.from(made.value.body as Uint8Array).toString()) as {
    readonly document: { readonly pk: string };
  };
  return read(context, exchange, item.value, document.pk);
}

/** One that other items have as well is only taken from this one. */
async function remove(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  documents: Collection,
): Promise<Result<Answer, PortalError>> {
  const item = await itemOf(context, exchange, collection, 'change_resourcebase');
  if (!item.ok) return item;
  const { asset = '' } = exchange.request.params as { readonly asset?: string };
  if (!/^[1-9]\d{0,8}$/.test(asset)) return err({ kind: 'not-found' });
  const [id, of] = [sql<BoundValue>`${bound(asset)}::integer`, sql<BoundValue>`${bound(String(item.value))}::integer`];
  const { db } = context;
  const found = await db.read(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select exists (select from portal.document_link o where o.document_id = ${id} and o.resource_id <> ${of}) from portal.document_link l where l.document_id = ${id} and l.resource_id = ${of}`,
    ),
  ]);
  if (!found.ok) return err({ kind: 'database', error: found.error });
  const [row] = found.value[0]?.rows ?? [];
  if (row === undefined) return err({ kind: 'not-found' });
  if (row[0]?.toString() !== 't') return deleteItem(context, exchange, documents, Number(asset));
  const unlinked = await db.write(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`delete from portal.document_link l where l.document_id = ${id} and l.resource_id = ${of}`,
    ),
  ]);
  return unlinked.ok ? ok({ status: 204 }) : err({ kind: 'database', error: unlinked.error });
}

/** The item of the path, where the caller may do this with it. */
async function itemOf(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  permission: 'view_resourcebase' | 'change_resourcebase',
): Promise<Result<number, PortalError>> {
  const id = pathId(exchange);
  const may = sql<BoundValue>`portal.may(${bound(String(id ?? 0))}::integer, ${bound(permission)}::text)`;
  const found = await readOf(context, exchange, collection, id, may);
  if (!found.ok) return found;
  if (id === undefined || found.value === undefined) return err({ kind: 'not-found' });
  return found.value.toString() === 't' ? ok(id) : err({ kind: 'forbidden' });
}

function noFile(): PortalError {
  return { kind: 'invalid-fields', fields: { file: ['No file was submitted.'] } };
}
