// Something to look at in a new portal: two layers, a raster, a map and a story, made through the portal's own API as its
// administrator. Made once per data folder, and only into an empty catalogue; one that was interrupted is completed at the next
// start.

import type { FastifyInstance } from 'fastify';
import type { CallerDb } from '../../auth/caller-db.ts';
import type { Observe } from '../../kernel/observation.ts';
import { FIRST_ADMIN } from '../../portal/accounts/first-admin.ts';
import { type AdminClient, adminClient } from './admin-client.ts';
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
  MAP_TITLE,
  STORY_TITLE,
} from './demo-content.ts';
import { citiesGeoJson, countriesGeoJson, distanceTiff } from './demo-data.ts';
import { type DemoPart, type DemoState, keepDemoState, readDemoState } from './demo-state.ts';

export type DemoParts = {
  readonly app: FastifyInstance;
  readonly db: CallerDb;
  readonly dataDir: string;
  readonly observe: Observe;
  /** Aborted: the program stops. */
  readonly signal: AbortSignal;
};

/** Never fails: a portal without a demo is still a portal. */
export async function makeDemo(parts: DemoParts): Promise<void> {
  const { app, db, dataDir, observe } = parts;
  const before = await readDemoState(dataDir);
  if (before?.done === true) return;
  const hands = await adminClient(app, db, Date.now());
  if (hands === undefined) return;
  try {
    // Who has something of his own needs no demo; one that was begun is brought to its end.
    if (before === undefined && !(await isEmpty(hands))) return;
    await fill(hands, parts, before ?? { parts: {}, done: false });
  } catch (error) {
    if (!parts.signal.aborted && error !== REMOVED)
      observe({ kind: 'job-failed', message: `demo content: ${reason(error)}` });
  } finally {
    await hands.done();
  }
}

/** Somebody removed the demo while it was being made. */
const REMOVED: unique symbol = Symbol('removed');

/** Each part is made unless there is one: on record, or made in the moment before the program was stopped. */
async function fill(hands: AdminClient, { dataDir, signal, observe }: DemoParts, before: DemoState): Promise<void> {
  let state = before;
  await keepDemoState(dataDir, state);
  const part = async (name: DemoPart, find: Find, make: () => Promise<number>): Promise<number> => {
    if (signal.aborted) throw new Error('the program stops');
    const known = state.parts[name];
    if (known !== undefined && (await isItem(hands, known))) return known;
    const id = (await findByTitle(hands, find)) ?? (await make());
    if ((await readDemoState(dataDir))?.done !== false) {
      await hands.ask('DELETE', `/api/v2/resources/${id}/`);
      throw REMOVED;
    }
    state = { ...state, parts: { ...state.parts, [name]: id } };
    await keepDemoState(dataDir, state);
    return id;
  };
  const layer = async (of: keyof typeof LAYERS, file: string, content: () => string | Buffer): Promise<number> => {
    const { title, abstract } = LAYERS[of];
    const id = await part(of, { collection: 'layers', title }, async () => {
      const upload =
        (await uploadUnderWay(hands, file)) ??
        (await hands.sendFile(file, content(), { layer_title: title, abstract }));
      return finished(hands, upload, signal);
    });
    await hands.ask('PATCH', `/api/v2/resources/${id}/`, description(of));
    return id;
  };
  const countries = await layer('countries', 'demo_countries.geojson', countriesGeoJson);
  await hands.ask('PUT', `/styles/${countries}/default.json`, COUNTRY_STYLE);
  const cities = await layer('cities', 'demo_cities.geojson', citiesGeoJson);
  await hands.ask('PUT', `/styles/${cities}/default.json`, CITY_STYLE);
  // A story without its raster is still one.
  const distance = await layer('distance', 'demo_distance.tif', distanceTiff).catch((error: unknown) => {
    if (signal.aborted || error === REMOVED) throw error;
    observe({ kind: 'job-failed', message: `demo raster: ${reason(error)}` });
    return undefined;
  });
  if (distance !== undefined) await hands.ask('PUT', `/styles/${distance}/default.json`, DISTANCE_STYLE);
  const layers: DemoLayers = { countries, cities, distance };
  const map = await part('map', { collection: 'maps', title: MAP_TITLE }, () => makeMap(hands, layers));
  await hands.ask('PATCH', `/api/v2/resources/${map}/`, { keywords: [DEMO_KEYWORD], featured: true });
  await part('story', { collection: 'geostories', title: STORY_TITLE }, async () => {
    const story = (await hands.ask('POST', '/api/v2/geostories/', demoStory(map, layers))) as {
      readonly geostory: { readonly pk: string };
    };
    return Number(story.geostory.pk);
  });
  await keepDemoState(dataDir, { ...state, done: true });
}

type Find = { readonly collection: 'layers' | 'maps' | 'geostories'; readonly title: string };

async function findByTitle(hands: AdminClient, { collection, title }: Find): Promise<number | undefined> {
  const found = (await hands.ask(
    'GET',
    `/api/v2/${collection}/?filter{title}=${encodeURIComponent(title)}&filter{owner.username}=${FIRST_ADMIN}&page_size=1`,
  )) as Readonly<Record<string, readonly { readonly pk: string }[] | undefined>>;
  const [item] = found[collection] ?? [];
  return item === undefined ? undefined : Number(item.pk);
}

async function isItem(hands: AdminClient, id: number): Promise<boolean> {
  const { total } = (await hands.ask('GET', `/api/v2/resources/?filter{pk}=${id}&page_size=1`)) as {
    readonly total: number;
  };
  return total === 1;
}

/** Imports go on after a start where they were stopped. */
async function uploadUnderWay(hands: AdminClient, file: string): Promise<number | undefined> {
  const name = file.replace(/\.\w+$/, '');
  const { uploads } = (await hands.ask(
    'GET',
    `/api/v2/uploads/?filter{name}=${name}&filter{-state.in}=PROCESSED&filter{-state.in}=INVALID&page_size=1`,
  )) as { readonly uploads: readonly { readonly id: number }[] };
  return uploads[0]?.id;
}

async function makeMap(hands: AdminClient, layers: DemoLayers): Promise<number> {
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
async function finished(hands: AdminClient, upload: number, signal: AbortSignal): Promise<number> {
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

async function isEmpty(hands: AdminClient): Promise<boolean> {
  const { total } = (await hands.ask('GET', '/api/v2/resources/?page_size=1')) as { readonly total: number };
  return total === 0;
}
