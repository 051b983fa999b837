// The packaged map of the world besides land and countries: rivers, lakes, borders of states, names of countries, and cities, from one file
// that `scripts/basemap-data.mjs` makes. Read once, in slices. Natural Earth (public domain) and GeoNames (CC BY 4.0).

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Box } from '../../geo/projection.ts';
import { inSlices, type Stage } from '../../kernel/in-slices.ts';
import { toMetres } from './web-metres.ts';

/** In metres of a web map, by twos. */
type WorldLine = { readonly points: Float64Array; readonly box: Box };

type CountryName = {
  readonly name: string;
  readonly german: string;
  readonly at: readonly [number, number];
  /** In square degrees. */
  readonly size: number;
};

type WorldPlace = {
  readonly name: string;
  /** The same where the language has no other name. */
  readonly german: string;
  readonly english: string;
  readonly french: string;
  readonly spanish: string;
  /** What it is called elsewhere, between bars: apart they would take ten times the memory, and only the search wants them. */
  readonly others: string;
  /** Two letters. */
  readonly country: string;
  readonly lon: number;
  readonly lat: number;
  readonly people: number;
  readonly isCapital: boolean;
};

export type WorldData = {
  readonly rivers: readonly WorldLine[];
  /** Rings, the outer one first. */
  readonly lakes: readonly (readonly WorldLine[])[];
  readonly states: readonly WorldLine[];
  readonly countries: readonly CountryName[];
  /** The largest first. */
  readonly places: readonly WorldPlace[];
};

type Written = {
  readonly rivers: readonly (readonly number[])[];
  readonly lakes: readonly (readonly (readonly number[])[])[];
  readonly states: readonly (readonly number[])[];
  readonly countries: readonly (readonly [string, string, number, number, number])[];
  readonly places: readonly (readonly [
    name: string,
    german: string,
    country: string,
    x: number,
    y: number,
    people: number,
    isCapital: number,
    english?: string,
    french?: string,
    spanish?: string,
    others?: string,
  ])[];
};

const unpack = promisify(gunzip);
let known: Promise<WorldData> | undefined;

export function loadWorldData(): Promise<WorldData> {
  known ??= read();
  known.catch(() => {
    known = undefined;
  });
  return known;
}

async function read(): Promise<WorldData> {
  const bytes = await unpack(await readFile(new URL('./world-data.json.gz', import.meta.url)));
  return inSlices(parse(JSON.parse(bytes.toString('utf8')) as Written));
}

function* parse(written: Written): Stage<WorldData> {
  const rivers: WorldLine[] = [];
  for (const line of written.rivers) {
    rivers.push(lineOf(line));
    yield;
  }
  const states: WorldLine[] = [];
  for (const line of written.states) {
    states.push(lineOf(line));
    yield;
  }
  const lakes = written.lakes.map((rings) => rings.map(lineOf));
  yield;
  const countries = written.countries.map(
    ([name, german, x, y, size]): CountryName => ({
      name,
      german: german || name,
      at: toMetres(x / 1000, y / 1000),
      size,
    }),
  );
  const places: WorldPlace[] = [];
  for (const [name, german, country, x, y, people, isCapital, english, french, spanish, others] of written.places) {
    places.push({
      name,
      german: german || name,
      english: english || name,
      french: french || name,
      spanish: spanish || name,
      others: others ?? '',
      country,
      lon: x / 1000,
      lat: y / 1000,
      people,
      isCapital: isCapital === 1,
    });
    if ((places.length & 255) === 0) yield;
  }
  return { rivers, lakes, states, countries, places };
}

/** Thousandths of a degree, each as the difference to the one before. */
function lineOf(deltas: readonly number[]): WorldLine {
  const points = new Float64Array(deltas.length);
  let [x, y] = [0, 0];
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < deltas.length; i += 2) {
    x += deltas[i] ?? 0;
    y += deltas[i + 1] ?? 0;
    const [px, py] = toMetres(x / 1000, y / 1000);
    points[i] = px;
    points[i + 1] = py;
    box[0] = Math.min(box[0], px);
    box[1] = Math.min(box[1], py);
    box[2] = Math.max(box[2], px);
    box[3] = Math.max(box[3], py);
  }
  return { points, box };
}
