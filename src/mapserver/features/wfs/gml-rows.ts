// A query → its features as GML 3.2, a row at a time.

import { quoteIdent, quoteLiteral } from '../../../sql/index.ts';
import { columnClass } from '../../layers/column-class.ts';
import { type FeatureQuery, fromSql, geometryOut, keySql } from '../../query/feature-query.ts';
import { gisOf } from '../../query/layer-sql.ts';
import { escapeXml, xmlName } from '../../xml-text.ts';
import type { RowStream } from '../row-stream.ts';
import { FEATURE_NAMES, PREFIX, typeName } from './wfs-documents.ts';

/** A feature per row. */
export function gmlRows(query: FeatureQuery, place: 'member' | 'alone'): RowStream {
  const { layer, columns, crs } = query;
  const type = typeName(layer);
  const gis = gisOf(layer);
  const digits = crs.srid === 4326 ? 9 : 4;
  const id = (suffix: string): string => `${quoteLiteral(`${type}.`).trim()} || ${keySql(layer)} || '${suffix}'`;
  const cells = [
    keySql(layer),
    // 1: the long name of the system; 4: LineString, which clients know better than Curve.
    `${gis('st_asgml')}(3, ${geometryOut(query)}, ${digits}, 5, 'gml', ${id('.geom')})`,
    ...columns.map(({ name, type: kind }) => {
      const column = `f.${quoteIdent(name)}`;
      return columnClass(kind) === 'time' ? `to_json(${column})#>>'{}'` : column;
    }),
  ];
  const names = columns.map(({ name }) => `${PREFIX}:${xmlName(name)}`);
  const geometry = `${PREFIX}:${xmlName(layer.geometry.column)}`;
  const [before, after] = place === 'member' ? ['<wfs:member>', '</wfs:member>\n'] : ['', '\n'];
  const spaces = place === 'member' ? '' : ` ${FEATURE_NAMES}`;
  return {
    select: `select ${cells.map((cell) => `(${cell})::text`).join(', ')} ${fromSql(query)}`,
    head: place === 'member' ? '' : '<?xml version="1.0" encoding="UTF-8"?>\n',
    row: ([key, shape, ...values]) => {
      let body = '';
      for (const [i, value] of values.entries()) {
        if (value !== null) body += `<${names[i]}>${escapeXml(value.toString())}</${names[i]}>`;
      }
      if (shape !== null && shape !== undefined) body += `<${geometry}>${shape.toString()}</${geometry}>`;
      return Buffer.from(
        `${before}<${PREFIX}:${type}${spaces} gml:id="${escapeXml(`${type}.${key?.toString() ?? ''}`)}">${body}</${PREFIX}:${type}>${after}`,
      );
    },
    tail: () => '',
  };
}
