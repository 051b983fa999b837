// A feature in GML, or properties of one → the values that are written to a layer. Names are looked up among the layer's columns; what is not
// among them is refused, not dropped. Pure but for the coordinate systems, which the database knows.

import { isOnEarth } from '../../../geo/geojson.ts';
import type { XmlElement } from '../../../geo/style/xml-tree.ts';
import { parseExact } from '../../../kernel/exact-numbers.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { LayerColumn, VectorLayer } from '../../../layer-ports/layer.ts';
import { columnClass } from '../../columns/column-class.ts';
import type { Sent } from '../../query/edit-sql.ts';
import type { CrsBook, KnownCrs } from '../../query/known-crs.ts';
import { columnOfXmlName } from '../../xml-text.ts';
import { readGml } from './gml-geometry.ts';
import type { Dialect } from './wfs-dialect.ts';
import { wfsError } from './wfs-error.ts';
import type { WfsFailure } from './wfs-failure.ts';
import { crsOf } from './wfs-query.ts';
import { elements, textOf, withoutPrefix } from './xml-elements.ts';

/** What is sent, and the system of its geometry. */
export type FeatureValues = { readonly sent: Sent; readonly crs: KnownCrs };

export type ValueSource = {
  readonly layer: VectorLayer;
  readonly dialect: Dialect;
  readonly book: CrsBook;
  /** For geometries that name none. */
  readonly srsName: string | undefined;
};

export type NamedValue = {
  readonly path: string;
  /** Undefined: null. */
  readonly value: XmlElement | undefined;
};

/** The properties of an element that is a feature. */
export function propertiesOfFeature(feature: XmlElement): readonly NamedValue[] {
  return elements(feature)
    .filter(({ name }) => name !== 'boundedBy')
    .map((value) => ({ path: value.name, value }));
}

export async function featureValues(
  named: readonly NamedValue[],
  source: ValueSource,
): Promise<Result<FeatureValues, WfsFailure>> {
  const { layer, dialect, book } = source;
  const properties: Record<string, unknown> = Object.create(null);
  let geometry: Sent['geometry'];
  let srsName = source.srsName;
  for (const { path, value } of named) {
    const name = columnOfXmlName(withoutPrefix(path));
    if (name === layer.geometry.column) {
      const shape = value === undefined ? undefined : elements(value)[0];
      if (shape === undefined) {
        geometry = null;
        continue;
      }
      const read = readGml(shape);
      if (!read.ok)
        return wfsError('InvalidValue', path.slice(0, 100), `The geometry cannot be read: ${read.error.said}.`);
      geometry = read.value.geometry;
      srsName = read.value.crs ?? source.srsName;
      continue;
    }
    const column = layer.columns.find((one) => one.name === name);
    if (column === undefined)
      return wfsError('InvalidParameterValue', path.slice(0, 100), `There is no property ${path.slice(0, 100)}.`);
    // Whoever sends a feature back as it came sends these, too.
    if (column.generated || name === layer.primaryKey) continue;
    const cell = cellOf(column, value);
    if (cell === undefined)
      return wfsError('InvalidValue', path.slice(0, 100), `The value of ${path.slice(0, 100)} is no JSON.`);
    properties[name] = cell.value;
  }
  const crs = await crsOf(book, layer, srsName, dialect, 'srsName');
  if (!crs.ok) return crs;
  if (
    geometry !== undefined &&
    geometry !== null &&
    crs.value.srid === 4326 &&
    !isOnEarth(geometry, crs.value.isNorthFirst)
  )
    return wfsError('InvalidValue', layer.geometry.column, 'A position lies beyond the poles.');
  return ok({ sent: { geometry, properties }, crs: crs.value });
}

/** As JSON, which the database reads in the type of the column. Undefined: it cannot be. */
function cellOf(column: LayerColumn, element: XmlElement | undefined): { readonly value: unknown } | undefined {
  if (element === undefined || element.attributes['nil'] === 'true') return { value: null };
  const text = textOf(element);
  const kind = columnClass(column.type);
  if (kind === 'text') return { value: text };
  const trimmed = text.trim();
  if (trimmed === '') return { value: null };
  switch (kind) {
    case 'json':
      try {
        return { value: parseExact(trimmed) };
      } catch {
        return undefined;
      }
    case 'bytes':
      return { value: `\\x${trimmed}` };
    case 'number':
      return { value: trimmed === 'INF' ? 'Infinity' : trimmed === '-INF' ? '-Infinity' : trimmed };
    default:
      return { value: trimmed };
  }
}
