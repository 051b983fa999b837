// Names of a file's fields → names of a table's columns: lower case, letters, digits and underscores of any script, unique, short
// enough, and none that SQL or the REST service means something else by. The name in the file stays the label.

import { trimEndOf } from '../kernel/trim-end.ts';

/** PostgreSQL cuts longer names. */
const MAX_BYTES = 63;

/** Words that SQL reserves, columns that every table has, and parameters of the REST service, which would shadow a filter. */
const TAKEN: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
   concurrently constraint create cross current_catalog current_date current_role current_schema current_time
   current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full
   grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime
   localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning right
   select session_user similar some symmetric system_user table tablesample then to trailing true union unique user using
   variadic verbose when where window with
   tableoid xmin cmin xmax cmax ctid
   columns on_conflict`.split(/\s+/),
);

export type ColumnNames = ReadonlyMap<string, string>;

/** `reserved` are names the table has besides. Fields of the same name have their place in the map only once. */
export function columnNames(fields: readonly string[], reserved: readonly string[]): ColumnNames {
  const taken = new Set(reserved);
  const names = new Map<string, string>();
  for (const field of fields) {
    if (names.has(field)) continue;
    const name = freeName(safeName(field, 'field'), taken);
    taken.add(name);
    names.set(field, name);
  }
  return names;
}

/** Letters, digits and underscores; never empty, never a digit first. */
function safeName(text: string, otherwise: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_]+/gu, '_');
  const plain = trimEndOf(words.replace(/^_+/, ''), '_');
  const name = plain === '' ? otherwise : /^\p{N}/u.test(plain) ? `_${plain}` : plain;
  return cutToBytes(TAKEN.has(name) ? `${name}_` : name, MAX_BYTES);
}

/** The name itself, or with the first number behind it that nobody has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n += 1) {
    const suffix = `_${n}`;
    const candidate = cutToBytes(name, MAX_BYTES - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

/** As much of it as fits, whole characters only. */
export function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let cut = '';
  let bytes = 0;
  for (const char of text) {
    bytes += Buffer.byteLength(char);
    if (bytes > limit) break;
    cut += char;
  }
  return cut;
}
