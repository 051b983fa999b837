// /api/v2/basemaps/: what maps can be drawn on, besides the packaged map of the world. The settings of the program name some; administrators switch on
// others, and those off again.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { BasemapSetting, ListBasemaps } from '../../layer-ports/basemap.ts';
import type { Statement } from '../../pg/driver.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, FLAG, INTEGER, orNull, record, reference, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Answer, asAccountRoute, asRoute, type Exchange, json } from '../operations/exchange.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import type { PortalContext } from '../portal-context.ts';
import { type BasemapCell, MAX_STORED } from './follow-basemaps.ts';
import { parseBasemap } from './parse-basemap.ts';
import { PRESETS } from './presets.ts';

export type BasemapParts = {
  readonly list: ListBasemaps;
  readonly cell: BasemapCell;
  /** Those of the settings, which nobody switches off here. */
  readonly settings: readonly BasemapSetting[];
  /** Sites that browsers ask for them. */
  readonly sites: () => readonly string[];
};

const LIST = '/api/v2/basemaps';
const ONE = `${LIST}/:id`;

export function registerBasemapPaths(app: FastifyInstance, portal: PortalContext, parts: BasemapParts): void {
  const { list, cell, settings } = parts;
  const isSetting = (id: string): boolean => settings.some((one) => one.id === id);

  app.get(
    LIST,
    described({
      id: 'basemaps_list',
      tag: 'settings',
      summary: {
        en: 'What maps can be drawn on, besides the packaged map of the world',
        de: 'Worauf Karten gezeichnet werden können, außer der mitgelieferten Weltkarte',
      },
      answers: {
        200: record({
          default: { ...orNull(TEXT), description: 'An id; null: the packaged map of the world.' },
          basemaps: arrayOf({ oneOf: [STYLE, RASTER] }),
          unreadable: { ...arrayOf(UNREADABLE), description: 'Archives of which nothing can be drawn now.' },
        }),
      },
    }),
    asRoute(portal, async ({ request }) => {
      const { defaultId, basemaps, unreadable } = await list(portal.baseUrl(request));
      const shown = <T extends { readonly id: string }>(ones: readonly T[]) =>
        ones.map((one) => ({ ...one, is_setting: isSetting(one.id) }));
      return ok(json(200, { default: defaultId ?? null, basemaps: shown(basemaps), unreadable: shown(unreadable) }));
    }),
  );
  app.get(
    `${LIST}/presets`,
    described({
      id: 'basemaps_presets',
      tag: 'settings',
      summary: {
        en: 'Basemaps that need no key, for an administrator to switch on',
        de: 'Hintergrundkarten ohne Schlüssel, die Administratoren einschalten können',
      },
      answers: { 200: record({ presets: arrayOf(PRESET) }) },
    }),
    asRoute(portal, async () => ok(json(200, { presets: PRESETS }))),
  );

  /** The database says whether the caller may; who is no administrator changes no row. */
  const change = async (exchange: Exchange, statements: readonly Statement[]): Promise<Result<number, PortalError>> => {
    const executed = await portal.db.write(exchange.caller, exchange.info, statements);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    await cell.refresh();
    return ok(executed.value.at(-1)?.rows.length ?? 0);
  };
  app.post(
    LIST,
    described({
      id: 'basemaps_create',
      tag: 'settings',
      summary: {
        en: 'Switch on a basemap; for administrators. Members are those of the setting `basemaps`; archives (pmtiles) are named by `url`',
        de: 'Eine Hintergrundkarte einschalten; für Administratoren. Angaben wie in der Einstellung `basemaps`; Archive (pmtiles) mit `url`',
      },
      body: { ...record({ id: TEXT, type: TYPE, url: { oneOf: [TEXT, arrayOf(TEXT)] } }), additionalProperties: true },
      examples: { streets: { id: 'openstreetmap', ...PRESETS.find(({ id }) => id === 'openstreetmap')?.definition } },
      answers: { 201: record({ basemap: record({ id: TEXT }) }) },
      refusals: [400, 401, 403],
    }),
    asAccountRoute(portal, async (exchange) => {
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const asked = parseAsked(body.value);
      if (!asked.ok) return asked;
      const { id, definition } = asked.value;
      const taken = err({ kind: 'invalid-fields', fields: { id: [`There is a basemap ${id} already.`] } } as const);
      if (isSetting(id)) return taken;
      const added = await change(exchange, [
        ...(definition['default'] === true ? [NO_DEFAULT] : []),
        {
          text: `insert into portal.basemap (id, definition)
                 select $1, $2::jsonb where (select count(*) from portal.basemap) < ${MAX_STORED} returning 1`,
          params: [id, JSON.stringify(definition)],
        },
      ]);
      if (!added.ok) return isTaken(added.error) ? taken : added;
      if (added.value === 0) return invalid(`There are ${MAX_STORED} already: switch one off first.`);
      return ok(json(201, { basemap: { id } }));
    }),
  );
  app.patch(
    ONE,
    described({
      id: 'basemaps_change',
      tag: 'settings',
      summary: {
        en: 'Make a basemap the one that is shown unless another is chosen, or no longer; for administrators',
        de: 'Eine Hintergrundkarte zu der machen, die ohne Auswahl gezeigt wird, oder nicht mehr; für Administratoren',
      },
      parameters: [ID],
      body: record({ default: FLAG }),
      examples: { usual: { default: true } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(portal, async (exchange) => {
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const { default: isDefault, ...others } = isMembers(body.value) ? body.value : {};
      if (typeof isDefault !== 'boolean' || Object.keys(others).length > 0)
        return err({ kind: 'invalid-fields', fields: { default: ['true or false is wanted, and nothing else.'] } });
      const changed = await change(exchange, [
        ...(isDefault ? [NO_DEFAULT] : []),
        {
          text: `update portal.basemap set definition = definition || jsonb_build_object('default', $2::boolean) where id = $1 returning 1`,
          params: [idOf(exchange), String(isDefault)],
        },
      ]);
      if (!changed.ok) return changed;
      return changed.value === 0 ? err({ kind: 'not-found' }) : ok(json(200, { meta: { updated: 1 } }));
    }),
  );
  app.delete(
    ONE,
    described({
      id: 'basemaps_delete',
      tag: 'settings',
      summary: {
        en: 'Switch a basemap off; for administrators. Maps that were saved with it are drawn on the packaged map',
        de: 'Eine Hintergrundkarte ausschalten; für Administratoren. Karten, die mit ihr gespeichert sind, zeigen die mitgelieferte Weltkarte',
      },
      parameters: [ID],
      answers: { 204: undefined },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(portal, async (exchange): Promise<Result<Answer, PortalError>> => {
      const gone = await change(exchange, [
        { text: 'delete from portal.basemap where id = $1 returning 1', params: [idOf(exchange)] },
      ]);
      if (!gone.ok) return gone;
      return gone.value === 0 ? err({ kind: 'not-found' }) : ok({ status: 204 });
    }),
  );
}

/** Before another one is; one statement after the other, in one transaction. */
const NO_DEFAULT: Statement = {
  text: `update portal.basemap set definition = definition - 'default' where definition ->> 'default' = 'true'`,
  params: [],
};

function idOf({ request }: Exchange): string {
  return (request.params as { readonly id?: string }).id ?? '';
}

type Asked = { readonly id: string; readonly definition: Readonly<Record<string, unknown>> };

function parseAsked(body: unknown): Result<Asked, PortalError> {
  if (!isMembers(body)) return invalid(expectedObject(kindOf(body)));
  const parsed = parseBasemap(body);
  if (!parsed.ok) return invalid(`The basemap is refused: ${parsed.error}.`);
  // Files of the machine, and of the store, are the operator's to name.
  if (parsed.value.type === 'pmtiles' && parsed.value.place.kind !== 'web')
    return invalid('Name the archive by its url; path and key are for the setting basemaps alone.');
  const { id, ...definition } = body;
  return ok({ id: parsed.value.id, definition });
}

function invalid(said: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { non_field_errors: [said] } });
}

function isTaken(error: PortalError): boolean {
  return error.kind === 'database' && error.error.kind === 'sql' && error.error.sqlstate === '23505';
}

const ID = { name: 'id', in: 'path', schema: TEXT } as const;
const TYPE: Schema = { type: 'string', enum: ['style', 'xyz', 'wmts', 'wms', 'pmtiles'] };

const IS_SETTING: Schema = {
  ...FLAG,
  description: 'The settings of the program name it; administrators cannot switch it off here.',
};

const UNREADABLE: Schema = record({ id: TEXT, title: TEXT, reason: TEXT, is_setting: IS_SETTING });

const NAMED: Readonly<Record<string, Schema>> = {
  id: TEXT,
  title: TEXT,
  attribution: { type: 'string', description: 'Plain text; empty where nothing has to be said.' },
  attribution_url: orNull(TEXT),
  sites: { ...arrayOf(TEXT), description: 'What browsers ask for it, besides the portal.' },
  is_setting: IS_SETTING,
};

const STYLE: Schema = record({
  ...NAMED,
  kind: { type: 'string', enum: ['style'] },
  style: { type: 'string', description: 'Address of a MapLibre style.' },
  dark_style: { ...orNull(TEXT), description: 'The same for dark pages.' },
});

const RASTER: Schema = record({
  ...NAMED,
  kind: { type: 'string', enum: ['raster'] },
  tiles: { ...arrayOf(TEXT), description: 'Addresses with {z}, {x} and {y}, or {bbox-epsg-3857}.' },
  tile_size: INTEGER,
  minzoom: INTEGER,
  maxzoom: INTEGER,
  bounds: { ...orNull(arrayOf({ type: 'number' })), minItems: 4, maxItems: 4 },
});

const PRESET: Schema = record({
  id: TEXT,
  title: TEXT,
  licence: TEXT,
  licence_url: TEXT,
  terms_url: { type: 'string', description: 'What those who serve it expect of others.' },
  definition: {
    ...record({ title: TEXT, type: TYPE, url: TEXT, attribution: TEXT, attribution_url: TEXT }),
    additionalProperties: true,
  },
});
