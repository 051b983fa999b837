// Features as texts: GeoJSON, CSV and KML, made as the rows come. Pure.

import { CRS84 } from '../../geo/crs.ts';
import { type FeatureQuery, headingOf } from '../query/feature-query.ts';
import { csvSelect, jsonSelect, kmlSelect, placedJsonSelect, rowJsonSelect } from '../query/row-selects.ts';
import { escapeXml } from '../xml-text.ts';
import type { CopyStream, RowStream } from './row-stream.ts';

/** From here on are systems that came with somebody's data and are in no register. */
const FIRST_OWN_SRID = 960_000;

/** In another system than that of all the world it is named, as clients of WFS expect it. `matched`: how many there are, page or not. */
export function geojsonRows(query: FeatureQuery, matched?: number): RowStream {
  const comma = Buffer.from(',\n');
  // `totalFeatures` is the older name, which clients of GeoServer read.
  const total = matched === undefined ? '' : `"totalFeatures":${matched},"numberMatched":${matched},`;
  let count = 0;
  const { srid, uri } = query.crs;
  const name = srid < FIRST_OWN_SRID ? `urn:ogc:def:crs:EPSG::${srid}` : `SURVEST:${srid}`;
  const crs = uri === CRS84 ? '' : `"crs":{"type":"name","properties":{"name":"${name}"}},`;
  return {
    query,
    select: jsonSelect,
    head: `{"type":"FeatureCollection","name":${JSON.stringify(query.layer.name)},${crs}"features":[\n`,
    row: ([feature], index) => {
      count += 1;
      const bytes = feature ?? Buffer.from('null');
      return index === 0 ? bytes : [comma, bytes];
    },
    tail: () => `\n],${total}"numberReturned":${count}}\n`,
  };
}

/** Rows without places, as a list of objects. */
export function rowObjects(query: FeatureQuery): RowStream {
  const comma = Buffer.from(',\n');
  return {
    query,
    select: rowJsonSelect,
    head: '[\n',
    row: ([object], index) => {
      const bytes = object ?? Buffer.from('null');
      return index === 0 ? bytes : [comma, bytes];
    },
    tail: () => '\n]\n',
  };
}

/** What a file of features turned out to hold. */
export type LinesFound = {
  /** One of them has no geometry. */
  readonly hasPlaceless: boolean;
  readonly isEmpty: boolean;
};

/** A feature per line; `found` says, at the end, what there was. */
export function geojsonLines(query: FeatureQuery): RowStream & { found(): LinesFound } {
  const end = Buffer.from('\n');
  let hasPlaceless = false;
  let isEmpty = true;
  return {
    query,
    select: placedJsonSelect,
    head: '',
    row: ([isWithout, feature]) => {
      if (isWithout?.[0] === 1) hasPlaceless = true;
      isEmpty = false;
      return [feature ?? Buffer.from('null'), end];
    },
    tail: () => '',
    found: () => ({ hasPlaceless, isEmpty }),
  };
}

/** As the database writes it: names first, the geometry as well-known text last. */
export function csvCopy(query: FeatureQuery, guardsFormulas: boolean): CopyStream {
  return {
    query,
    select: (part) => csvSelect(part, guardsFormulas),
    format: 'csv',
    head: '',
    onChunk: (chunk, write) => write(chunk),
    tail: () => '',
  };
}

export function kmlRows(query: FeatureQuery): RowStream {
  const { layer, columns } = query;
  const named = columns.find(({ name }) => /^(?:name|title|label)$/i.test(name));
  const labels = columns.map((column) => escapeXml(headingOf(column)));
  return {
    query,
    select: kmlSelect,
    head: `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeXml(layer.title)}</name>\n`,
    row: ([key, geometry, ...values]) => {
      const texts = values.map((value) => (value === null ? undefined : escapeXml(value.toString())));
      const title = named === undefined ? undefined : texts[columns.indexOf(named)];
      const data = texts.map((text, i) =>
        text === undefined ? '' : `<Data name="${labels[i] ?? ''}"><value>${text}</value></Data>`,
      );
      const name = title ?? escapeXml(key?.toString() ?? '');
      return Buffer.from(
        `<Placemark id="${escapeXml(`${layer.name}.${key?.toString() ?? ''}`)}"><name>${name}</name><ExtendedData>${data.join('')}</ExtendedData>${geometry?.toString() ?? ''}</Placemark>\n`,
      );
    },
    tail: () => '</Document></kml>\n',
  };
}
