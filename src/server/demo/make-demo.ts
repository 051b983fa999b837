// Something to look at in a new portal: two layers, a raster, a map and a story, made through the portal's own API as its
// administrator. Made once per data folder, and only into an empty catalogue.

import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { CallerDb } from '../../auth/caller-db.ts';
import type { Observe } from '../../kernel/observation.ts';
import { type AdminHands, adminHands } from './admin-hands.ts';
import {
  CITY_STYLE,
  COUNTRY_STYLE,
  DEMO_KEYWORD,
  type DemoLayers,
  DISTANCE_STYLE,
  demoMap,
  demoStory,
  description,
  LAYERS,
} from './demo-content.ts';
import { citiesGeoJson, countriesGeoJson, distanceTiff } from './demo-data.ts';

export type DemoParts = {
  readonly app: FastifyInstance;
  readonly db: CallerDb;
  readonly dataDir: string;
  readonly observe: Observe;
  /** Aborted: the program stops. */
  readonly signal: AbortSignal;
};

const FILE = 'demo.json';

/** Ids of the items of the demo; empty: there is none. */
export async function demoItems(dataDir: string): Promise<readonly number[]> {
  try {
    const { items } = JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as { readonly items?: unknown };
    return Array.isArray(items) ? items.filter((item) => Number.isInteger(item)) : [];
  } catch {
    return [];
  }
}

export async function keepDemoItems(dataDir: string, items: readonly number[]): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, FILE), `${JSON.stringify({ items })}\n`);
}

/** Never fails: a portal without a demo is still a portal. */
export async function makeDemo(parts: DemoParts): Promise<void> {
  const { app, db, dataDir, observe } = parts;
  if (await isThere(join(dataDir, FILE))) return;
  const hands = await adminHands(app, db, Date.now());
  if (hands === undefined) return;
  try {
    if (!(await isEmpty(hands))) return;
    await fill(hands, parts);
  } catch (error) {
    if (!parts.signal.aborted) observe({ kind: 'job-failed', message: `demo content: ${reason(error)}` });
  } finally {
    await hands.done();
  }
}

async function fill(hands: AdminHands, { dataDir, signal, observe }: DemoParts): Promise<void> {
  const items: number[] = [];
  const keep = async (id: number): Promise<number> => {
    items.push(id);
    await keepDemoItems(dataDir, items);
    return id;
  };
  const layer = async (of: keyof typeof LAYERS, file: string, content: string | Buffer): Promise<number> => {
    const { title, abstract } = LAYERS[of];
    const upload = await hands.sendFile(file, content, { layer_title: title, abstract });
    const id = await keep(await finished(hands, upload, signal));
    await hands.ask('PATCH', `/api/v2/resources/${id}/`, description(of));
    return id;
  };
  const countries = await layer('countries', 'demo_countries.geojson', countriesGeoJson());
  await hands.ask('PUT', `/styles/${countries}/default.json`, COUNTRY_STYLE);
  const cities = await layer('cities', 'demo_cities.geojson', citiesGeoJson());
  await hands.ask('PUT', `/styles/${cities}/default.json`, CITY_STYLE);
  // A story without its raster is still one.
  const distance = await layer('distance', 'demo_distance.tif', distanceTiff()).catch((error: unknown) => {
    if (!signal.aborted) observe({ kind: 'job-failed', message: `demo raster: ${reason(error)}` });
    return undefined;
  });
  if (distance !== undefined) await hands.ask('PUT', `/styles/${distance}/default.json`, DISTANCE_STYLE);
  const layers: DemoLayers = { countries, cities, distance };
  const map = await keep(await makeMap(hands, layers));
  await hands.ask('PATCH', `/api/v2/resources/${map}/`, { keywords: [DEMO_KEYWORD], featured: true });
  const story = (await hands.ask('POST', '/api/v2/geostories/', demoStory(map, layers))) as {
    readonly geostory: { readonly pk: string };
  };
  await keep(Number(story.geostory.pk));
}

async function makeMap(hands: AdminHands, layers: DemoLayers): Promise<number> {
  const names: { name: string; title: string }[] = [];
  for (const id of [layers.countries, layers.cities]) {
    const { layer } = (await hands.ask('GET', `/api/v2/layers/${id}/`)) as {
      readonly layer: { readonly alternate: string; readonly title: string };
    };
    names.push({ name: layer.alternate, title: layer.title });
  }
  const made = (await hands.ask('POST', '/mapviewer/rest/resources/?full=true', demoMap(names))) as {
    readonly id: number;
  };
  return made.id;
}

const POLL_MS = 250;
const MAX_POLLS = 1200;

/** The layer that an upload became. */
async function finished(hands: AdminHands, upload: number, signal: AbortSignal): Promise<number> {
  for (let turn = 0; turn < MAX_POLLS; turn += 1) {
    if (signal.aborted) throw new Error('the program stops');
    const { upload: now } = (await hands.ask('GET', `/api/v2/uploads/${upload}/?full=true`)) as {
      readonly upload: {
        readonly state: string;
        readonly layer: { readonly pk: string } | null;
        readonly session: { readonly error_msg?: string | null };
      };
    };
    if (now.state === 'PROCESSED' && now.layer !== null) return Number(now.layer.pk);
    if (now.state === 'INVALID') throw new Error(now.session.error_msg ?? 'an import failed');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('an import did not end');
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function isEmpty(hands: AdminHands): Promise<boolean> {
  const { total } = (await hands.ask('GET', '/api/v2/resources/?page_size=1')) as { readonly total: number };
  return total === 0;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
