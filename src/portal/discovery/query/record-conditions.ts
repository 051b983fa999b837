// Filters on metadata records → SQL conditions on the row `r` of an item. Which records there are for the caller, the policies say;
// here is only what is asked for. Values are parameters.

import { turnsOf } from '../../../geo/bbox.ts';
import type { Comparison, Filter, Scalar, Spatial, When } from '../../../geo/cql/cql.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { join, raw, sql } from '../../../sql/index.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import { naturalCollation } from '../../query/source.ts';
import type { RecordQuery } from '../record-query.ts';

export type FilterFault = { readonly said: string };

class Refused extends Error {}

export function recordConditions(query: RecordQuery): Result<readonly Sql[], FilterFault> {
  const parts: Sql[] = [];
  for (const word of query.words ?? []) parts.push(hasWord(word));
  if (query.box !== undefined) parts.push(inBox(query.box));
  if (query.when !== undefined) parts.push(inTime(query.when));
  if (query.types !== undefined)
    parts.push(sql<BoundValue>`r.resource_type::text = any (${bound(arrayText(query.types))}::text[])`);
  if (query.uuids !== undefined) {
    const known = query.uuids.filter((id) => UUID.test(id));
    parts.push(sql<BoundValue>`r.uuid = any (${bound(arrayText(known))}::uuid[])`);
  }
  if (query.isRaster === true) parts.push(raw(`exists (select from portal.raster p where p.resource_id = r.id)`));
  if (query.filter === undefined) return ok(parts);
  try {
    return ok([...parts, filterSql(query.filter)]);
  } catch (error) {
    if (error instanceof Refused) return err({ said: error.message });
    throw error;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** In title, abstract or a keyword. Titles and abstracts have an index that works under row security; keywords are few. */
function hasWord(word: string): Sql {
  const found = sql<BoundValue>`select s.id from portal.search_ids(${bound(arrayText([word]))}::text[]) s(id)`;
  const pattern = sql<BoundValue>`${bound(`%${escaped(word)}%`)}::text`;
  return sql<BoundValue>`r.id in (${found} union all select rk.resource_id from portal.keyword k join portal.resource_keyword rk on rk.keyword_id = k.id where ${isLike(raw('k.name'), pattern)})`;
}

/** `%word%` → the word; undefined: a pattern that the index cannot answer. */
function wordOf(pattern: string): string | undefined {
  const [, word] = /^%((?:[^%_\\]|\\[%_\\])+)%$/.exec(pattern) ?? [];
  return word?.replace(/\\([%_\\])/g, '$1');
}

function anyText(pattern: string): Sql {
  const word = pattern.length > MAX_WORD ? undefined : wordOf(pattern);
  if (word !== undefined) return hasWord(word);
  const like = sql<BoundValue>`${bound(pattern)}::text`;
  return sql<BoundValue>`(${isLike(raw('r.title'), like)} or ${isLike(raw(`coalesce(r.abstract, '')`), like)} or ${keywordIs((name) => isLike(name, like))})`;
}

/** Longer patterns are no words. */
const MAX_WORD = 1000;

/** Without regard to case, in every alphabet. */
function isLike(text: Sql, pattern: Sql): Sql {
  return sql<BoundValue>`${naturalCollation(text)} ilike ${pattern}`;
}

function keywordIs(test: (name: Sql) => Sql): Sql {
  return sql<BoundValue>`exists (select from portal.resource_keyword rk join portal.keyword k on k.id = rk.keyword_id where rk.resource_id = r.id and ${test(raw('k.name'))})`;
}

function inBox(asked: NonNullable<RecordQuery['box']>): Sql {
  const tests = turnsOf(asked).map((box) => {
    const numbers = box.map((number) => sql<BoundValue>`${bound(String(number))}::double precision`);
    const shape = sql<BoundValue>`st_makeenvelope(${join(numbers)}, 4326)`;
    return sql<BoundValue>`(r.ll_bbox_polygon && ${shape} and st_intersects(r.ll_bbox_polygon, ${shape}))`;
  });
  return sql<BoundValue>`(${join(tests, ' or ')})`;
}

/** The time that the data are of, else the date of the item. */
function inTime(when: When): Sql {
  const from = when.kind === 'instant' ? when.at : when.from;
  const to = when.kind === 'instant' ? when.at : when.to;
  const parts: Sql[] = [];
  if (to !== undefined)
    parts.push(
      sql<BoundValue>`coalesce(r.temporal_extent_start, case when r.temporal_extent_end is null then r.date end, '-infinity') <= ${lastMoment(to)}`,
    );
  if (from !== undefined)
    parts.push(
      sql<BoundValue>`coalesce(r.temporal_extent_end, case when r.temporal_extent_start is null then r.date end, 'infinity') >= ${moment(from)}`,
    );
  return parts.length === 0 ? raw('true') : sql<BoundValue>`(${join(parts, ' and ')})`;
}

function moment(text: string): Sql {
  return sql<BoundValue>`${bound(text.length === 10 ? `${text}T00:00:00Z` : text)}::timestamptz`;
}

/** A day is all of it. */
function lastMoment(text: string): Sql {
  return sql<BoundValue>`${bound(text.length === 10 ? `${text}T23:59:59.999999Z` : text)}::timestamptz`;
}

/** What a record can be asked by; `dc:title`, `apiso:Title` and `title` are one. */
type Queryable =
  | { readonly kind: 'text'; readonly value: Sql }
  | { readonly kind: 'time'; readonly value: Sql }
  | { readonly kind: 'keyword' }
  | { readonly kind: 'any' }
  | { readonly kind: 'place' };

const text = (value: string): Queryable => ({ kind: 'text', value: raw(value) });
const time = (value: string): Queryable => ({ kind: 'time', value: raw(value) });

/** By name in lower case, without its prefix. */
const QUERYABLES: ReadonlyMap<string, Queryable> = new Map<string, Queryable>([
  ['anytext', { kind: 'any' }],
  ['title', text('r.title')],
  ['abstract', text(`coalesce(r.abstract, '')`)],
  ['description', text(`coalesce(r.abstract, '')`)],
  ['identifier', text('r.uuid::text')],
  ['resourceidentifier', text('r.uuid::text')],
  ['id', text('r.uuid::text')],
  ['type', text(`(case r.resource_type when 'layer' then 'dataset' else r.resource_type::text end)`)],
  ['language', text('r.language')],
  ['source', text('r.doi')],
  ['subject', { kind: 'keyword' }],
  ['keyword', { kind: 'keyword' }],
  ['keywords', { kind: 'keyword' }],
  ['modified', time('r.last_updated')],
  ['updated', time('r.last_updated')],
  ['created', time('r.created')],
  ['date', time('r.date')],
  ['creationdate', time('r.created')],
  ['tempextent_begin', time('r.temporal_extent_start')],
  ['tempextent_end', time('r.temporal_extent_end')],
  ['boundingbox', { kind: 'place' }],
  ['geometry', { kind: 'place' }],
  ['spatial', { kind: 'place' }],
]);

function queryable(name: string): Queryable {
  const plain = name.slice(name.lastIndexOf(':') + 1).slice(name.lastIndexOf('/') + 1);
  const found = QUERYABLES.get(plain.toLowerCase());
  if (found === undefined) throw new Refused(`Records are not asked for by ${name.slice(0, 50)}.`);
  return found;
}

function filterSql(filter: Filter): Sql {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql<BoundValue>`(${join(filter.parts.map(filterSql), filter.kind === 'and' ? ' and ' : ' or ')})`;
    case 'not':
      return sql<BoundValue>`((${filterSql(filter.part)}) is not true)`;
    case 'truth':
      return raw(String(filter.value));
    case 'compare':
      return compareSql(filter.op, filter.left, filter.right);
    case 'like':
      return likeSql(filter.left, filter.pattern);
    case 'between':
      return sql<BoundValue>`(${compareSql('>=', filter.value, filter.low)} and ${compareSql('<=', filter.value, filter.high)})`;
    case 'in':
      return sql<BoundValue>`(${join(
        filter.list.map((one) => compareSql('=', filter.value, one)),
        ' or ',
      )})`;
    case 'null':
      return nullSql(filter.value);
    case 'spatial':
      return spatialSql(filter.op, filter.left, filter.right);
    case 'holds':
    case 'distance':
    case 'temporal':
      throw new Refused('Records are not filtered in this way: compare by =, <, LIKE, BETWEEN, IN or BBOX.');
  }
}

/** Without regard to case, as catalogues compare texts. */
function unfolded(scalar: Scalar): Scalar {
  return scalar.kind === 'fold' ? unfolded(scalar.of) : scalar;
}

function propertyOf(scalar: Scalar): Queryable {
  const plain = unfolded(scalar);
  if (plain.kind !== 'property') throw new Refused('The left side of a comparison is the name of a property.');
  return queryable(plain.name);
}

function valueText(scalar: Scalar): string {
  const plain = unfolded(scalar);
  switch (plain.kind) {
    case 'text':
      return plain.value;
    case 'number':
    case 'truth':
      return String(plain.value);
    case 'when':
      if (plain.value.kind === 'instant') return plain.value.at;
      throw new Refused('A property is compared with one moment.');
    default:
      throw new Refused('The right side of a comparison is a value.');
  }
}

const OPERATORS: Readonly<Record<Comparison, Sql>> = {
  '=': raw('='),
  '<>': raw('<>'),
  '<': raw('<'),
  '>': raw('>'),
  '<=': raw('<='),
  '>=': raw('>='),
};

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

function compareSql(op: Comparison, left: Scalar, right: Scalar): Sql {
  const property = propertyOf(left);
  const value = valueText(right);
  switch (property.kind) {
    case 'time': {
      if (!MOMENT.test(value)) throw new Refused(`${value.slice(0, 50)} is no date.`);
      // A day is compared with days.
      if (value.length === 10)
        return sql<BoundValue>`(${property.value} at time zone 'UTC')::date ${OPERATORS[op]} ${bound(value)}::date`;
      return sql<BoundValue>`${property.value} ${OPERATORS[op]} ${bound(value)}::timestamptz`;
    }
    case 'text':
      return sql<BoundValue>`lower(${naturalCollation(property.value)}) ${OPERATORS[op]} lower(${naturalCollation(sql<BoundValue>`${bound(value)}::text`)})`;
    case 'keyword': {
      const has = keywordIs(
        (name) =>
          sql<BoundValue>`lower(${naturalCollation(name)}) ${op === '<>' ? raw('=') : OPERATORS[op]} lower(${naturalCollation(sql<BoundValue>`${bound(value)}::text`)})`,
      );
      return op === '<>' ? sql<BoundValue>`(not ${has})` : has;
    }
    case 'any': {
      const has = anyText(`%${escaped(value)}%`);
      return op === '<>' ? sql<BoundValue>`(not ${has})` : has;
    }
    case 'place':
      throw new Refused('A box is asked for by BBOX or Intersects.');
  }
}

function likeSql(left: Scalar, right: Scalar): Sql {
  const property = propertyOf(left);
  const pattern = sql<BoundValue>`${bound(valueText(right))}::text`;
  switch (property.kind) {
    case 'text':
      return isLike(property.value, pattern);
    case 'time':
      return sql<BoundValue>`to_char(${property.value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') ilike ${pattern}`;
    case 'keyword':
      return keywordIs((name) => isLike(name, pattern));
    case 'any':
      return anyText(valueText(right));
    case 'place':
      throw new Refused('A box is asked for by BBOX or Intersects.');
  }
}

function nullSql(value: Scalar): Sql {
  const property = propertyOf(value);
  switch (property.kind) {
    case 'text':
      return sql<BoundValue>`coalesce(${property.value}, '') = ''`;
    case 'time':
      return sql<BoundValue>`${property.value} is null`;
    case 'keyword':
      return sql<BoundValue>`not ${keywordIs(() => raw('true'))}`;
    case 'place':
      return raw('r.ll_bbox_polygon is null');
    case 'any':
      return raw('false');
  }
}

function spatialSql(op: string, left: Spatial, right: Spatial): Sql {
  const [property, shape] = left.kind === 'property' ? [left, right] : [right, left];
  if (property.kind !== 'property' || shape.kind !== 'geometry' || queryable(property.name).kind !== 'place')
    throw new Refused('A place is compared with the bounding box of records.');
  const geometry = sql<BoundValue>`st_setsrid(st_geomfromgeojson(${bound(JSON.stringify(shape.value))}::text), 4326)`;
  const column = raw('r.ll_bbox_polygon');
  // Extents may be recorded in another turn of the globe than the one that is asked about.
  const inTurns = (test: (turn: Sql) => Sql): Sql =>
    sql<BoundValue>`(${join(
      [
        geometry,
        ...[-360, 360].map((shift) => sql<BoundValue>`st_translate(${geometry}, ${raw(String(shift))}, 0)`),
      ].map(test),
      ' or ',
    )})`;
  switch (op) {
    case 's_intersects':
      return inTurns((turn) => sql<BoundValue>`(${column} && ${turn} and st_intersects(${column}, ${turn}))`);
    case 's_within':
      return inTurns((turn) => sql<BoundValue>`(${column} && ${turn} and st_coveredby(${column}, ${turn}))`);
    case 's_contains':
      return inTurns((turn) => sql<BoundValue>`(${column} && ${turn} and st_covers(${column}, ${turn}))`);
    case 's_disjoint':
      return sql<BoundValue>`not ${inTurns((turn) => sql<BoundValue>`st_intersects(${column}, ${turn})`)}`;
    case 's_equals':
      return inTurns((turn) => sql<BoundValue>`st_equals(${column}, ${turn})`);
    default:
      throw new Refused('Places are compared by intersects, within, contains, equals and disjoint.');
  }
}
