// Parameters of GetFeature and a layer → the query that answers them.

import type { XmlElement } from '../../../geo/style/xml-tree.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { VectorLayer } from '../../../layer-ports/layer.ts';
import {
  boxCondition,
  type FeatureQuery,
  keysCondition,
  propertiesOf,
  type SortKey,
  wholeLayer,
} from '../../query/feature-query.ts';
import { filterToSql } from '../../query/filter-sql.ts';
import type { CrsBook, KnownCrs } from '../../query/known-crs.ts';
import { allOf, type Sql } from '../../query/value.ts';
import { xmlName } from '../../xml-text.ts';
import { parseBbox } from '../items-request.ts';
import { parseFes } from './fes-filter.ts';
import { isNorthFirstName } from './gml-geometry.ts';
import { DIALECTS, type Dialect, srsName } from './wfs-dialect.ts';
import { COUNT_DEFAULT, keyOfId } from './wfs-documents.ts';
import { type WfsError, wfsError } from './wfs-error.ts';
import type { WfsFailure } from './wfs-failure.ts';
import type { WfsParams } from './wfs-request.ts';
import { withoutPrefix } from './xml-elements.ts';

const MAX_COUNT = 1_000_000;

export async function toFeatureQuery(
  { values, filter: written, version }: WfsParams,
  layer: VectorLayer,
  ids: readonly string[],
  book: CrsBook,
): Promise<Result<FeatureQuery, WfsFailure>> {
  const dialect = DIALECTS[version];
  const number = (...names: string[]): number | undefined => {
    const text = names.map((name) => values.get(name)).find((value) => value !== undefined);
    return text === undefined ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  };
  const count = number('count', 'maxfeatures') ?? COUNT_DEFAULT;
  const start = number('startindex') ?? 0;
  if (Number.isNaN(count)) return wfsError('InvalidParameterValue', 'count', 'count is a whole number.');
  if (Number.isNaN(start)) return wfsError('InvalidParameterValue', 'startIndex', 'startIndex is a whole number.');
  const crs = await crsOf(book, layer, values.get('srsname'), dialect, 'srsName');
  if (!crs.ok) return crs;
  const conditions: Sql[] = [];
  const box = values.get('bbox');
  if (box !== undefined && written !== undefined)
    return wfsError('InvalidParameterValue', 'bbox', 'bbox and filter exclude each other.');
  if (box !== undefined) {
    const parts = box.split(',');
    const named = /^\s*[A-Za-z[]/.test(parts.at(-1) ?? '') ? parts.pop()?.trim() : undefined;
    const bounds = parseBbox(parts.join(','));
    if (bounds === undefined)
      return wfsError('InvalidParameterValue', 'bbox', 'bbox is four numbers, lower before upper.');
    const boxCrs = await crsOf(book, layer, named, dialect, 'bbox');
    if (!boxCrs.ok) return boxCrs;
    conditions.push(boxCondition(layer, bounds, boxCrs.value));
  }
  const chosen = await filterCondition(written, layer, ids, dialect, book);
  if (!chosen.ok) return chosen;
  if (chosen.value !== undefined) conditions.push(chosen.value);
  const names =
    values
      .get('propertyname')
      ?.split(',')
      .map(withoutPrefix)
      .filter((name) => name !== '' && name !== '*') ?? [];
  const columns = propertiesOf(layer).filter(
    ({ name }) => names.length === 0 || names.includes(name) || names.includes(xmlName(name)),
  );
  const order = sorting(values.get('sortby'), layer);
  if (!order.ok) return order;
  return ok({
    ...wholeLayer(layer, crs.value),
    columns,
    conditions,
    order: order.value,
    limit: Math.min(count, MAX_COUNT),
    offset: start,
  });
}

/** What a filter and ids choose; undefined: everything. */
export async function filterCondition(
  written: XmlElement | undefined,
  layer: VectorLayer,
  ids: readonly string[],
  dialect: Dialect,
  book: CrsBook,
): Promise<Result<Sql | undefined, WfsFailure>> {
  const conditions: Sql[] = [];
  let wanted = ids;
  if (written !== undefined) {
    const parsed = parseFes(written, layer.geometry.column);
    if (!parsed.ok) return wfsError('InvalidParameterValue', 'filter', `filter: ${parsed.error.said}.`);
    const filterCrs = await crsOf(book, layer, parsed.value.crs, dialect, 'filter');
    if (!filterCrs.ok) return filterCrs;
    wanted = [...ids, ...parsed.value.ids];
    if (parsed.value.filter !== undefined) {
      const condition = filterToSql(parsed.value.filter, layer, filterCrs.value);
      if (!condition.ok) return wfsError('InvalidParameterValue', 'filter', `filter: ${condition.error.said}.`);
      conditions.push(condition.value);
    }
  }
  if (wanted.length > 10_000) return wfsError('InvalidParameterValue', 'resourceId', 'Those are too many ids.');
  if (wanted.length > 0) conditions.push(idCondition(layer, wanted));
  return ok(conditions.length === 0 ? undefined : allOf(conditions));
}

/** `places.5` → the feature with the key 5; ids of other types are those of no feature here. */
function idCondition(layer: VectorLayer, ids: readonly string[]): Sql {
  return keysCondition(
    layer,
    ids.flatMap((id) => keyOfId(layer, id) ?? []),
  );
}

function sorting(text: string | undefined, layer: VectorLayer): Result<readonly SortKey[], WfsError> {
  const keys: SortKey[] = [];
  for (const part of text === undefined || text === '' ? [] : text.split(',')) {
    const [path = '', direction = 'ASC'] = part.trim().split(/\s+/);
    const name = withoutPrefix(path);
    const column = layer.columns.find((one) => one.name === name || xmlName(one.name) === name);
    if (column === undefined || keys.length > 20)
      return wfsError('InvalidParameterValue', 'sortBy', `There is no property ${name.slice(0, 100)} to sort by.`);
    keys.push({ column: column.name, isDown: /^(?:d|desc|descending)$/i.test(direction) });
  }
  return ok(keys);
}

export async function crsOf(
  book: CrsBook,
  layer: VectorLayer,
  name: string | undefined,
  dialect: Dialect,
  locator: string,
): Promise<Result<KnownCrs, WfsFailure>> {
  // Nothing said: the type's own system, under the name that this version has for it.
  const said = name === undefined || name === '' ? srsName(dialect, layer.srid) : name;
  const crs = await book.of(layer, said);
  // 1.0 knows nothing of axes, whatever the system is called: QGIS, which edits in 1.0 where it reads in 2.0, writes east first under a URN.
  const isNorthFirst = !dialect.isShortCrs && isNorthFirstName(said, crs.ok && crs.value.isNorthFirst);
  if (crs.ok) return ok({ ...crs.value, isNorthFirst });
  return crs.error.kind === 'database'
    ? err(crs.error)
    : wfsError('InvalidParameterValue', locator, `This type is not offered in ${(name ?? '').slice(0, 100)}.`);
}
