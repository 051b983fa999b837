// The folder of a schema → its files, in the order in which they are applied.
//
//   roles.sql, <room>/tables.sql, <room>/rows.sql                 what an empty database gets, once
//   <room>/{functions,views,policies,triggers}.sql                what is as the file says it, in every database
//   changes/NNNN-name.sql                                         what alters tables that hold rows, once each, in order of number

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { err, ok, type Result } from '../../kernel/result.ts';

export type SchemaFile = { readonly file: string; readonly sql: string; readonly checksum: string };

export type Change = SchemaFile & { readonly number: number };

export type SchemaFiles = {
  /** For an empty database; they describe the tables as they are after the last change. */
  readonly tables: readonly SchemaFile[];
  /** From `tables` back to what they were before the first change; undefined: there is no change yet. */
  readonly baseline: SchemaFile | undefined;
  readonly repeated: readonly SchemaFile[];
  readonly changes: readonly Change[];
};

export type SchemaFault =
  | { readonly kind: 'unreadable-folder'; readonly folder: string }
  /** The name does not begin with a number, or with one that another file has. */
  | { readonly kind: 'bad-number'; readonly file: string }
  /** A file in no room of the list, or with a name that no room has: it would never be applied. */
  | { readonly kind: 'stray-file'; readonly file: string };

const ONCE = ['tables', 'rows'];
const REPEATED = ['functions', 'views', 'policies', 'triggers'];
const CHANGES = 'changes';
/** Not a change: what all of them did, undone. */
const BASELINE = `${CHANGES}/baseline.sql`;

export async function readSchemaFiles(
  folder: string | URL,
  rooms: readonly string[],
  beginnings: Readonly<Record<string, string | URL>> = {},
): Promise<Result<SchemaFiles, SchemaFault>> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder;
  const all = await sqlFilesOf(path);
  if (all === undefined) return err({ kind: 'unreadable-folder', folder: path });
  for (const [name, place] of Object.entries(beginnings))
    all.set(name, schemaFile(name, (await readSql(place)) + (all.get(name)?.sql ?? '')));
  const inRooms = (kinds: readonly string[]): readonly SchemaFile[] =>
    kinds.flatMap((kind) => rooms.flatMap((room) => all.get(`${room}/${kind}.sql`) ?? []));
  const changes = new Map<number, Change>();
  for (const found of all.values()) {
    if (!found.file.startsWith(`${CHANGES}/`) || found.file === BASELINE) continue;
    const number = Number(/^changes\/(\d{1,9})[-_.]/.exec(found.file)?.[1] ?? Number.NaN);
    if (Number.isNaN(number) || changes.has(number)) return err({ kind: 'bad-number', file: found.file });
    changes.set(number, { ...found, number, file: found.file.slice(`${CHANGES}/`.length) });
  }
  const files: SchemaFiles = {
    tables: [...[all.get('roles.sql') ?? []].flat(), ...inRooms(ONCE)],
    baseline: all.get(BASELINE),
    repeated: inRooms(REPEATED),
    changes: [...changes.values()].sort((a, b) => a.number - b.number),
  };
  const known = new Set([...files.tables, ...files.repeated].map(({ file }) => file));
  const stray = [...all.keys()].find((file) => !known.has(file) && !file.startsWith(`${CHANGES}/`));
  return stray === undefined ? ok(files) : err({ kind: 'stray-file', file: stray });
}

async function sqlFilesOf(path: string): Promise<Map<string, SchemaFile> | undefined> {
  const names = await readdir(path, { recursive: true }).catch(() => undefined);
  if (names === undefined) return undefined;
  const files = new Map<string, SchemaFile>();
  for (const name of names.filter((each) => each.endsWith('.sql')).sort()) {
    const file = name.replaceAll('\\', '/');
    files.set(file, schemaFile(file, await readSql(join(path, name))));
  }
  return files;
}

/** Line ends are the checkout's business, not a change. */
async function readSql(place: string | URL): Promise<string> {
  return (await readFile(place, 'utf8')).replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}

function schemaFile(file: string, sql: string): SchemaFile {
  return { file, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
