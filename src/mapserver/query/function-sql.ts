// Functions of expressions → SQL of the row that is called `f`. Each says what it takes; what a value is not is said in words before the database is
// asked. Texts are read by patterns, so that what cannot be read is nothing, and is counted, instead of ending the statement. Pure.

import type { Scalar } from '../../geo/cql/cql.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { join, sql } from '../../sql/index.ts';
import { transformed } from './box-sql.ts';
import { geometryValue } from './geometry-sql.ts';
import { geometryOf, gisOf } from './layer-sql.ts';
import {
  anyOf,
  asText,
  type Called,
  type Ground,
  NotPossible,
  placed,
  sound,
  type Typed,
  typedScalar,
  type ValueType,
} from './scalar-sql.ts';
import { type Sql, text, value, whole } from './value.ts';

type Call = Extract<Scalar, { kind: 'call' }>;

/** How many times as long as a cell a text may become. */
const MAX_GROWTH = 100;
/** Behind or before the point. */
const MAX_DIGITS = 15;

export function calledSql(scalar: Called, ground: Ground): Typed {
  return scalar.kind === 'if' ? choiceSql(scalar, ground) : callSql(scalar, ground);
}

function callSql({ name, args }: Call, ground: Ground): Typed {
  const [a, b, c] = args;
  const at = (n: number): Typed => ownValue(args[n], ground);
  const words = (n: number): Typed => asWords(at(n));
  const number = (n: number): Typed => expect(at(n), ['integer', 'number'], name, 'a number: "to_number" reads one');
  const made = (type: ValueType, of: Sql, ...from: readonly Typed[]): Typed => ({
    sql: of,
    type,
    fails: anyOf(from.map(({ fails }) => fails)),
  });
  switch (name) {
    case 'upper':
    case 'lower': {
      const of = words(0);
      return made('text', name === 'upper' ? sql`upper(${of.sql})` : sql`lower(${of.sql})`, of);
    }
    case 'trim': {
      const of = words(0);
      return made('text', sql`btrim(${of.sql}, ${text(WHITE)})`, of);
    }
    case 'replace': {
      const of = words(0);
      if (b?.kind !== 'text' || c?.kind !== 'text')
        throw new NotPossible(
          '"replace" looks for a text and puts another in its place: both are written in single quotes',
        );
      if (b.value === '') throw new NotPossible('"replace" needs a text to look for');
      grow(ground, c.value.length / b.value.length);
      return made('text', sql`replace(${of.sql}, ${plain(b.value)}, ${plain(c.value)})`, of);
    }
    case 'concat': {
      const parts = args.map((_, n) => words(n));
      grow(ground, args.filter(({ kind }) => kind !== 'text').length);
      return made('text', sql`concat(${join(parts.map((part) => part.sql))})`, ...parts);
    }
    case 'substring': {
      const [of, start] = [words(0), number(1)];
      if (c === undefined) return made('text', sql`substr(${of.sql}, (${start.sql})::integer)`, of, start);
      const length = number(2);
      return made(
        'text',
        sql`substr(${of.sql}, (${start.sql})::integer, greatest((${length.sql})::integer, 0))`,
        of,
        start,
        length,
      );
    }
    case 'split': {
      const [of, place] = [words(0), args[2]];
      if (b?.kind !== 'text' || b.value === '' || place?.kind !== 'number' || !/^[1-9]\d{0,3}$/.test(place.value))
        throw new NotPossible(
          '"split" takes a text, what stands between its parts, and which part is wanted: 1 is the first',
        );
      return made('text', sql`split_part(${of.sql}, ${plain(b.value)}, ${whole(Number(place.value))})`, of);
    }
    case 'position': {
      const [of, sought] = [words(0), words(1)];
      return made('integer', sql`strpos(${of.sql}, ${sought.sql})`, of, sought);
    }
    case 'length': {
      if (isGeometry(a, ground))
        return sound(sql`${gisOf(placed(ground))('st_length')}(${onGround(a, ground)})`, 'number');
      const of = words(0);
      return made('integer', sql`char_length(${of.sql})`, of);
    }
    case 'round': {
      const of = number(0);
      if (b === undefined) return made('integer', sql`round((${of.sql})::numeric)`, of);
      if (b.kind !== 'number' || !/^-?\d{1,2}$/.test(b.value) || Math.abs(Number(b.value)) > MAX_DIGITS)
        throw new NotPossible(`"round" takes a number of digits from -${MAX_DIGITS} to ${MAX_DIGITS}`);
      return made('number', sql`round((${of.sql})::numeric, ${whole(Number(b.value))})`, of);
    }
    case 'floor':
    case 'ceil': {
      const of = number(0);
      return made('integer', name === 'floor' ? sql`floor((${of.sql})::numeric)` : sql`ceil((${of.sql})::numeric)`, of);
    }
    case 'abs': {
      const of = number(0);
      return made(of.type, sql`abs(${of.sql})`, of);
    }
    case 'least':
    case 'greatest':
    case 'coalesce': {
      const { type, parts } = alike(
        args.map((_, n) => at(n)),
        name,
      );
      const list = join(parts.map((part) => part.sql));
      const of =
        name === 'least' ? sql`least(${list})` : name === 'greatest' ? sql`greatest(${list})` : sql`coalesce(${list})`;
      return made(type, of, ...parts);
    }
    case 'nullif': {
      const { type, parts } = alike([at(0), at(1)], name);
      return made(type, sql`nullif(${join(parts.map((part) => part.sql))})`, ...parts);
    }
    case 'to_text':
      return words(0);
    case 'to_integer':
    case 'to_number':
    case 'to_boolean':
    case 'to_date':
    case 'to_timestamp':
      return read(at(0), READERS[name]);
    case 'year':
    case 'month':
    case 'day': {
      const of = asDay(expect(at(0), ['date', 'time'], name, 'a date: "to_date" reads one'));
      return made('integer', sql`date_part(${plain(name)}, ${of.sql})::integer`, of);
    }
    case 'days_between': {
      const [from, to] = [0, 1].map((n) => expect(at(n), ['date', 'time'], name, 'two dates: "to_date" reads one'));
      if (from === undefined || to === undefined) throw new NotPossible('"days_between" takes two dates');
      if (from.type === 'date' && to.type === 'date')
        return made('integer', sql`((${to.sql}) - (${from.sql}))`, from, to);
      const [start, end] = [asMoment(from).sql, asMoment(to).sql];
      return made('number', sql`(date_part('epoch', ${end} - ${start}) / 86400)`, from, to);
    }
    case 'today':
      return sound(sql`(now() at time zone 'UTC')::date`, 'date');
    case 'area':
      return sound(sql`${gisOf(placed(ground))('st_area')}(${onGround(a, ground)})`, 'number');
    case 'perimeter':
      return sound(sql`${gisOf(placed(ground))('st_perimeter')}(${onGround(a, ground)})`, 'number');
    case 'centroid_x':
    case 'centroid_y': {
      const layer = placed(ground);
      const gis = gisOf(layer);
      const centre = transformed(layer, sql`${gis('st_centroid')}(${shapeOf(a, ground)})`, 4326);
      return sound(sql`${gis(name === 'centroid_x' ? 'st_x' : 'st_y')}(${centre})`, 'number');
    }
    case 'distance':
      return sound(
        sql`${gisOf(placed(ground))('st_distance')}(${onGround(a, ground)}, ${onGround(b, ground)})`,
        'number',
      );
    default:
      return assertNever(name);
  }
}

type Choice = Extract<Scalar, { kind: 'if' }>;

/** What is not chosen in a row is not read there. */
function choiceSql({ when, yes: one, no: other }: Choice, ground: Ground): Typed {
  const condition = ground.condition(when);
  const branches = [one, ...(other === undefined ? [] : [other])].map((branch) => ownValue(branch, ground));
  const { type, parts } = alike(branches, 'if');
  const [yes, no] = parts;
  if (yes === undefined) throw new NotPossible('"if" needs a value');
  const never: Sql = sql`false`;
  const isRead = yes.fails !== undefined || no?.fails !== undefined;
  return {
    sql: sql`(case when ${condition} then ${yes.sql} else ${no?.sql ?? sql`null`} end)`,
    type,
    fails: isRead ? sql`(case when ${condition} then ${yes.fails ?? never} else ${no?.fails ?? never} end)` : undefined,
  };
}

/** Spaces of all kinds, as people paste them. */
const WHITE = ' \t\n\r\f\v\u00a0\u2007\u202f\u3000\u200b\ufeff';

function plain(words: string): Sql {
  if (words.includes('\0')) throw new NotPossible('a text cannot hold the character 0');
  return text(words);
}

function grow({ calculations }: Ground, times: number): void {
  calculations.growth *= Math.max(1, times);
  if (calculations.growth > MAX_GROWTH)
    throw new NotPossible(`the texts would grow to more than ${MAX_GROWTH} times their length`);
}

/** A value on its own: it has a type, and days and moments are those of UTC. */
export function ownValue(scalar: Scalar | undefined, ground: Ground): Typed {
  if (scalar === undefined) throw new NotPossible('a value is missing');
  if (scalar.kind === 'text') return sound(plain(scalar.value), 'text');
  if (scalar.kind === 'when' && scalar.value.kind === 'instant' && isDay(scalar.value.at))
    return sound(sql`${value(scalar.value.at)}::date`, 'date');
  const typed = typedScalar(scalar, ground);
  const column = scalar.kind === 'property' ? ground.layer.columns.find(({ name }) => name === scalar.name) : undefined;
  return typed.type === 'time' && column?.type.endsWith('without time zone')
    ? { ...typed, sql: sql`(${typed.sql} at time zone 'UTC')` }
    : typed;
}

function expect(of: Typed, types: readonly ValueType[], name: string, takes: string): Typed {
  if (!types.includes(of.type)) throw new NotPossible(`"${name}" takes ${takes}`);
  return of;
}

function asWords(of: Typed): Typed {
  return { ...of, sql: asText(of.sql), type: 'text' };
}

export function asDay(of: Typed): Typed {
  return of.type === 'date' ? of : { ...of, sql: sql`(${of.sql} at time zone 'UTC')::date`, type: 'date' };
}

export function asMoment(of: Typed): Typed {
  return of.type === 'time' ? of : { ...of, sql: sql`((${of.sql})::timestamp at time zone 'UTC')`, type: 'time' };
}

/** Values of one type, as far as that is possible without reading texts. */
function alike(values: readonly Typed[], name: string): { readonly type: ValueType; readonly parts: readonly Typed[] } {
  const types = new Set(values.map(({ type }) => type));
  const only = [...types].join(' ');
  if (types.size === 1 && only !== 'text' && only !== 'any') return { type: only as ValueType, parts: values };
  const areAll = (some: readonly ValueType[]): boolean => [...types].every((type) => some.includes(type));
  if (areAll(['integer', 'number'])) return { type: 'number', parts: values };
  if (areAll(['date', 'time'])) return { type: 'time', parts: values.map(asMoment) };
  if (areAll(['text', 'any'])) return { type: 'text', parts: values.map(asWords) };
  throw new NotPossible(`the values of "${name}" are of different kinds: "to_text" and "to_number" make them alike`);
}

type Reader = 'integer' | 'number' | 'boolean' | 'date' | 'time';

const READERS = {
  to_integer: 'integer',
  to_number: 'number',
  to_boolean: 'boolean',
  to_date: 'date',
  to_timestamp: 'time',
} as const satisfies Readonly<Record<string, Reader>>;

/** What a value is as another kind. An empty text is nothing, and no failure. */
export function read(of: Typed, as: Reader): Typed {
  const from = of.type;
  if (from === as || (as === 'number' && from === 'integer')) return { ...of, type: as };
  if (from === 'text' || from === 'any') {
    const words = asText(of.sql);
    const found = fromText(as, words);
    const failed = sql`(btrim(${words}, ${text(WHITE)}) <> '' and ${found} is null)`;
    return { sql: found, type: as, fails: anyOf([of.fails, failed]) };
  }
  if (as === 'integer' && from === 'number') {
    const number = sql`(${of.sql})::numeric`;
    // Nothing is rounded without being asked: "round" does that.
    const found = sql`(select case when r.v = trunc(r.v) and abs(r.v) < 9e18 then r.v::bigint end from (select ${number} as v offset 0) r)`;
    return { sql: found, type: as, fails: anyOf([of.fails, sql`(${of.sql} is not null and ${found} is null)`]) };
  }
  if ((as === 'integer' || as === 'number') && from === 'boolean')
    return { ...of, sql: sql`(${of.sql})::integer`, type: as };
  if (as === 'boolean' && (from === 'integer' || from === 'number'))
    return { ...of, sql: sql`((${of.sql}) <> 0)`, type: as };
  if (as === 'date' && from === 'time') return asDay(of);
  if (as === 'time' && from === 'date') return asMoment(of);
  throw new NotPossible(`${NAMED[from]} is not read as ${NAMED[as]}`);
}

const NAMED: Readonly<Record<ValueType, string>> = {
  text: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'a truth',
  date: 'a date',
  time: 'a moment',
  geometry: 'a geometry',
  any: 'a value of a type of its own',
};

/** NULL where it is none. The text stands once, however often it is looked at. */
function fromText(as: Reader, words: Sql): Sql {
  const of = (cases: Sql): Sql => sql`(select ${cases} from (select btrim(${words}, ${text(WHITE)}) as v offset 0) r)`;
  switch (as) {
    case 'integer':
      return of(sql`case when r.v ~ '^[+-]?[0-9]{1,18}$' then r.v::bigint end`);
    case 'number':
      // As many digits as a number of a table has: others would cost each row more than their text.
      return of(
        sql`case when r.v ~ '^[+-]?([0-9]{1,40}([.][0-9]{0,40})?|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?$' then r.v::numeric end`,
      );
    case 'boolean':
      return of(
        sql`case when lower(r.v) in ('true', 't', 'yes', 'y', 'on', '1') then true when lower(r.v) in ('false', 'f', 'no', 'n', 'off', '0') then false end`,
      );
    case 'date':
      return of(sql`case when r.v ~ '^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$' then ${day(1, 2, 3, '-')}
        when r.v ~ '^[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}$' then ${day(3, 2, 1, '.')} end`);
    case 'time':
      return of(sql`case when r.v ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then (${day(1, 2, 3, '-')})::timestamp at time zone 'UTC'
        when r.v ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])?$'
          and (select ${day(1, 2, 3, '-')} from (select left(r.v, 10) as v) r) is not null
        then (r.v || case when r.v ~ '(Z|[+-][0-9]{2}:?[0-9]{2})$' then '' else 'Z' end)::timestamptz end`);
    default:
      return assertNever(as);
  }
}

/** A day of the calendar by its parts; NULL: there is no such day. */
function day(y: number, m: number, d: number, between: '-' | '.'): Sql {
  const part = (n: number): Sql => sql`split_part(r.v, ${text(between)}, ${whole(n)})::integer`;
  // One case within the other: the database may ask conditions of one in any order.
  return sql`(case when ${part(y)} > 0 and ${part(m)} between 1 and 12 then
      case when ${part(d)} between 1 and date_part('day', make_date(${part(y)}, ${part(m)}, 1) + interval '1 month' - interval '1 day')
        then make_date(${part(y)}, ${part(m)}, ${part(d)}) end end)`;
}

function isDay(at: string): boolean {
  return !at.includes('T');
}

function isGeometry(scalar: Scalar | undefined, { layer }: Ground): boolean {
  if (scalar?.kind === 'shape') return true;
  if (scalar?.kind !== 'property' || layer.geometry === undefined) return false;
  if (scalar.name === layer.geometry.column) return true;
  // A column of that name is meant, where there is one.
  return (
    (scalar.name === 'geometry' || scalar.name === 'geom') && !layer.columns.some(({ name }) => name === scalar.name)
  );
}

function shapeOf(scalar: Scalar | undefined, ground: Ground): Sql {
  const layer = placed(ground);
  if (!isGeometry(scalar, ground)) throw new NotPossible(`a geometry was expected, such as "${layer.geometry.column}"`);
  return scalar?.kind === 'shape' ? geometryValue(scalar.value, layer, ground.crs) : geometryOf(layer);
}

/** On the ground: what is measured is in metres. */
function onGround(scalar: Scalar | undefined, ground: Ground): Sql {
  const layer = placed(ground);
  return sql`${transformed(layer, shapeOf(scalar, ground), 4326)}::${gisOf(layer)('geography')}`;
}
