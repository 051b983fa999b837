// `/api/v2/datasets/{id}/timeseries`: whether a layer has a time dimension, as the pages of newer GeoNodes ask and set it. A layer's time is its first
// column of dates or times; `has_time` of its record is the same switch. What is asked for beyond that is refused, not ignored.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { described, tagOf } from '../../description/described-route.ts';
import { body, FLAG, INTEGER, orNull, record, type Schema, TEXT } from '../../description/schema.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { type BoundValue, bound } from '../../fields/bound-value.ts';
import type { Collection } from '../../operations/collection.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { BODY_LIMIT, bodyOf, pathId } from '../../operations/register-collection.ts';
import { updateItem } from '../../operations/update.ts';
import { isMembers, type Members } from '../../operations/write/body-forms.ts';

type Time = { readonly has_time: boolean; readonly attribute: number | null };

export function registerTimeSeriesPaths(
  app: FastifyInstance,
  context: ApiContext,
  layers: readonly Collection[],
): void {
  for (const collection of layers) {
    const path = `${collection.path}/:id/timeseries`;
    app.get(
      path,
      described({
        id: `${tagOf(collection.path)}_time_series`,
        tag: tagOf(collection.path),
        summary: { en: 'Its time dimension', de: 'Seine Zeitdimension' },
        answers: { 200: TIME },
        refusals: [400, 401, 403, 404],
      }),
      asAccountRoute(context, async (exchange) => {
        const time = await readTime(context, exchange);
        if (!time.ok) return time;
        const { has_time, attribute } = time.value;
        return has_time && attribute !== null
          ? ok(json(200, { has_time, attribute, ...FIXED }))
          : ok(json(404, { detail: 'This layer has no time dimension.' }));
      }),
    );
    app.put(
      path,
      {
        bodyLimit: BODY_LIMIT,
        ...described({
          id: `${tagOf(collection.path)}_set_time_series`,
          tag: tagOf(collection.path),
          summary: { en: 'Switch its time dimension on or off', de: 'Seine Zeitdimension ein- oder ausschalten' },
          body: { ...body({ has_time: FLAG, attribute: orNull(INTEGER) }, ['has_time']), additionalProperties: true },
          examples: { on: { has_time: true } },
          answers: { 200: record({ message: TEXT }) },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, (exchange) => writeTime(context, exchange, collection)),
    );
  }
}

/** What cannot be chosen here: every moment of the one column counts. */
const FIXED = { end_attribute: null, presentation: 'LIST', precision_value: null, precision_step: null } as const;

async function readTime(context: ApiContext, exchange: Exchange): Promise<Result<Time, PortalError>> {
  const id = bound(String(pathId(exchange) ?? 0));
  const executed = await context.db.read(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select json_build_object('has_time', r.has_time, 'attribute', (select a.id from portal.attribute a where a.resource_id = r.id and a.attribute_type in ('xsd:date', 'xsd:dateTime') order by a.display_order, a.id limit 1)) from portal.resource r where r.id = ${id}::integer and r.resource_type = 'layer'`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const found = cellOf(executed.value[0]);
  return found === undefined ? err({ kind: 'not-found' }) : ok(JSON.parse(found.toString()) as Time);
}

async function writeTime(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
): Promise<Result<Answer, PortalError>> {
  const time = await readTime(context, exchange);
  if (!time.ok) return time;
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const members = isMembers(body.value) ? body.value : {};
  const complaint = complaintAbout(members, time.value.attribute);
  if (complaint !== undefined) return err({ kind: 'invalid-fields', fields: complaint });
  const written = { has_time: members['has_time'] };
  const updated = await updateItem(context, exchange, collection, pathId(exchange), written, 'change');
  if (!updated.ok || updated.value.status >= 300) return updated;
  return ok(json(200, { message: `The time dimension is ${written.has_time === true ? 'on' : 'off'}.` }));
}

function complaintAbout(
  members: Members,
  column: number | null,
): Readonly<Record<string, readonly string[]>> | undefined {
  const { has_time, attribute = null, end_attribute = null, presentation = null } = members;
  if (typeof has_time !== 'boolean') return { has_time: ['Must be true or false.'] };
  if (!has_time) return undefined;
  if (column === null) return { has_time: ['The layer has no column of dates or times.'] };
  if (attribute !== null && String(attribute) !== String(column))
    return { attribute: [`The time of a layer is its first column of dates or times: ${column}.`] };
  if (end_attribute !== null) return { end_attribute: ['Time dimensions of two columns are not known here.'] };
  if (presentation !== null && presentation !== 'LIST')
    return { presentation: ['Every moment counts: LIST is the one presentation.'] };
  return undefined;
}

const TIME: Schema = record({
  has_time: FLAG,
  attribute: orNull(INTEGER),
  end_attribute: orNull(INTEGER),
  presentation: { type: 'string', enum: ['LIST'] },
  precision_value: orNull(INTEGER),
  precision_step: orNull(TEXT),
});
