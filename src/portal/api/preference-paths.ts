// /api/v2/preferences/: what the caller's account prefers, such as not to see the tour again. Everybody has their own; what is as usual is
// not kept.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { orNull, record, reference, type Schema, TEXT } from '../description/schema.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { MAIL_LANGUAGES } from '../mail/letters.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';

/** Names, and what each can be besides null, which is as usual. The database knows the same. */
const PREFERENCES = {
  tour: ['done'],
  basemaps: ['done'],
  theme: ['auto', 'light', 'dark'],
  /** Of the pages, and of letters. */
  language: MAIL_LANGUAGES,
} as const;

const KNOWN: ReadonlyMap<string, readonly string[]> = new Map(Object.entries<readonly string[]>(PREFERENCES));

export function registerPreferencePaths(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/preferences',
    described({
      id: 'preferences_read',
      tag: 'users',
      summary: { en: 'What the own account prefers', de: 'Was das eigene Konto bevorzugt' },
      answers: { 200: record({ preferences: preferences((values) => ({ type: 'string', enum: values })) }) },
      refusals: [401],
    }),
    asAccountRoute(context, (exchange) => readPreferences(context, exchange)),
  );
  app.patch(
    '/api/v2/preferences',
    described({
      id: 'preferences_change',
      tag: 'users',
      summary: {
        en: 'Change what the own account prefers; null is as usual',
        de: 'Ändern, was das eigene Konto bevorzugt; null ist wie üblich',
      },
      body: preferences((values) => ({ ...orNull(TEXT), enum: [...values, null] })),
      examples: { noTour: { tour: 'done' } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, (exchange) => changePreferences(context, exchange)),
  );
}

async function readPreferences({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const statement = exchange.statement(
    raw(
      `select json_build_object('preferences', coalesce(json_object_agg(p.name, p.value), '{}')) from portal.preference p`,
    ),
  );
  const executed = await db.read(exchange.caller, exchange.info, [statement]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok({ status: 200, body: cellOf(executed.value[0]) ?? '{}' });
}

async function changePreferences({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const asked = parsePreferences(body.value);
  if (!asked.ok) return err({ kind: 'invalid-fields', fields: asked.error });
  const changes = sql<BoundValue>`json_each_text(${bound(JSON.stringify(asked.value))}::json) n`;
  const executed = await db.write(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`delete from portal.preference p using ${changes} where p.name = n.key and n.value is null`,
    ),
    exchange.statement(
      sql<BoundValue>`insert into portal.preference (account_id, name, value) select portal.me(), n.key, n.value from ${changes} where n.value is not null on conflict (account_id, name) do update set value = excluded.value`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok(json(200, { meta: { updated: Object.keys(asked.value).length } }));
}

type Preferences = Readonly<Record<string, string | null>>;

function parsePreferences(body: unknown): Result<Preferences, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: [expectedObject(kindOf(body))] });
  const wrong = Object.entries(body)
    .slice(0, 20)
    .flatMap(([name, value]): [string, string[]][] => {
      const values = KNOWN.get(name);
      if (values === undefined) return [[name.slice(0, 100), ['Unknown preference.']]];
      const isKnown = value === null || (typeof value === 'string' && values.includes(value));
      return isKnown ? [] : [[name, [`Must be null or one of: ${values.join(', ')}.`]]];
    });
  return wrong.length === 0 ? ok(body as Preferences) : err(Object.fromEntries(wrong));
}

function preferences(schema: (values: readonly string[]) => Schema): Schema {
  return record(Object.fromEntries([...KNOWN].map(([name, values]) => [name, schema(values)])), []);
}
