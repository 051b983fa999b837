// `/api/v2/layers/follow` and `/api/v2/layers/{id}/source`: a layer whose rows are those of an address: made of it, told, changed, paused, renewed now, and
// left as it is.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { textRows } from '../../pg/rows.ts';
import { sql } from '../../sql/index.ts';
import { described, tagOf } from '../description/described-route.ts';
import { FLAG, INTEGER, MOMENT, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type Answer, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import type { PortalContext } from '../portal-context.ts';
import { MAX_LABEL } from '../tables/new-table.ts';
import { statement } from '../uploads/service-transaction.ts';
import { fetchAddress } from './fetch-address.ts';
import {
  beginImport,
  type DueSource,
  fingerprintOf,
  refreshSource,
  type SourceFault,
  type SourceParts,
} from './refresh-source.ts';
import {
  LEAST_MINUTES,
  MAX_ADDRESS,
  MAX_TYPE_NAME,
  MOST_MINUTES,
  parseSource,
  SOURCE_KINDS,
  sourceJson,
} from './source-order.ts';

const BODY_LIMIT = 64 * 1024;

export function registerSources(
  app: FastifyInstance,
  context: PortalContext,
  parts: SourceParts,
  paths: readonly string[],
): void {
  const { db } = context;
  const limits = { bodyLimit: BODY_LIMIT };
  for (const path of paths) {
    const tag = tagOf(path);
    app.post(
      `${path}/follow`,
      {
        ...limits,
        ...described({
          id: `${tag}_follow`,
          tag,
          summary: {
            en: 'Make a layer of what an address holds, and renew it on a timetable',
            de: 'Aus dem, was eine Adresse enthält, einen Layer machen und ihn nach einem Zeitplan erneuern',
          },
          body: record({ title: { type: 'string', maxLength: MAX_LABEL }, ...ORDER }, ['address']),
          examples: EXAMPLES,
          answers: { 201: record({ upload: { ...INTEGER, description: 'The import, to be followed as any other.' } }) },
          refusals: [400, 401, 403],
        }),
      },
      asAccountRoute(context, async (exchange) => {
        const body = await bodyOf(exchange);
        if (!body.ok) return body;
        const wanted = parseSource(body.value, ['title']);
        if (!wanted.ok) return err({ kind: 'invalid-fields', fields: wanted.error });
        const title = isMembers(body.value) ? body.value['title'] : undefined;
        if (
          title !== undefined &&
          (typeof title !== 'string' || title.trim() === '' || title.length > MAX_LABEL || title.includes('\0'))
        )
          return err({
            kind: 'invalid-fields',
            fields: { title: [`A text of at most ${MAX_LABEL} characters is expected.`] },
          });
        const may = await db.read(exchange.caller, exchange.info, [statement('select portal.may_add()')]);
        if (!may.ok) return err({ kind: 'database', error: may.error });
        if (textRows(may.value[0] ?? { rows: [], tag: '' })[0]?.[0] !== 't') return err({ kind: 'forbidden' });
        const fetched = await fetchAddress(parts.remote, wanted.value);
        if (!fetched.ok) return err(aboutAddress(fetched.error));
        const source = { ...sourceJson(wanted.value), fingerprint: fingerprintOf(fetched.value) };
        const into = { kind: 'new', title: typeof title === 'string' ? title.trim() : undefined } as const;
        const begun = await beginImport(parts, exchange.caller, exchange.info, fetched.value, source, into);
        return begun.ok ? ok(json(201, { upload: begun.value })) : err(failureOf(begun.error));
      }),
    );
    app.get(
      `${path}/:id/source`,
      described({
        id: `${tag}_source`,
        tag,
        summary: {
          en: 'Which address the layer follows, for who manages it',
          de: 'Welcher Adresse der Layer folgt, für die Verwaltung des Layers',
        },
        answers: { 200: record({ source: orNull(SOURCE) }) },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, (exchange) =>
        answer(
          exchange,
          'read',
          (id) => sql<BoundValue>`select json_build_object('source', portal.layer_source(${id}))`,
        ),
      ),
    );
    app.put(
      `${path}/:id/source`,
      {
        ...limits,
        ...described({
          id: `${tag}_source_set`,
          tag,
          summary: {
            en: 'Have a layer follow an address: its rows become those of the address, on a timetable; or pause it',
            de: 'Einen Layer einer Adresse folgen lassen: seine Zeilen werden nach einem Zeitplan die der Adresse; oder anhalten',
          },
          body: record(ORDER, ['address']),
          examples: EXAMPLES,
          answers: { 200: record({ source: SOURCE }) },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, async (exchange) => {
        const body = await bodyOf(exchange);
        if (!body.ok) return body;
        const wanted = parseSource(body.value);
        if (!wanted.ok) return err({ kind: 'invalid-fields', fields: wanted.error });
        const text = JSON.stringify(sourceJson(wanted.value));
        return answer(
          exchange,
          'write',
          (id) =>
            sql<BoundValue>`select json_build_object('source', portal.set_layer_source(${id}, ${bound(text)}::jsonb))`,
        );
      }),
    );
    app.delete(
      `${path}/:id/source`,
      described({
        id: `${tag}_source_drop`,
        tag,
        summary: {
          en: 'Follow the address no longer; the rows stay',
          de: 'Der Adresse nicht mehr folgen; die Zeilen bleiben',
        },
        answers: { 204: undefined },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, async (exchange) => {
        const done = await answer(exchange, 'write', (id) => sql<BoundValue>`select portal.drop_layer_source(${id})`);
        return done.ok ? ok({ status: 204 }) : done;
      }),
    );
    app.post(
      `${path}/:id/source/refresh`,
      {
        ...limits,
        ...described({
          id: `${tag}_source_refresh`,
          tag,
          summary: { en: 'Ask the address now', de: 'Die Adresse jetzt fragen' },
          answers: {
            200: record({ upload: { ...orNull(INTEGER), description: 'The import; null: nothing has changed.' } }),
          },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, async (exchange) => {
        const taken = await answer(exchange, 'write', (id) => sql<BoundValue>`select portal.source_now(${id})`);
        if (!taken.ok) return taken;
        const done = await refreshSource(parts, JSON.parse(String(taken.value.body)) as DueSource);
        return done.ok ? ok(json(200, { upload: done.value ?? null })) : err(failureOf(done.error));
      }),
    );
  }

  async function answer(
    exchange: Exchange,
    how: 'read' | 'write',
    question: (id: Sql) => Sql,
  ): Promise<Result<Answer, PortalError>> {
    const id = pathId(exchange);
    if (id === undefined) return err({ kind: 'not-found' });
    const asked = exchange.statement(question(sql<BoundValue>`${bound(String(id))}::integer`));
    const executed = await db[how](exchange.caller, exchange.info, [asked]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    return ok({ status: 200, body: cellOf(executed.value[0]) ?? 'null' });
  }
}

function aboutAddress(said: string): PortalError {
  return { kind: 'invalid-fields', fields: { address: [said] } };
}

function failureOf(error: SourceFault): PortalError {
  return error.kind === 'address' ? aboutAddress(error.said) : error;
}

const ORDER: Readonly<Record<string, Schema>> = {
  kind: {
    type: 'string',
    enum: [...SOURCE_KINDS],
    default: 'file',
    description: 'A file (CSV, GeoJSON and others), a collection of OGC API Features, or a WFS.',
  },
  address: { type: 'string', maxLength: MAX_ADDRESS },
  type_name: { ...orNull({ type: 'string', maxLength: MAX_TYPE_NAME }), description: 'The feature type of a WFS.' },
  key: {
    ...orNull({ type: 'string', maxLength: 255 }),
    description:
      'The column by which rows are found again, so that the history has the differences; without it all rows are replaced.',
  },
  every_minutes: { type: 'integer', minimum: LEAST_MINUTES, maximum: MOST_MINUTES, default: 1440 },
  paused: { ...FLAG, default: false },
};

const EXAMPLES = {
  stations: { address: 'https://data.example.org/stations.csv', key: 'code', every_minutes: 60 },
  rivers: { kind: 'features', address: 'https://maps.example.org/ogc/collections/rivers', key: 'id' },
};

const SOURCE: Schema = record({
  kind: { type: 'string', enum: [...SOURCE_KINDS] },
  address: TEXT,
  type_name: orNull(TEXT),
  key: orNull(TEXT),
  every_minutes: INTEGER,
  paused: FLAG,
  next_at: { ...orNull(MOMENT), description: 'Null: it is paused.' },
  asked_at: orNull(MOMENT),
  changed_at: { ...orNull(MOMENT), description: 'When rows were last brought up to date.' },
  error: { ...orNull(TEXT), description: 'What was wrong when it was last asked.' },
  failures: { ...INTEGER, description: 'In a row.' },
  as: { ...TEXT, description: 'The account in whose name the rows are replaced.' },
});
