// `POST /api/v2/layers/empty`: a new layer, or a table without places, made from a form instead of a file. Who may add one, the database says.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described, tagOf } from '../description/described-route.ts';
import { body, record, reference, type Schema } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Collection } from '../operations/collection.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange } from '../operations/exchange.ts';
import { readItem } from '../operations/read.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { permissionComplaint } from '../permissions/permission-complaint.ts';
import { crsFault } from '../uploads/crs-fault.ts';
import type { PublishError } from '../uploads/publish/publication.ts';
import { COLUMN } from './column-schema.ts';
import { createTable } from './create-table.ts';
import { MAX_NEW_COLUMNS, parseNewTable, SHAPE_NAMES } from './new-table.ts';

const BODY_LIMIT = 1024 * 1024;

export function registerTablePaths(
  app: FastifyInstance,
  context: ApiContext,
  collections: readonly Collection[],
): void {
  for (const collection of collections) {
    app.post(
      `${collection.path}/empty`,
      {
        bodyLimit: BODY_LIMIT,
        ...described({
          id: `${tagOf(collection.path)}_empty`,
          tag: tagOf(collection.path),
          summary: {
            en: 'Make a new layer without features, or a table, from a form: columns, geometry, coordinate system',
            de: 'Einen neuen leeren Layer oder eine Tabelle aus einem Formular anlegen: Spalten, Geometrie, Koordinatensystem',
          },
          body: NEW_LAYER,
          examples: {
            trees: {
              title: 'Trees',
              geometry: 'point',
              crs: 'EPSG:4326',
              columns: [{ name: 'Species', type: 'text', required: true }],
            },
          },
          answers: { 201: body({ [collection.item]: reference('Layer') }) },
          refusals: [400, 401, 403],
        }),
      },
      asAccountRoute(context, (exchange) => create(context, exchange, collection)),
    );
  }
}

async function create(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
): Promise<Result<Answer, PortalError>> {
  const { caller, info } = exchange;
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const wanted = parseNewTable(body.value);
  if (!wanted.ok) return err({ kind: 'invalid-fields', fields: wanted.error });
  const { geometry, permissions } = wanted.value;
  if (geometry !== undefined) {
    const fault = await crsFault(context.db, caller, info, `EPSG:${geometry.srid}`);
    if (!fault.ok) return err({ kind: 'database', error: fault.error });
    if (fault.value !== undefined) return err({ kind: 'invalid-fields', fields: { crs: [fault.value] } });
  }
  const made = await createTable(context.db, caller, wanted.value);
  if (!made.ok) return err(publishFailure(made.error, permissions));
  const read = await readItem(context, exchange, collection, made.value);
  if (!read.ok) return read;
  return ok({
    ...read.value,
    status: 201,
    headers: { ...read.value.headers, Location: `${exchange.base}${collection.path}/${made.value}` },
  });
}

export function publishFailure(failure: PublishError, permissions: unknown): PortalError {
  if (failure.kind === 'database') {
    const { error } = failure;
    const complaint = error.kind === 'sql' ? permissionComplaint(error, permissions) : undefined;
    return complaint ?? { kind: 'database', error };
  }
  if (failure.kind === 'does-not-fit') return { kind: 'invalid-request', messages: [failure.said] };
  throw new Error(`a table could not be made: ${failure.kind}`);
}

const NEW_LAYER: Schema = record(
  {
    title: { type: 'string', maxLength: 255 },
    name: { type: 'string', maxLength: 100, description: 'Made of the title where it is not given.' },
    abstract: { type: 'string', maxLength: 2000 },
    geometry: { type: 'string', enum: [...SHAPE_NAMES, 'none'], description: '`none`: a table without places.' },
    crs: { type: 'string', example: 'EPSG:4326', default: 'EPSG:4326' },
    columns: { type: 'array', maxItems: MAX_NEW_COLUMNS, items: COLUMN },
    permissions: reference('SentPermissions'),
  },
  ['title', 'geometry'],
);
