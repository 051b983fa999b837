// How far the demo of a data folder is: which of its items there are, and whether it was made to its end or taken away. Kept as
// `demo.json` in the folder, written whole or not at all.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const DEMO_PARTS = ['countries', 'cities', 'distance', 'map', 'story'] as const;
export type DemoPart = (typeof DEMO_PARTS)[number];

export type DemoState = {
  /** Ids of the items that were made so far. */
  readonly parts: Readonly<Partial<Record<DemoPart, number>>>;
  /** Nothing more is to be made: all of it is there, or it was removed. */
  readonly done: boolean;
};

const FILE = 'demo.json';
const REMOVED: DemoState = { parts: {}, done: true };

/** Undefined: no demo was ever begun here. */
export async function readDemoState(dataDir: string): Promise<DemoState | undefined> {
  let text: string;
  try {
    text = await readFile(join(dataDir, FILE), 'utf8');
  } catch {
    return undefined;
  }
  return parseDemoState(text);
}

/** What cannot be read counts as done: nobody wants a second demo. */
export function parseDemoState(text: string): DemoState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return REMOVED;
  }
  if (typeof value !== 'object' || value === null) return REMOVED;
  const { parts, done } = value as { readonly parts?: unknown; readonly done?: unknown };
  const given = typeof parts === 'object' && parts !== null ? (parts as Readonly<Record<string, unknown>>) : {};
  const known = DEMO_PARTS.flatMap((part) => {
    const id = Object.hasOwn(given, part) ? given[part] : undefined;
    return typeof id === 'number' && Number.isInteger(id) && id > 0 ? [[part, id] as const] : [];
  });
  return { parts: Object.fromEntries(known), done: done !== false };
}

export async function keepDemoState(dataDir: string, state: DemoState): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, FILE);
  await writeFile(`${path}.new`, `${JSON.stringify(state)}\n`);
  await rename(`${path}.new`, path);
}

export async function keepDemoRemoved(dataDir: string): Promise<void> {
  await keepDemoState(dataDir, REMOVED);
}

/** Ids of the items of the demo; empty: there is none. */
export async function demoItems(dataDir: string): Promise<readonly number[]> {
  return Object.values((await readDemoState(dataDir))?.parts ?? {});
}
