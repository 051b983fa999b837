// /api/v2/remote/services/: services of other people that accounts register in their own names. What is chosen becomes a record of the catalogue, a layer or a document; what a service offers is
// read again on its timetable, and how it fared is told. The database decides who may.

import type { FastifyInstance } from 'fastify';
import type { RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type Answer, asAccountRoute, type Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf, pathId } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { permissionComplaint } from '../permissions/permission-complaint.ts';
import type { PortalContext } from '../portal-context.ts';
import { describeService } from './describe/describe-service.ts';
import { harvest, offersJson } from './harvest.ts';
import { remoteError } from './remote-words.ts';

const PATH = '/api/v2/remote/services';
export const MAX_EVERY_HOURS = 8760;
/** Chosen at once. */
export const MAX_CHOSEN = 200;

type Answered = Promise<Result<Answer, PortalError>>;

export function registerServicePaths(app: FastifyInstance, context: PortalContext, fetch: RemoteFetch): void {
  /** The only cell of the answer; null where there is nothing. */
  const ask = async (
    { caller, info, statement }: Exchange,
    fragment: Sql,
  ): Promise<Result<string | null, PortalError>> => {
    const flown = await context.db.write(caller, info, [statement(fragment)]);
    if (!flown.ok) return err({ kind: 'database', error: flown.error });
    return ok(cellOf(flown.value[0])?.toString() ?? null);
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
    asAccountRoute(context, async (exchange) => {
      const found = await ask(exchange, sql<BoundValue>`select portal.remote_services()`);
      return found.ok ? ok({ status: 200, body: `{"services":${found.value ?? '[]'}}` }) : found;
    }),
  );
  app.post(
    PATH,
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
    asAccountRoute(
      context,
      onService((exchange, id) => told(exchange, id, 200)),
    ),
  );
  app.patch(
    `${PATH}/:id`,
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
        const flown = await context.db.write(caller, info, [
          statement(
            sql<BoundValue>`select coalesce(jsonb_agg(jsonb_build_object('name', n.name) || coalesce(portal.add_remote_record(${number(id)}, n.name, ${bound(permissions === null ? null : JSON.stringify(permissions))}::jsonb), '{"layer": null, "document": null}')), '[]') from (select distinct e.name from jsonb_array_elements_text(${list}::jsonb) e(name) order by 1) n`,
          ),
        ]);
        if (!flown.ok) {
          const { error } = flown;
          const complaint = error.kind === 'sql' ? permissionComplaint(error, permissions) : undefined;
          return err(complaint ?? { kind: 'database', error });
        }
        return ok({ status: 200, body: `{"layers":${cellOf(flown.value[0])?.toString() ?? '[]'}}` });
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
