// A query → its features as GML 3.2, a row at a time.

import type { FeatureQuery } from '../../query/feature-query.ts';
import { gmlSelect } from '../../query/row-selects.ts';
import { escapeXml, xmlName } from '../../xml-text.ts';
import type { RowStream } from '../row-stream.ts';
import { FEATURE_NAMES, PREFIX, typeName } from './wfs-documents.ts';

/** A feature per row. */
export function gmlRows(query: FeatureQuery, place: 'member' | 'alone'): RowStream {
  const { layer, columns } = query;
  const type = typeName(layer);
  const names = columns.map(({ name }) => `${PREFIX}:${xmlName(name)}`);
  const geometry = `${PREFIX}:${xmlName(layer.geometry.column)}`;
  const [before, after] = place === 'member' ? ['<wfs:member>', '</wfs:member>\n'] : ['', '\n'];
  const spaces = place === 'member' ? '' : ` ${FEATURE_NAMES}`;
  return {
    select: gmlSelect(query, { version: 3, idPrefix: `${type}.`, isLongName: true }),
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
