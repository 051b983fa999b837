// /api/v2/remote/services/: services of other people that accounts register in their own names. What is chosen becomes a record of the catalogue, a layer or a document; what a service offers is
// read again on its timetable, and how it fared is told. The database decides who may.

import type { FastifyInstance } from 'fastify';
import type { RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, body, INTEGER, MOMENT, orNull, record, type Schema, TEXT } from '../description/schema.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type Answer, asAccountRoute, type Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { permissionComplaint } from '../permissions/permission-complaint.ts';
import type { PortalContext } from '../portal-context.ts';
import { describeService } from './describe/describe-service.ts';
import { OFFER_REASONS } from './describe/remote-service.ts';
import { harvest, offersJson } from './harvest.ts';
import { remoteError } from './remote-words.ts';

const PATH = '/api/v2/remote/services';
const MAX_EVERY_HOURS = 8760;
/** Chosen at once. */
const MAX_CHOSEN = 200;

type Answered = Promise<Result<Answer, PortalError>>;

export function registerServicePaths(app: FastifyInstance, context: PortalContext, fetch: RemoteFetch): void {
  /** The only cell of the answer; null where there is nothing. */
  const ask = async (
    { caller, info, statement }: Exchange,
    fragment: Sql,
  ): Promise<Result<string | null, PortalError>> => {
    const executed = await context.db.write(caller, info, [statement(fragment)]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    return ok(cellOf(executed.value[0])?.toString() ?? null);
  };
  const onService = (handle: (exchange: Exchange, id: number) => Answered): Parameters<typeof asAccountRoute>[1] => {
    return async (exchange) => {
      const id = pathId(exchange);
      return id === undefined ? err({ kind: 'not-found' }) : handle(exchange, id);
    };
  };
  const number = (id: number): Sql => sql<BoundValue>`${bound(String(id))}::integer`;
  const told = async (exchange: Exchange, id: number, status: number): Answered => {
    const found = await ask(exchange, sql<BoundValue>`select portal.remote_service(${number(id)})`);
    if (!found.ok) return found;
    return found.value === null ? err({ kind: 'not-found' }) : ok({ status, body: `{"service":${found.value}}` });
  };

  app.get(
    PATH,
    described({
      id: 'remote_services_list',
      tag: 'remote',
      summary: { en: 'Services of others that are registered', de: 'Fremde Dienste, die eingetragen sind' },
      answers: { 200: record({ services: arrayOf(record(SERVICE)) }) },
      refusals: [401, 403],
    }),
    asAccountRoute(context, async (exchange) => {
      const found = await ask(exchange, sql<BoundValue>`select portal.remote_services()`);
      return found.ok ? ok({ status: 200, body: `{"services":${found.value ?? '[]'}}` }) : found;
    }),
  );
  app.post(
    PATH,
    described({
      id: 'remote_services_create',
      tag: 'remote',
      summary: {
        en: 'Register a service by its address; `every_hours` is how often it is asked again',
        de: 'Einen Dienst über seine Adresse eintragen; `every_hours` sagt, wie oft er wieder gefragt wird',
      },
      body: body({ url: { type: 'string', maxLength: 2000 }, every_hours: EVERY }, ['url']),
      examples: { example: { url: 'https://maps.example.org/wms', every_hours: 24 } },
      answers: { 201: WHOLE },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, async (exchange) => {
      // Before anybody is asked: who may not register has nothing fetched.
      const allowed = await ask(exchange, sql<BoundValue>`select portal.remote_services()`);
      if (!allowed.ok) return allowed;
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const wanted = parseWanted(body.value);
      if (!wanted.ok) return err({ kind: 'invalid-fields', fields: wanted.error });
      const { url, everyHours } = wanted.value;
      const described = await describeService(fetch, url);
      if (!described.ok) return err(remoteError(described.error));
      const { kind, title, abstract } = described.value;
      const name = title === '' ? new URL(url).hostname : title;
      const made = await ask(
        exchange,
        sql<BoundValue>`select portal.add_remote_service(${bound(url)}, ${hours(everyHours)}, ${bound(kind)}, ${bound(name)}, ${bound(abstract)}, ${bound(offersJson(described.value))}::jsonb)`,
      );
      return made.ok ? told(exchange, Number(made.value), 201) : made;
    }),
  );
  app.get(
    `${PATH}/:id`,
    described({
      id: 'remote_services_read',
      tag: 'remote',
      summary: {
        en: 'A service with what it offers, and which layer of the catalogue each is',
        de: 'Ein Dienst mit dem, was er anbietet, und welche Ebene des Katalogs es jeweils ist',
      },
      answers: { 200: WHOLE },
      refusals: [401, 403, 404],
    }),
    asAccountRoute(
      context,
      onService((exchange, id) => told(exchange, id, 200)),
    ),
  );
  app.patch(
    `${PATH}/:id`,
    described({
      id: 'remote_services_update',
      tag: 'remote',
      summary: { en: 'Change how often it is asked', de: 'Ändern, wie oft er gefragt wird' },
      body: body({ every_hours: EVERY }),
      examples: { example: { every_hours: 168 } },
      answers: { 200: WHOLE },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(
      context,
      onService(async (exchange, id) => {
        const body = await bodyOf(exchange);
        if (!body.ok) return body;
        const every = parseHours(isMembers(body.value) ? body.value['every_hours'] : undefined);
        if (every === undefined) return err({ kind: 'invalid-fields', fields: { every_hours: [HOURS] } });
        const set = await ask(
          exchange,
          sql<BoundValue>`select portal.set_remote_service(${number(id)}, ${hours(every)})`,
        );
        return set.ok ? told(exchange, id, 200) : set;
      }),
    ),
  );
  app.delete(
    `${PATH}/:id`,
    described({
      id: 'remote_services_delete',
      tag: 'remote',
      summary: {
        en: 'Take it off the list; its layers stay in the catalogue',
        de: 'Von der Liste nehmen; seine Ebenen bleiben im Katalog',
      },
      answers: { 204: undefined },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(
      context,
      onService(async (exchange, id) => {
        const gone = await ask(exchange, sql<BoundValue>`select portal.drop_remote_service(${number(id)})`);
        if (!gone.ok) return gone;
        return gone.value === 't' || gone.value === 'true' ? ok({ status: 204 }) : err({ kind: 'not-found' });
      }),
    ),
  );
  app.post(
    `${PATH}/:id/harvest`,
    described({
      id: 'remote_services_harvest',
      tag: 'remote',
      summary: { en: 'Ask it now what it offers', de: 'Jetzt fragen, was er anbietet' },
      answers: { 200: WHOLE },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(
      context,
      onService(async (exchange, id) => {
        const address = await ask(exchange, sql<BoundValue>`select portal.claim_remote_service(${number(id)})`);
        if (!address.ok) return address;
        if (address.value === null) return err({ kind: 'not-found' });
        await harvest(context.db, fetch, id, address.value);
        return told(exchange, id, 200);
      }),
    ),
  );
  app.post(
    `${PATH}/:id/layers`,
    described({
      id: 'remote_services_layers',
      tag: 'remote',
      summary: {
        en: 'Make layers of the catalogue of what it offers, each once; null for what it does not offer',
        de: 'Ebenen des Katalogs aus seinem Angebot machen, jede einmal; null für das, was er nicht anbietet',
      },
      body: CHOICE,
      examples: { example: { names: ['rivers'] } },
      answers: {
        200: record({ layers: arrayOf(record({ name: TEXT, layer: orNull(TEXT), document: orNull(TEXT) })) }),
      },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(
      context,
      onService(async (exchange, id) => {
        const body = await bodyOf(exchange);
        if (!body.ok) return body;
        const { names, permissions = null } = isMembers(body.value) ? body.value : {};
        const isList = Array.isArray(names) && names.length > 0 && names.length <= MAX_CHOSEN;
        if (!isList || !names.every((one) => typeof one === 'string' && one.length <= 500 && !one.includes('\0')))
          return err({ kind: 'invalid-fields', fields: { names: [`Expected a list of 1 to ${MAX_CHOSEN} names.`] } });
        const { caller, info, statement } = exchange;
        const list = bound(JSON.stringify(names));
        const executed = await context.db.write(caller, info, [
          statement(
            sql<BoundValue>`select coalesce(jsonb_agg(jsonb_build_object('name', n.name) || coalesce(portal.add_remote_record(${number(id)}, n.name, ${bound(permissions === null ? null : JSON.stringify(permissions))}::jsonb), '{"layer": null, "document": null}')), '[]') from (select distinct e.name from jsonb_array_elements_text(${list}::jsonb) e(name) order by 1) n`,
          ),
        ]);
        if (!executed.ok) {
          const { error } = executed;
          const complaint = error.kind === 'sql' ? permissionComplaint(error, permissions) : undefined;
          return err(complaint ?? { kind: 'database', error });
        }
        return ok({ status: 200, body: `{"layers":${cellOf(executed.value[0])?.toString() ?? '[]'}}` });
      }),
    ),
  );
}

const HOURS = `Expected null, or a whole number of hours from 1 to ${MAX_EVERY_HOURS}.`;

function hours(value: number | null): Sql {
  return value === null ? sql`null::integer` : sql<BoundValue>`${bound(String(value))}::integer`;
}

/** Undefined: it is neither. */
function parseHours(value: unknown): number | null | undefined {
  if (value === null) return null;
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_EVERY_HOURS
    ? (value as number)
    : undefined;
}

function parseWanted(
  body: unknown,
): Result<{ readonly url: string; readonly everyHours: number | null }, FieldMessages> {
  const { url, every_hours = null } = isMembers(body) ? body : {};
  const everyHours = parseHours(every_hours);
  if (everyHours === undefined) return err({ every_hours: [HOURS] });
  if (typeof url !== 'string' || url.trim() === '' || url.length > 2000 || url.includes('\0'))
    return err({ url: ['Expected the address of a service.'] });
  return ok({ url: url.trim(), everyHours });
}

const EVERY: Schema = { type: 'integer', minimum: 1, maximum: MAX_EVERY_HOURS, nullable: true };

const SERVICE: Readonly<Record<string, Schema>> = {
  id: INTEGER,
  url: TEXT,
  kind: TEXT,
  title: TEXT,
  abstract: TEXT,
  every_hours: EVERY,
  created: MOMENT,
  harvested: orNull(MOMENT),
  tried: orNull(MOMENT),
  error: orNull(TEXT),
  health: { type: 'string', enum: ['reachable', 'failing', 'unknown'] },
  offered: INTEGER,
  layers: INTEGER,
  gone: INTEGER,
  owner: orNull(TEXT),
};

const OFFER: Schema = record({
  name: TEXT,
  title: TEXT,
  abstract: TEXT,
  reason: { ...orNull(TEXT), enum: [...OFFER_REASONS, null] },
  page: orNull(TEXT),
  becomes: {
    ...orNull(TEXT),
    enum: ['layer', 'document', null],
    description: 'What it is in the catalogue once it is chosen; null: it cannot be.',
  },
  layer: orNull(TEXT),
  document: orNull(TEXT),
});

const WHOLE: Schema = record({ service: record({ ...SERVICE, offers: arrayOf(OFFER) }) });

const CHOICE: Schema = body(
  {
    names: { type: 'array', items: { type: 'string', maxLength: 500 }, minItems: 1, maxItems: MAX_CHOSEN },
    permissions: {
      type: 'object',
      description: 'As `set_perms` takes them; not sent: nobody but their owner sees the new ones.',
    },
  },
  ['names'],
);
