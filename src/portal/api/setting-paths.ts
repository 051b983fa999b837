// /api/v2/settings/: the switches of the publishing workflow and of what everybody gets. Read by everybody, turned by administrators,
// and obeyed by the database from the next request on.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { raw, sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { FLAG, record, reference, type Schema } from '../description/schema.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { type BoundValue, bound } from '../fields/bound-value.ts';
import { type Answer, type ApiContext, asAccountRoute, asRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';

const SETTINGS = [
  'ADMIN_MODERATE_UPLOADS',
  'COMMENTS',
  'DEFAULT_ANONYMOUS_DOWNLOAD_PERMISSION',
  'DEFAULT_ANONYMOUS_VIEW_PERMISSION',
  'GROUPS_BY_ACCOUNTS',
  'GROUP_PRIVATE_RESOURCES',
  'READ_ONLY',
  'RESOURCE_PUBLISHING',
] as const;

const NAMES: ReadonlySet<string> = new Set(SETTINGS);

export function registerSettingPaths(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/settings',
    described({
      id: 'settings_read',
      tag: 'settings',
      summary: {
        en: 'Switches of the publishing workflow, and of what everybody gets',
        de: 'Schalter für das Veröffentlichen, und dafür, was alle dürfen',
      },
      answers: { 200: record({ settings: record(SWITCHES) }) },
    }),
    asRoute(context, (exchange) => readSettings(context, exchange)),
  );
  app.patch(
    '/api/v2/settings',
    described({
      id: 'settings_change',
      tag: 'settings',
      summary: { en: 'Turn switches; for administrators', de: 'Schalter umlegen; für Administratoren' },
      body: record(SWITCHES, []),
      examples: { published: { RESOURCE_PUBLISHING: false } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(context, (exchange) => turnSettings(context, exchange)),
  );
}

async function readSettings({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const statement = exchange.statement(
    raw(`select json_build_object('settings', json_object_agg(s.name, s.value order by s.name)) from portal.setting s`),
  );
  const executed = await db.read(exchange.caller, exchange.info, [statement]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok({ status: 200, body: cellOf(executed.value[0]) ?? '{}' });
}

async function turnSettings({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const asked = parseSettings(body.value);
  if (!asked.ok) return err({ kind: 'invalid-fields', fields: asked.error });
  const statement = exchange.statement(
    sql<BoundValue>`update portal.setting s set value = n.value::boolean from json_each_text(${bound(JSON.stringify(asked.value))}::json) n where s.name = n.key returning 1`,
  );
  const executed = await db.write(exchange.caller, exchange.info, [statement]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const updated = executed.value[0]?.rows.length ?? 0;
  // A policy hides the rows from who is no administrator any more, and says nothing.
  if (updated !== Object.keys(asked.value).length) return err({ kind: 'forbidden' });
  return ok(json(200, { meta: { updated } }));
}

type Settings = Readonly<Record<string, boolean>>;

/** `{"RESOURCE_PUBLISHING": true}`, also in the form it is read in. */
function parseSettings(body: unknown): Result<Settings, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: [expectedObject(kindOf(body))] });
  const { settings } = body;
  const members = Object.keys(body).length === 1 && isMembers(settings) ? settings : body;
  const wrong = Object.entries(members)
    .slice(0, 20)
    .flatMap(([name, value]): [string, string[]][] =>
      !NAMES.has(name)
        ? [[name.slice(0, 100), ['Unknown setting.']]]
        : typeof value !== 'boolean'
          ? [[name, ['Must be a valid boolean.']]]
          : [],
    );
  return wrong.length === 0 ? ok(members as Settings) : err(Object.fromEntries(wrong));
}

const SWITCHES: Readonly<Record<string, Schema>> = Object.fromEntries(SETTINGS.map((name) => [name, FLAG]));
