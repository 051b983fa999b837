// A query → its features as GML, a row at a time, in the GML of each version of the service.

import type { LayerColumn } from '../../../layer-ports/layer.ts';
import { columnClass } from '../../columns/column-class.ts';
import type { FeatureQuery } from '../../query/feature-query.ts';
import { GML_ID, gmlSelect } from '../../query/row-selects.ts';
import { escapeXml, xmlName } from '../../xml-text.ts';
import type { RowStream } from '../row-stream.ts';
import { type Dialect, namesOf } from './wfs-dialect.ts';
import { featureId, NAMESPACE, PREFIX, typeName } from './wfs-documents.ts';

export type GmlPlace = {
  readonly dialect: Dialect;
  /** One of a collection, or a document of its own. */
  readonly place: 'member' | 'alone';
  /** The system was asked for by its short name, which says that east comes first: it is named so in the answer. */
  readonly isShortCrs: boolean;
};

/** A feature per row. */
export function gmlRows(query: FeatureQuery, { dialect, place, isShortCrs }: GmlPlace): RowStream {
  const { layer, columns } = query;
  const type = typeName(layer);
  const { gmlVersion, member } = dialect;
  const names = columns.map(({ name }) => `${PREFIX}:${xmlName(name)}`);
  const geometry = `${PREFIX}:${xmlName(layer.geometry.column)}`;
  const [before, after] = place === 'member' ? [`<${member}>`, `</${member}>\n`] : ['', '\n'];
  const spaces = place === 'member' ? '' : ` ${namesOf(dialect)} xmlns:${PREFIX}="${NAMESPACE}"`;
  return {
    query,
    select: (part) => gmlSelect(part, { version: gmlVersion, isLongName: !isShortCrs }),
    head: place === 'member' ? '' : '<?xml version="1.0" encoding="UTF-8"?>\n',
    row: ([key, shape, ...values]) => {
      const id = escapeXml(featureId(layer, key?.toString() ?? ''));
      let body = '';
      for (const [i, value] of values.entries()) {
        if (value !== null) body += `<${names[i]}>${textOf(columns[i], value.toString())}</${names[i]}>`;
      }
      if (shape !== null && shape !== undefined)
        body += `<${geometry}>${withIds(withEastFirst(shape.toString()), id)}</${geometry}>`;
      return Buffer.from(
        `${before}<${PREFIX}:${type}${spaces} ${dialect.id}="${id}">${body}</${PREFIX}:${type}>${after}`,
      );
    },
    tail: () => '',
  };
}

/** The name under which every client takes positions for east first, as GeoServer writes it; by `EPSG:4326` OpenLayers means north first. */
function withEastFirst(gml: string): string {
  return gml.replaceAll('srsName="EPSG:', 'srsName="http://www.opengis.net/gml/srs/epsg.xml#');
}

/** PostGIS gives a collection and all of its members the same id: each gets one of its own. */
function withIds(gml: string, feature: string): string {
  let count = 0;
  return gml.replaceAll(`gml:id="${GML_ID}"`, () => {
    count += 1;
    return `gml:id="${feature}.geom${count === 1 ? '' : `.${count - 1}`}"`;
  });
}

const INFINITE: Readonly<Record<string, string>> = { Infinity: 'INF', '-Infinity': '-INF' };

function textOf(column: LayerColumn | undefined, value: string): string {
  if (column !== undefined && columnClass(column.type) === 'number') return INFINITE[value] ?? value;
  return escapeXml(value);
}
