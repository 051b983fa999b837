// /api/v2/basemaps/: what maps can be drawn on, besides the packaged map of the world. The settings of the program name some; administrators switch on
// others, and those off again.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { BasemapSetting, ListBasemaps } from '../../layer-ports/basemap.ts';
import type { Statement } from '../../pg/driver.ts';
import { mayBeCommitted } from '../../pg/may-be-committed.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, body, FLAG, INTEGER, orNull, record, reference, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { leaveUnread } from '../files/leave-unread.ts';
import { isMultipart } from '../files/multipart.ts';
import { type Answer, asAccountRoute, asRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { bodyOf } from '../operations/register-collection.ts';
import { spaceFor } from '../operations/space-for.ts';
import { expectedObject, isMembers, kindOf } from '../operations/write/body-forms.ts';
import type { PortalContext } from '../portal-context.ts';
import { type BasemapCell, MAX_STORED } from './follow-basemaps.ts';
import { parseBasemap } from './parse-basemap.ts';
import { PRESETS } from './presets.ts';
import { type ArchiveUploads, receiveArchive } from './upload-archive.ts';

export type BasemapParts = {
  readonly list: ListBasemaps;
  readonly cell: BasemapCell;
  /** Those of the settings, which nobody switches off here. */
  readonly settings: readonly BasemapSetting[];
  /** Sites that browsers ask for them. */
  readonly sites: () => readonly string[];
  /** Undefined: none are taken here. */
  readonly uploads?: ArchiveUploads;
};

const LIST = '/api/v2/basemaps';
const ONE = `${LIST}/:id`;

export function registerBasemapPaths(app: FastifyInstance, portal: PortalContext, parts: BasemapParts): void {
  const { list, cell, settings, uploads } = parts;
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
  const add = async (
    exchange: Exchange,
    id: string,
    definition: Readonly<Record<string, unknown>>,
  ): Promise<Result<Answer, PortalError>> => {
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
    if (added.value === 0) return invalid(`There are ${MAX_STORED} already: remove one first.`);
    return ok(json(201, { basemap: { id } }));
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
      return add(exchange, id, definition);
    }),
  );
  app.patch(
    ONE,
    described({
      id: 'basemaps_change',
      tag: 'settings',
      summary: {
        en: 'Make a basemap the one that is shown unless another is chosen, or no longer; switch an uploaded archive off and on; for administrators',
        de: 'Eine Hintergrundkarte zu der machen, die ohne Auswahl gezeigt wird, oder nicht mehr; ein hochgeladenes Archiv aus- und einschalten; für Administratoren',
      },
      parameters: [ID],
      body: body({ default: FLAG, on: { ...FLAG, description: 'Of an uploaded archive.' } }, []),
      examples: { usual: { default: true } },
      answers: { 200: reference('Updated') },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(portal, async (exchange) => {
      const sent = await bodyOf(exchange);
      if (!sent.ok) return sent;
      const [[member, value] = [], ...others] = Object.entries(isMembers(sent.value) ? sent.value : {});
      if ((member !== 'default' && member !== 'on') || typeof value !== 'boolean' || others.length > 0)
        return err({
          kind: 'invalid-fields',
          fields: { non_field_errors: ['default or on is wanted, true or false, and nothing else.'] },
        });
      const changed = await change(exchange, [
        ...(member === 'default' && value ? [NO_DEFAULT] : []),
        { text: CHANGES[member], params: [idOf(exchange), String(value)] },
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
        en: 'Switch a basemap off, and remove its file if it was uploaded; for administrators. Maps that were saved with it are drawn on the packaged map',
        de: 'Eine Hintergrundkarte ausschalten und ihre Datei entfernen, falls sie hochgeladen wurde; für Administratoren. Karten, die mit ihr gespeichert sind, zeigen die mitgelieferte Weltkarte',
      },
      parameters: [ID],
      answers: { 204: undefined },
      refusals: [400, 401, 403, 404],
    }),
    asAccountRoute(portal, async (exchange): Promise<Result<Answer, PortalError>> => {
      const executed = await portal.db.write(exchange.caller, exchange.info, [
        { text: `delete from portal.basemap where id = $1 returning definition ->> 'key'`, params: [idOf(exchange)] },
      ]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      await cell.refresh();
      const [row] = executed.value[0]?.rows ?? [];
      const key = row?.[0]?.toString();
      // What cannot be removed now is found by the next sweep.
      if (key !== undefined) await uploads?.blobs.remove(key);
      return row === undefined ? err({ kind: 'not-found' }) : ok({ status: 204 });
    }),
  );
  if (uploads !== undefined) registerArchives(app, portal, uploads, add);
}

/** Archives that were uploaded, and their way here. */
function registerArchives(
  app: FastifyInstance,
  portal: PortalContext,
  uploads: ArchiveUploads,
  add: (
    exchange: Exchange,
    id: string,
    definition: Readonly<Record<string, unknown>>,
  ) => Promise<Result<Answer, PortalError>>,
): void {
  const { db } = portal;
  app.get(
    ARCHIVES,
    described({
      id: 'basemaps_archives',
      tag: 'settings',
      summary: {
        en: 'Uploaded archives, also those that are switched off; for administrators',
        de: 'Hochgeladene Archive, auch ausgeschaltete; für Administratoren',
      },
      answers: { 200: record({ archives: arrayOf(ARCHIVE) }) },
      refusals: [401, 403],
    }),
    asAccountRoute(portal, async ({ caller, info }) => {
      const executed = await db.read(caller, info, [ADMIN, { text: LISTED, params: [] }]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      const [asked, found] = executed.value;
      if (cellOf(asked)?.toString() !== 't') return err({ kind: 'forbidden' });
      return ok({ status: 200, body: cellOf(found) ?? '{}' });
    }),
  );
  void app.register(async (scope) => {
    if (scope.hasContentTypeParser('multipart/form-data')) scope.removeContentTypeParser('multipart/form-data');
    // Read here, where it is known who sends it.
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
    scope.post(
      ARCHIVES,
      described({
        id: 'basemaps_upload',
        tag: 'settings',
        summary: {
          en: 'Upload a PMTiles archive and switch it on; for administrators',
          de: 'Ein PMTiles-Archiv hochladen und einschalten; für Administratoren',
        },
        sent: { isRequired: true, content: { 'multipart/form-data': { schema: SENT } } },
        answers: { 201: record({ basemap: record({ id: TEXT }) }) },
        refusals: [400, 401, 403],
      }),
      asAccountRoute(portal, async (exchange) => {
        const { request, caller, info } = exchange;
        const asked = await db.read(caller, info, [ADMIN, spaceFor(request)]);
        const isAdmin = asked.ok && cellOf(asked.value[0])?.toString() === 't';
        const isTooLarge = Number(request.headers['content-length'] ?? 0) > uploads.maxBytes + MAX_FORM_BYTES;
        if (!isAdmin || isTooLarge || !isMultipart(request)) {
          leaveUnread(request);
          if (!asked.ok) return err({ kind: 'database', error: asked.error });
          if (!isAdmin) return err({ kind: 'forbidden' });
          if (isTooLarge) return err({ kind: 'too-large', limit: uploads.maxBytes });
          return invalid('A multipart form with a file is wanted.');
        }
        const sent = await receiveArchive(uploads, exchange);
        if (!sent.ok) return sent;
        const { key, bytes, fields } = sent.value;
        const added = await addArchive(fields, key, bytes, (id, definition) => add(exchange, id, definition));
        if (!added.ok && !mayBeCommitted(added.error)) await uploads.blobs.remove(key);
        return added;
      }),
    );
  });
}

async function addArchive(
  fields: Readonly<Record<string, string>>,
  key: string,
  bytes: number,
  add: (id: string, definition: Readonly<Record<string, unknown>>) => Promise<Result<Answer, PortalError>>,
): Promise<Result<Answer, PortalError>> {
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return invalid(`“${unknown.slice(0, 100)}” is not known here.`);
  const { id, title, attribution = '', attribution_url: page = '' } = fields;
  // Whose tiles they are stands on every map; the files of others are nobody's to show without.
  if (attribution.trim() === '')
    return err({ kind: 'invalid-fields', fields: { attribution: ['This field is required.'] } });
  const named = { ...(title === undefined ? {} : { title }), ...(page === '' ? {} : { attribution_url: page }) };
  const definition = { ...named, type: 'pmtiles', key, attribution };
  const parsed = parseBasemap({ ...definition, id });
  if (!parsed.ok) return invalid(`The basemap is refused: ${parsed.error}.`);
  return add(parsed.value.id, { ...definition, bytes });
}

const FIELDS: readonly string[] = ['id', 'title', 'attribution', 'attribution_url'];
/** Of all fields beside the file. */
const MAX_FORM_BYTES = 1024 * 1024;
const ARCHIVES = `${LIST}/archives`;
const ADMIN: Statement = { name: 'portal_is_admin', text: 'select portal.is_admin()', params: [] };
const LISTED = `select json_build_object('archives', coalesce(json_agg(json_build_object(
    'id', b.id, 'title', coalesce(b.definition ->> 'title', b.id), 'attribution', b.definition ->> 'attribution',
    'bytes', (b.definition ->> 'bytes')::bigint, 'on', b.definition ->> 'off' is distinct from 'true') order by b.added, b.id), '[]'))
  from portal.basemap b where b.definition ? 'key'`;

/** What is switched off is nobody's usual one. */
const CHANGES = {
  default: `update portal.basemap set definition = definition || jsonb_build_object('default', $2::boolean)
             where id = $1 and definition ->> 'off' is distinct from 'true' returning 1`,
  on: `update portal.basemap set definition = case when $2::boolean then definition - 'off' else (definition - 'default') || '{"off": true}' end
        where id = $1 and definition ? 'key' returning 1`,
} as const;

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

const ARCHIVE: Schema = record({
  id: TEXT,
  title: TEXT,
  attribution: TEXT,
  bytes: INTEGER,
  on: { ...FLAG, description: 'It can be chosen for maps.' },
});

const SENT: Schema = body(
  {
    file: { type: 'string', format: 'binary', description: 'A PMTiles archive, version 3.' },
    id: { ...TEXT, description: '1 to 40 lower-case letters, digits and hyphens.' },
    title: TEXT,
    attribution: { ...TEXT, description: 'Whose data it is, and under which licence: shown on every map.' },
    attribution_url: TEXT,
  },
  ['file', 'id', 'attribution'],
);

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
