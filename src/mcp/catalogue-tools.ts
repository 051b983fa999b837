// The tools over a portal's catalogue, which are requests to its API and its map services.

import { createHash } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { writeExact } from '../kernel/exact-numbers.ts';
import type { Answered } from './asking.ts';
import {
  askedFields,
  type Found,
  type ItemRecord,
  itemById,
  layerNamed,
  plainRecord,
  sourceOfLayer,
} from './catalogue-records.ts';
import type { McpContext, PortalParts } from './mcp-context.ts';
import { pdfText } from './pdf-text.ts';
import { READS, tableFacts } from './row-tools.ts';
import { showRows } from './shorten.ts';
import { dataResult, refusal, refusalOf, type ToolResult } from './tool-result.ts';

const PAGE = 20;
const MAX_SIDE = 1600;
const MAX_DOCUMENT = 100_000;
const itemId = z.number().int().min(1).max(999_999_999);
const box = z.array(z.number()).length(4).describe('west, south, east, north in degrees');

export function addCatalogueTools(server: McpServer, context: McpContext, portal: PortalParts): void {
  addSearch(server, portal);
  addDescribe(server, context, portal);
  addPicture(server, portal);
  addDocumentText(server, portal);
  if (context.offersWriting) addCreateMap(server, portal);
  server.registerTool(
    'sign_in',
    {
      title: 'Sign in',
      description:
        'Says who is signed in. A visitor’s program is asked to let the person sign in, after which private items can be read.',
      inputSchema: z.strictObject({}),
      annotations: READS,
    },
    async () => ({ content: [{ type: 'text', text: `Signed in as ${context.caller}.` }] }),
  );
}

function addSearch(server: McpServer, portal: PortalParts): void {
  server.registerTool(
    'search_catalogue',
    {
      title: 'Search the catalogue',
      description:
        'Layers, tables, maps, documents, stories and apps that the caller may see, best match first. A layer’s name is the table that read_rows and aggregate take.',
      inputSchema: z.strictObject({
        words: z.string().max(200).optional().describe('Every word has to occur; everything without it'),
        type: z.enum(['layer', 'map', 'document', 'geostory', 'geoapp']).optional(),
        area: box.optional().describe('Only what touches it: west, south, east, north in degrees'),
        page: z.number().int().min(1).max(1000).optional(),
      }),
      annotations: READS,
    },
    async ({ words, type, area, page = 1 }) => {
      const pairs = askedFields('brief');
      pairs.set('page', String(page));
      pairs.set('page_size', String(PAGE));
      if (words !== undefined) pairs.set('search', words);
      if (type !== undefined) pairs.set('filter{resource_type}', type);
      if (area !== undefined) pairs.set('extent', area.join(','));
      // A layer alone has the name of its table.
      const collection = type === 'layer' ? 'layers' : 'resources';
      const answered = await portal.ask({ method: 'GET', path: `/api/v2/${collection}/?${pairs}` });
      if (answered.status !== 200 || !answered.isWhole) return refusalOf(answered);
      const found = JSON.parse(answered.body.toString('utf8')) as Readonly<Record<string, unknown>>;
      const items = (found[collection] as readonly ItemRecord[]).map(plainRecord);
      const total = Number(found['total']);
      const next = page * PAGE < total ? ` Next page: ${page + 1}.` : '';
      return dataResult(
        `${total} items.${next} Next: describe with the pk of one.`,
        showRows(JSON.stringify(items), false).text,
      );
    },
  );
}

function addDescribe(server: McpServer, context: McpContext, portal: PortalParts): void {
  server.registerTool(
    'describe',
    {
      title: 'Describe an item',
      description:
        'What the catalogue says of an item: description, owner, licence, area and time. Of a layer or table also its columns with types and comments, keys, related tables, the number of rows, and three rows as an example.',
      inputSchema: z.strictObject({
        item: itemId.optional().describe('pk of the item'),
        table: z.string().min(1).max(200).optional().describe('or the name of a layer’s table'),
      }),
      annotations: READS,
    },
    async ({ item: id, table }) => {
      if (id === undefined && table === undefined) return refusal('Name the item by its pk, or the table.');
      const found = await findItem(portal, id, table);
      if (found !== undefined && 'answered' in found) return refusalOf(found.answered);
      const item = found?.item;
      const name = item === undefined ? table : textOf(item['name']);
      const isTable = item === undefined || (isLayer(item) && (item['remote'] ?? undefined) === undefined);
      const facts = name !== undefined && isTable ? await tableFacts(context, name, undefined) : undefined;
      if (item === undefined && facts !== undefined && 'refused' in facts) return facts.refused;
      const described = {
        ...(item === undefined ? {} : plainRecord(item)),
        ...(facts !== undefined && 'value' in facts ? facts.value : {}),
      };
      const next =
        name === undefined || !isTable ? 'map_picture or document_text' : 'read_rows, aggregate or map_picture';
      return dataResult(`Next: ${next}.`, writeExact(described));
    },
  );
}

async function findItem(
  portal: PortalParts,
  id: number | undefined,
  table: string | undefined,
): Promise<Found | undefined> {
  if (id !== undefined) return itemById(portal, id);
  const layer = await layerNamed(portal, table ?? '');
  return layer === undefined ? undefined : itemById(portal, Number(layer['pk']));
}

function isLayer(item: ItemRecord): boolean {
  return item['resource_type'] === 'layer' || item['resource_type'] === 'dataset';
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

type Box = readonly [number, number, number, number];

/** Undefined: it has none. */
function extentOf(item: ItemRecord): Box | undefined {
  const { coords } = (item['extent'] ?? {}) as { readonly coords?: unknown };
  if (!Array.isArray(coords) || coords.length !== 4 || !coords.every((value) => typeof value === 'number'))
    return undefined;
  return coords as unknown as Box;
}

function addPicture(server: McpServer, portal: PortalParts): void {
  server.registerTool(
    'map_picture',
    {
      title: 'Look at a map',
      description: 'A picture (PNG) of a map, or of layers on top of each other, the first at the bottom.',
      inputSchema: z.strictObject({
        map: itemId.optional().describe('pk of a map'),
        layers: z.array(z.string().min(1).max(200)).min(1).max(20).optional().describe('or names of layers'),
        area: box.optional().describe('west, south, east, north in degrees; all of it without'),
        width: z.number().int().min(16).max(MAX_SIDE).optional().describe('in pixels, 800 without it'),
      }),
      annotations: READS,
    },
    async ({ map, layers, area, width = 800 }) => {
      const shown = map === undefined ? await layersShown(portal, layers ?? []) : await mapShown(portal, map);
      if ('refused' in shown) return shown.refused;
      const [west, south, east, north] = (area as Box | undefined) ?? grown(shown.extent);
      if (!(west < east && south < north))
        return refusal('The area has to be west, south, east, north, with west < east and south < north.');
      const height = Math.round(Math.min(MAX_SIDE, Math.max(width / 4, (width * (north - south)) / (east - west))));
      const pairs = new URLSearchParams({
        service: 'WMS',
        version: '1.1.1',
        request: 'GetMap',
        layers: shown.names.join(','),
        styles: '',
        srs: 'EPSG:4326',
        bbox: [west, south, east, north].join(','),
        width: String(width),
        height: String(height),
        format: 'image/png',
      });
      const answered = await portal.ask({ method: 'GET', path: `/wms?${pairs}` });
      if (answered.status !== 200 || !answered.isWhole || answered.headers['content-type'] !== 'image/png')
        return refusalOf(answered);
      const said = { layers: shown.names, area: [west, south, east, north], width, height, sources: shown.sources };
      return {
        content: [
          { type: 'image', data: answered.body.toString('base64'), mimeType: 'image/png' },
          { type: 'text', text: JSON.stringify(said) },
        ],
      };
    },
  );
}

type Shown = { readonly names: readonly string[]; readonly extent: Box; readonly sources: readonly unknown[] };
type OrRefused<T> = T | { readonly refused: ToolResult };

const WORLD: Box = [-180, -85, 180, 85];

/** Points alone have a box without a width. */
function grown([west, south, east, north]: Box): Box {
  const by = Math.max(east - west, north - south) * 0.02 || 0.01;
  return [west - by, south - by, east + by, north + by];
}

async function layersShown(portal: PortalParts, names: readonly string[]): Promise<OrRefused<Shown>> {
  if (names.length === 0) return { refused: refusal('Name a map by its pk, or layers.') };
  const found = await Promise.all(names.map((name) => layerNamed(portal, name)));
  const missing = names.filter((_name, at) => found[at] === undefined);
  if (missing.length > 0)
    return {
      refused: refusal(
        `There are no layers ${missing.join(', ')} that the caller may see. Find names with search_catalogue.`,
      ),
    };
  const layers = found.filter((layer) => layer !== undefined);
  return { names, extent: around(layers.map(extentOf)), sources: layers.map((layer) => sourceOfLayer(portal, layer)) };
}

function around(extents: readonly (Box | undefined)[]): Box {
  const known = extents.filter((extent) => extent !== undefined);
  if (known.length === 0) return WORLD;
  const side = (at: 0 | 1 | 2 | 3, pick: (...values: number[]) => number): number =>
    pick(...known.map((one) => one[at]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

async function mapShown(portal: PortalParts, map: number): Promise<OrRefused<Shown>> {
  const found = await itemById(portal, map);
  if ('answered' in found) return { refused: refusalOf(found.answered) };
  const rows = Array.isArray(found.item['maplayers']) ? (found.item['maplayers'] as readonly ItemRecord[]) : [];
  const names = rows
    .filter(({ visibility, local }) => visibility !== false && local !== false)
    .map(({ name }) => String(name))
    .slice(0, 20);
  if (names.length === 0)
    return { refused: refusal('This item has no layers of this portal that the caller may see.') };
  const { title, owner, detail_url: page } = found.item;
  return {
    names,
    extent: extentOf(found.item) ?? WORLD,
    sources: [{ title, owner: plainRecord({ owner })['owner'], page }],
  };
}

function addDocumentText(server: McpServer, portal: PortalParts): void {
  server.registerTool(
    'document_text',
    {
      title: 'Read a document',
      description:
        'The text of a document whose file is a PDF or text: plain text, Markdown, CSV, JSON, XML. Of other files, their address.',
      inputSchema: z.strictObject({ item: itemId.describe('pk of the document') }),
      annotations: READS,
    },
    async ({ item: id }) => {
      const found = await itemById(portal, id);
      if ('answered' in found) return refusalOf(found.answered);
      const { item } = found;
      if (item['resource_type'] !== 'document') return refusal('This is no document. Use describe.');
      const answered = await portal.ask({ method: 'GET', path: `/documents/${id}/download` });
      if (answered.status !== 200) return refusalOf(answered);
      const type = String(item['mime_type'] ?? '');
      const read = await textOfFile(type, answered);
      if (read === undefined)
        return refusal(
          `A file of type ${type || 'unknown'} is not text that can be read here. The person can open it: ${portal.address}/documents/${id}/download`,
        );
      const source = sourceOfLayer(portal, item);
      return dataResult(
        JSON.stringify({ source, ...(read.shown === undefined ? {} : { shown: read.shown }) }),
        read.text,
      );
    },
  );
}

const TEXTS = /^(?:text\/|application\/(?:json|geo\+json|xml|[a-z.]+\+xml|[a-z.]+\+json))/;

type FileText = {
  readonly text: string;
  /** Where it is not all of it: which part. */
  readonly shown?: string;
};

/** Undefined: there is none, or it is damaged. */
async function textOfFile(type: string, { body, isWhole }: Answered): Promise<FileText | undefined> {
  if (type === 'application/pdf') {
    // The list of its parts stands at the end of a PDF.
    const read = isWhole ? await pdfText(body, MAX_DOCUMENT) : undefined;
    // Scanned pages have none.
    if (read === undefined || read.text.trim() === '') return undefined;
    const isCut = read.pages < read.ofPages || read.text.length === MAX_DOCUMENT;
    return { text: read.text, ...(isCut ? { shown: `up to page ${read.pages} of ${read.ofPages}` } : {}) };
  }
  const text = TEXTS.test(type) ? textIn(body.subarray(0, MAX_DOCUMENT)) : undefined;
  if (text === undefined) return undefined;
  return { text, ...(body.length > MAX_DOCUMENT ? { shown: `the first ${MAX_DOCUMENT} bytes` } : {}) };
}

/** Undefined: its bytes are none of UTF-8. A character that the limit has cut is left out. */
function textIn(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function addCreateMap(server: McpServer, portal: PortalParts): void {
  server.registerTool(
    'create_map',
    {
      title: 'Make a map',
      description:
        'Saves a map of layers, which only its owner sees until they share it. The first call is a dry run that saves nothing: it answers what would be saved, and a confirm code. The same call with the code saves.',
      inputSchema: z.strictObject({
        title: z.string().min(1).max(255),
        abstract: z.string().max(2000).optional(),
        layers: z.array(z.string().min(1).max(200)).min(1).max(20).describe('Names of layers, the first at the bottom'),
        confirm: z.string().max(100).optional().describe('The code of the dry run, once the person has agreed'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    async ({ confirm, ...asked }) => {
      const shown = await layersShown(portal, asked.layers);
      if ('refused' in shown) return shown.refused;
      const code = createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 12);
      if (confirm !== undefined && confirm !== code)
        return refusal(
          'The confirm code is not of these arguments. Call without confirm first, and show the person what would be saved.',
        );
      const map = mapOf(asked, shown);
      const answered = await portal.ask({
        method: 'POST',
        path: '/api/v2/maps/',
        json: map,
        ...(confirm === undefined ? { headers: { prefer: 'tx=rollback' } } : {}),
      });
      if (answered.status !== 201 || !answered.isWhole) return refusalOf(answered);
      if (confirm === undefined)
        return dataResult(
          `Dry run: nothing was saved. Show this to the person. If they agree, call again with confirm: "${code}".`,
          JSON.stringify(map, undefined, 1),
        );
      const { map: saved } = JSON.parse(answered.body.toString('utf8')) as { readonly map?: ItemRecord };
      return {
        content: [{ type: 'text', text: `Saved as item ${String(saved?.['pk'])}: ${String(saved?.['detail_url'])}` }],
      };
    },
  );
}

function mapOf(
  { title, abstract }: { readonly title: string; readonly abstract?: string | undefined },
  { names, extent: [west, south, east, north] }: Shown,
): Record<string, unknown> {
  const zoom = Math.max(0, Math.min(20, Math.floor(Math.log2(360 / Math.max(east - west, north - south, 0.0005)))));
  const center = { x: (west + east) / 2, y: (south + north) / 2, crs: 'EPSG:4326' };
  const layers = names.map((name, at) => ({ id: String(at + 1), type: 'wms', name, visibility: true }));
  return {
    title,
    ...(abstract === undefined ? {} : { abstract }),
    data: { map: { center, zoom, projection: 'EPSG:900913', layers } },
    permissions: { users: {}, groups: {} },
  };
}
