// Conditions → SQL. Values are parameters, names come from the field tables, operators from here.

import { assertNever } from '../../kernel/assert-never.ts';
import { join, raw, sql } from '../../sql/index.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import type { FieldType, Relation } from '../fields/field.ts';
import { innerName } from '../fields/json-sql.ts';
import type { Box, Comparison, Condition, DatePart, Path, SearchField, Target, Test, TextMatch } from './condition.ts';
import { searchNarrowing } from './search-narrowing.ts';
import { naturalCollation, type Source } from './source.ts';

export type ConditionContext = {
  readonly source: Source;
  readonly isVisitor: boolean;
  /** Words have chosen among the rows already: to look at each of these is quicker than to look all others up. */
  readonly isNarrowed: boolean;
};

export type Filter = Condition & { readonly kind: 'filter' };

/** All of them have to hold. */
export function conditionsSql(conditions: readonly Condition[], context: ConditionContext): readonly Sql[] {
  const { row } = context.source;
  const together: Filter[] = [];
  const parts: Sql[] = [];
  for (const condition of conditions) {
    switch (condition.kind) {
      case 'filter':
        if (condition.isNegated) parts.push(sql<BoundValue>`(${filterSql(condition, row)}) is not true`);
        else together.push(condition);
        break;
      case 'search':
        parts.push(...searchSql(condition, conditions, context));
        break;
      case 'extent':
        parts.push(extentSql(condition.boxes, context));
        break;
      case 'favourite':
        parts.push(favouriteSql(context));
        break;
      case 'tkeywords':
        parts.push(tkeywordsSql(condition, row));
        break;
      default:
        return assertNever(condition);
    }
  }
  return [...groupedSql(together, 0, row), ...parts];
}

function tkeywordsSql({ ids, all }: Condition & { readonly kind: 'tkeywords' }, row: string): Sql {
  const wanted = sql<BoundValue>`${bound(arrayText(ids))}::bigint[]`;
  const held = raw(`portal.resource_tkeyword k where k.resource_id = ${row}.id and k.keyword_id`);
  if (all)
    return sql<BoundValue>`(select count(*) from ${held} = any (${wanted})) = ${bound(String(ids.length))}::integer`;
  return sql<BoundValue>`exists (select from ${held} = any (${wanted})) and not exists (select from portal.thesaurus_keyword w where w.id = any (${wanted}) and not exists (select from portal.thesaurus_keyword x where x.thesaurus_id = w.thesaurus_id and x.id = any (array(select k.keyword_id from ${held} = any (${wanted})))))`;
}

/** One filter of an embedded record, from its own row. */
export function narrowingSql(filter: Filter, row: string): Sql {
  const holds = join(groupedSql([filter], 0, row), ' and ');
  return filter.isNegated ? sql<BoundValue>`(${holds}) is not true` : holds;
}

/** What is asked of one related record is asked of the same one: filters that go the same way share their `exists`. */
function groupedSql(filters: readonly Filter[], depth: number, row: string): readonly Sql[] {
  const here: Sql[] = [];
  const onward = new Map<string, { readonly relation: Relation; readonly filters: Filter[] }>();
  for (const filter of filters) {
    const step = filter.path.through[depth];
    if (step === undefined) here.push(targetSql(filter.path.target, filter.test, row));
    else if (isAbsence(filter.test)) here.push(filterSql(filter, row, depth));
    else {
      const known = onward.get(step.name);
      if (known === undefined) onward.set(step.name, { relation: step.relation, filters: [filter] });
      else known.filters.push(filter);
    }
  }
  for (const { relation, filters: inside } of onward.values()) {
    here.push(existsSql(relation, row, (inner) => groupedSql(inside, depth + 1, inner)));
  }
  return here;
}

/** One filter alone, from the row it starts at. */
function filterSql({ path, test }: Filter, row: string, depth = 0): Sql {
  const step = path.through[depth];
  if (step === undefined) return targetSql(path.target, test, row);
  // Where there is no related record its fields are null, too.
  if (isAbsence(test)) return sql<BoundValue>`not ${pathSql(path, PRESENT, row, depth)}`;
  return pathSql(path, test, row, depth);
}

const PRESENT: Test = { op: 'isnull', isNull: false };

function isAbsence(test: Test): boolean {
  return test.op === 'isnull' && test.isNull;
}

function pathSql(path: Path, test: Test, row: string, depth = 0): Sql {
  const step = path.through[depth];
  if (step === undefined) return targetSql(path.target, test, row);
  return existsSql(step.relation, row, (inner) => [pathSql(path, test, inner, depth + 1)]);
}

function existsSql(relation: Relation, outer: string, conditions: (inner: string) => readonly Sql[]): Sql {
  const inner = innerName(outer);
  const { from, on } = relation.rows(outer, inner);
  return sql<BoundValue>`exists (select from ${from} where ${join([on, ...conditions(inner)], ' and ')})`;
}

function targetSql(target: Target, test: Test, row: string): Sql {
  if (target.kind === 'field') {
    const { field } = target;
    return testSql(field.value?.(row) ?? raw('null'), test, field.type.kind);
  }
  if (test.op === 'isnull') {
    const found = existsSql(target.relation, row, () => []);
    return test.isNull ? sql<BoundValue>`not ${found}` : found;
  }
  return existsSql(target.relation, row, (inner) => [testSql(raw(`${inner}.id`), test, 'integer')]);
}

const COMPARISONS: Readonly<Record<Exclude<Comparison, 'eq'>, Sql>> = {
  gt: raw('>'),
  gte: raw('>='),
  lt: raw('<'),
  lte: raw('<='),
};

const PARTS: Readonly<Record<DatePart, (value: Sql) => Sql>> = {
  year: (value) => sql<BoundValue>`extract(year from ${value})`,
  month: (value) => sql<BoundValue>`extract(month from ${value})`,
  day: (value) => sql<BoundValue>`extract(day from ${value})`,
  // Sunday is 1.
  week_day: (value) => sql<BoundValue>`extract(dow from ${value}) + 1`,
};

function testSql(value: Sql, test: Test, kind: FieldType['kind']): Sql {
  const text = kind === 'text' || kind === 'choice' ? value : sql<BoundValue>`${value}::text`;
  const ordered = kind === 'text' ? naturalCollation(value) : value;
  switch (test.op) {
    case 'eq':
      return sql<BoundValue>`${value} = ${bound(test.value)}::${raw(test.as)}`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return sql<BoundValue>`${ordered} ${COMPARISONS[test.op]} ${bound(test.value)}::${raw(test.as)}`;
    case 'in':
      if (test.foldCase === true)
        return sql<BoundValue>`lower(${value}) = any (${bound(arrayText(test.values.map((one) => one.toLowerCase())))}::text[])`;
      return sql<BoundValue>`${value} = any (${bound(arrayText(test.values))}::${raw(test.as)}[])`;
    case 'range':
      return sql<BoundValue>`${ordered} between ${bound(test.low)}::${raw(test.as)} and ${bound(test.high)}::${raw(test.as)}`;
    case 'isnull':
      return sql<BoundValue>`${value} is ${raw(test.isNull ? 'null' : 'not null')}`;
    case 'like':
      return likeSql(text, test.how, test.text, test.foldCase);
    case 'regex':
      return test.foldCase
        ? sql<BoundValue>`${naturalCollation(text)} ~* ${bound(test.pattern)}::text`
        : sql<BoundValue>`${text} ~ ${bound(test.pattern)}::text`;
    case 'part':
      return sql<BoundValue>`${PARTS[test.part](sql<BoundValue>`${value} at time zone 'UTC'`)} = ${bound(test.value)}::bigint`;
    case 'words':
      // The sub-select has the words read once for the statement, and not for every row.
      return sql<BoundValue>`to_tsvector('simple', lower(${naturalCollation(text)})) @@ (select plainto_tsquery('simple', lower(${naturalCollation(sql<BoundValue>`${bound(test.text)}::text`)})))`;
    default:
      return assertNever(test);
  }
}

function likeSql(text: Sql, how: TextMatch, wanted: string, foldCase: boolean): Sql {
  const escaped = wanted.replace(/[\\%_]/g, '\\$&');
  const pattern = {
    exact: escaped,
    contains: `%${escaped}%`,
    startswith: `${escaped}%`,
    endswith: `%${escaped}`,
  }[how];
  return foldCase
    ? sql<BoundValue>`${naturalCollation(text)} ilike ${bound(pattern)}::text`
    : sql<BoundValue>`${text} like ${bound(pattern)}::text`;
}

/** A search of the catalogue in everything that describes an item: by words in their languages, with a rank (`search_hits`). */
export function isWordSearch(condition: Condition, { isCatalogue }: Source): condition is WordSearch {
  return condition.kind === 'search' && condition.isUsual && isCatalogue;
}

export type WordSearch = Condition & { readonly kind: 'search' };

/** Rows `id`, `rank`: what the caller sees of what was found. What fails one of the `others`, which have to hold as well, may be missing. */
export function searchHitsSql({ words }: WordSearch, others: readonly Condition[]): Sql {
  return sql<BoundValue>`portal.search_hits(${join([sql<BoundValue>`${bound(arrayText(words))}::text[]`, ...searchNarrowing(others)])})`;
}

/** Title and abstract have an index of their own that works under row security; other fields are read one by one. */
function searchSql(condition: WordSearch, others: readonly Condition[], { source }: ConditionContext): readonly Sql[] {
  const { words, fields } = condition;
  const { row } = source;
  if (isWordSearch(condition, source))
    return [sql<BoundValue>`${raw(`${row}.id`)} in (select s.id from ${searchHitsSql(condition, others)} s)`];
  const isIndexed = source.isCatalogue && fields.every(isInIndex);
  const parts: Sql[] = [];
  if (isIndexed) {
    // In `from`, so that it is run once however often its rows are looked through.
    parts.push(
      sql<BoundValue>`${raw(`${row}.id`)} in (select s.id from portal.search_ids(${bound(arrayText(words))}::text[]) s(id))`,
    );
    const names = new Set(fields.map(({ path }) => (path.target.kind === 'field' ? path.target.field.name : '')));
    // The index does not know which of the two a word was found in.
    if (names.size === 2) return parts;
  }
  for (const word of words) {
    const anywhere = fields.map(({ path, how }) => pathSql(path, wordTest(how, word), row));
    parts.push(sql<BoundValue>`(${join(anywhere, ' or ')})`);
  }
  return parts;
}

function isInIndex({ path, how }: SearchField): boolean {
  const { through, target } = path;
  if (how !== 'contains' || through.length > 0 || target.kind !== 'field') return false;
  return target.field.name === 'title' || target.field.name === 'abstract';
}

function wordTest(how: SearchField['how'], word: string): Test {
  switch (how) {
    case 'regex':
      return { op: 'regex', pattern: word, foldCase: true };
    case 'words':
      return { op: 'words', text: word };
    default:
      return { op: 'like', how, text: word, foldCase: true };
  }
}

/** Maps without an extent of their own are found by the one they show; each half of the question has its index. */
function extentSql(boxes: readonly Box[], { source: { row, mayBeMaps }, isNarrowed }: ConditionContext): Sql {
  const own = ownExtentSql(boxes, isNarrowed || mayBeMaps !== true ? row : 'e');
  if (mayBeMaps !== true) return own;
  const maps = sql<BoundValue>`select m.id from portal.maps_within(${bound(arrayText(boxes.flat()))}::double precision[]) m(id)`;
  const id = raw(`${row}.id`);
  // Of rows that words have chosen few are such maps; where none is, maps are not looked up. A case, so that nobody begins with the index of extents.
  return isNarrowed
    ? sql<BoundValue>`case when ${raw(`${row}.resource_type = 'map' and ${row}.ll_bbox_polygon is null`)} then ${id} in (${maps}) else ${own} end`
    : sql<BoundValue>`${id} in (select e.id from portal.resource e where ${own} union all ${maps})`;
}

function ownExtentSql(boxes: readonly Box[], row: string): Sql {
  const column = raw(`${row}.ll_bbox_polygon`);
  const tests = boxes.map((box) => {
    const [xmin, ymin, xmax, ymax] = box.map((number) => sql<BoundValue>`${bound(String(number))}::double precision`);
    const envelope = sql<BoundValue>`st_makeenvelope(${xmin ?? raw('0')}, ${ymin ?? raw('0')}, ${xmax ?? raw('0')}, ${ymax ?? raw('0')}, 4326)`;
    // The first is leakproof and so can use the index under row security; the second is exact.
    return sql<BoundValue>`(${column} && ${envelope} and st_intersects(${column}, ${envelope}))`;
  });
  return sql<BoundValue>`(${join(tests, ' or ')})`;
}

function favouriteSql({ source, isVisitor }: ConditionContext): Sql {
  if (isVisitor) return raw('false');
  return raw(
    `exists (select from portal.favourite f where f.resource_id = ${source.row}.id and f.account_id = (select portal.me()))`,
  );
}

/** What a list is sorted by where the way leads through relations: the one record there. */
export function sortValueSql(path: Path, row: string, depth = 0): Sql {
  const step = path.through[depth];
  if (step === undefined) {
    if (path.target.kind !== 'field') return raw('null');
    const { value, type } = path.target.field;
    const column = value?.(row) ?? raw('null');
    return type.kind === 'text' ? naturalCollation(column) : column;
  }
  const inner = innerName(row);
  const { from, on } = step.relation.rows(row, inner);
  return sql<BoundValue>`(select ${sortValueSql(path, inner, depth + 1)} from ${from} where ${on})`;
}
