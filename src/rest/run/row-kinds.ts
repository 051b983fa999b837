// How PostgreSQL's own JSON functions write a value, by the OID of its type: what `json-rows.ts` has to do alike.
//
// Only types whose text says everything are here. Arrays and records have a JSON form of their own, and types of extensions may have
// one by a cast to json (as PostGIS' geometry has): rows with such columns are made JSON by the database.

/** `number`: as it is, unless it is no number of JSON (NaN, Infinity). `time`: dates and timestamps, which JSON has in ISO 8601. */
export type CellKind = 'number' | 'boolean' | 'json' | 'time' | 'text';

const KINDS: ReadonlyMap<number, CellKind> = new Map<number, CellKind>([
  [16, 'boolean'],
  [20, 'number'], // int8
  [21, 'number'], // int2
  [23, 'number'], // int4
  [700, 'number'], // float4
  [701, 'number'], // float8
  [1700, 'number'], // numeric
  [114, 'json'],
  [3802, 'json'], // jsonb
  [1082, 'time'], // date
  [1114, 'time'], // timestamp
  [1184, 'time'], // timestamptz
  [17, 'text'], // bytea
  [18, 'text'], // "char"
  [19, 'text'], // name
  [25, 'text'],
  [26, 'text'], // oid
  [142, 'text'], // xml
  [600, 'text'], // point
  [601, 'text'], // lseg
  [602, 'text'], // path
  [603, 'text'], // box
  [604, 'text'], // polygon
  [650, 'text'], // cidr
  [718, 'text'], // circle
  [774, 'text'], // macaddr8
  [790, 'text'], // money
  [829, 'text'], // macaddr
  [869, 'text'], // inet
  [1042, 'text'], // bpchar
  [1043, 'text'], // varchar
  [1083, 'text'], // time
  [1186, 'text'], // interval
  [1266, 'text'], // timetz
  [1560, 'text'], // bit
  [1562, 'text'], // varbit
  [2205, 'text'], // regclass
  [2206, 'text'], // regtype
  [2950, 'text'], // uuid
  [3220, 'text'], // pg_lsn
  [3614, 'text'], // tsvector
  [3615, 'text'], // tsquery
  [3904, 'text'], // int4range
  [3906, 'text'], // numrange
  [3908, 'text'], // tsrange
  [3910, 'text'], // tstzrange
  [3912, 'text'], // daterange
  [3926, 'text'], // int8range
]);

export function cellKind(type: number): CellKind | undefined {
  return KINDS.get(type);
}
