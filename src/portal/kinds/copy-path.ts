// `PUT /api/v2/resources/{id}/copy`: a new item like one that the caller sees, as the map client of GeoNode asks for it. The copy is the caller's own
// and nobody else's, unless `permissions` say otherwise; it is made as any new item is. Layers are not copied: their data are not in the catalogue.

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { makeBlobKey } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { mayBeCommitted } from '../../pg/may-be-committed.ts';
import { raw, sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { type Described, jsonContent } from '../description/operation.ts';
import { reference, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { storeFailure } from '../errors/store-failure.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import type { Collection } from '../operations/collection.ts';
import { createOne, createRecords, newElement } from '../operations/create.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange } from '../operations/exchange.ts';
import { readRecords } from '../operations/read.ts';
import { BODY_LIMIT, bodyOf, pathId } from '../operations/register-collection.ts';
import { readOf } from '../operations/relation-paths.ts';
import { isMembers, type Members } from '../operations/write/body-forms.ts';
import { parseCatalogueQuery, WHOLE } from '../query/catalogue-query.ts';
import { docTypeOf } from './document/document-types.ts';
import { withFile } from './document/stored-file.ts';

export type Copied = {
  readonly resources: Collection;
  readonly maps: Collection;
  readonly documents: Collection;
  readonly geoapps: Collection;
  readonly geostories: Collection;
};

/** What is the item's own, and nothing that says who it belongs to, who has looked at it, or where it is found. */
const COPIED: readonly string[] = [
  'title',
  'abstract',
  'attribution',
  'date',
  'date_type',
  'edition',
  'purpose',
  'maintenance_frequency',
  'restriction_code_type',
  'constraints_other',
  'license',
  'language',
  'category',
  'spatial_representation_type',
  'temporal_extent_start',
  'temporal_extent_end',
  'supplemental_information',
  'data_quality_statement',
  'keywords',
  'regions',
  'tkeywords',
  'zoom',
  'projection',
  'center_x',
  'center_y',
  'app_type',
  'doc_type',
  'extension',
  'data',
  'maplayers',
];

const DEFAULTS: Schema = {
  type: 'object',
  properties: {
    defaults: { description: 'Fields of the new item, as JSON or as JSON text.', anyOf: [{ type: 'object' }, TEXT] },
  },
};

const COPY: Described = {
  id: 'resources_copy',
  tag: 'resources',
  summary: {
    en: 'Make a new item like this one, the caller’s own; layers are not copied',
    de: 'Ein neues Objekt wie dieses anlegen, das dem Aufrufer gehört; Layer werden nicht kopiert',
  },
  sent: {
    content: {
      ...jsonContent(DEFAULTS, { title: { defaults: { title: 'A copy' } } }),
      'application/x-www-form-urlencoded': { schema: DEFAULTS },
    },
  },
  answers: {
    201: {
      oneOf: (['Map', 'Document', 'Geoapp', 'Geostory'] as const).map((name) => ({
        type: 'object',
        properties: { [name.toLowerCase()]: reference(name), meta: reference('Ignored') },
        required: [name.toLowerCase()],
        additionalProperties: false,
      })),
    },
  },
  refusals: [400, 401, 403, 404],
};

export function registerCopyPath(app: FastifyInstance, context: ApiContext, collections: Copied): void {
  app.put(
    `${collections.resources.path}/:id/copy`,
    { bodyLimit: BODY_LIMIT, ...described(COPY) },
    asAccountRoute(context, (exchange) => copyItem(context, exchange, collections)),
  );
}

async function copyItem(
  context: ApiContext,
  exchange: Exchange,
  collections: Copied,
): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  const wished = await wishes(exchange);
  if (!wished.ok) return wished;
  const type = await readOf(context, exchange, collections.resources, id, raw('r.resource_type'));
  if (!type.ok) return type;
  if (type.value === undefined || id === undefined) return err({ kind: 'not-found' });
  const collection = {
    map: collections.maps,
    document: collections.documents,
    geoapp: collections.geoapps,
    geostory: collections.geostories,
  }[type.value.toString()];
  if (collection === undefined)
    return err({
      kind: 'bad-request',
      detail: 'Layers are not copied. Download the data and upload them as a new layer.',
    });
  const query = parseCatalogueQuery(`filter{pk}=${id}&include[]=data`, collection.rules);
  if (!query.ok) return query;
  const found = await readRecords(context, exchange, collection, query.value);
  if (!found.ok) return found;
  const [record] = JSON.parse(Buffer.from(found.value.records).toString()) as readonly Members[];
  if (record === undefined) return err({ kind: 'not-found' });
  const kept = Object.entries(record).filter(([name, value]) => COPIED.includes(name) && value !== null);
  const element: Members = {
    ...Object.fromEntries(kept),
    // Names of apps are unique.
    ...(collection.recordType.byName.get('name')?.required === true
      ? { name: `${String(record['name']).slice(0, 200)} ${randomUUID().slice(0, 8)}` }
      : {}),
    permissions: { users: {}, groups: {} },
    ...wished.value,
  };
  return collection === collections.documents
    ? copyDocument(context, exchange, collection, id, element)
    : createRecords(context, exchange, collection, element);
}

/** What the copy has in place of the original's: `defaults` of a form or of JSON, as JSON or as text; or the members of the body themselves. */
async function wishes(exchange: Exchange): Promise<Result<Members, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  if (body.value === undefined) return ok({});
  if (!isMembers(body.value)) return wrong();
  const sent = Object.hasOwn(body.value, 'defaults') ? body.value['defaults'] : body.value;
  if (typeof sent !== 'string') return isMembers(sent) ? ok(sent) : wrong();
  try {
    const parsed: unknown = JSON.parse(sent);
    return isMembers(parsed) ? ok(parsed) : wrong();
  } catch {
    return wrong();
  }
}

function wrong(): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { defaults: ['Expected a JSON object.'] } });
}

/** With a file of its own; its row is only there for who may download it. */
async function copyDocument(
  context: ApiContext,
  exchange: Exchange,
  documents: Collection,
  id: number,
  element: Members,
): Promise<Result<Answer, PortalError>> {
  const executed = await context.db.read(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select r.doc_url, f.blob, f.file_name, r.mime_type from portal.resource r left join portal.document_file f on f.resource_id = r.id where r.id = ${bound(String(id))}::integer and portal.may(r.id, 'download_resourcebase')`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const [row] = executed.value[0]?.rows ?? [];
  if (row === undefined) return err({ kind: 'forbidden' });
  const [address, blob, fileName, mime] = row.map((cell) => cell?.toString());
  if (blob === undefined) return createRecords(context, exchange, documents, { ...element, doc_url: address });
  const opened = await context.blobs.open(blob);
  if (!opened.ok) throw new Error(`a document could not be read: ${JSON.stringify(opened.error)}`);
  const copy = makeBlobKey('documents');
  const stored = await context.blobs.put(copy, opened.value.stream);
  if (!stored.ok) return err(storeFailure(stored.error));
  const extension = String(element['extension'] ?? '');
  const file = {
    blob: copy,
    fileName: fileName ?? 'document',
    size: stored.value.size,
    extension,
    mime: mime ?? 'application/octet-stream',
    type: docTypeOf(extension),
  };
  const made = await newElement(element, documents, exchange, (draft) => withFile(draft, file, documents));
  const created = made.ok ? await createOne(context, exchange, documents, made.value, WHOLE) : made;
  if (!created.ok && !mayBeCommitted(created.error)) await context.blobs.remove(copy);
  return created;
}
