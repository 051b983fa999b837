// A database that was made in a former way, by numbered files applied one after the other → the same database, kept by the files of today.
//
// What it must have stands in a text that was read off such a database when the way was changed: a line for the last file, and one for each
// column, index, function, view, policy and trigger. Whatever it has besides is somebody else's, and stays.

import { readFile } from 'node:fs/promises';
import type { Session, Statement } from '../driver.ts';
import type { RecordTables } from './schema-sql.ts';
import { asArray, formerObjects, keepFormerObjects, statement } from './schema-sql.ts';

export type FormerForm = {
  /** The last of its files. */
  readonly last: { readonly number: number; readonly file: string; readonly checksum: string };
  readonly lines: readonly string[];
};

/** The first line: `NUMBER FILE CHECKSUM`. */
export async function parseFormerForm(path: string | URL): Promise<FormerForm> {
  const [first = '', ...lines] = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n').trimEnd().split('\n');
  const [number = '', file = '', checksum = ''] = first.split(' ');
  return { last: { number: Number(number), file, checksum }, lines };
}

type Means = {
  ask(session: Session, ...statements: Statement[]): Promise<(string | null)[][]>;
  run(session: Session, file: string | null, sql: string): Promise<void>;
};

/** What the database lacks, a line each; nothing: its functions, views, policies and triggers are now recorded as ours, of no file. */
export async function takeOver(
  session: Session,
  former: FormerForm,
  { schemas, record }: { readonly schemas: readonly string[]; readonly record: RecordTables },
  { ask, run }: Means,
): Promise<readonly string[]> {
  const there = new Set((await ask(session, formerObjects(schemas))).map(([line]) => line));
  const lacks = former.lines.filter((line) => !there.has(line));
  if (lacks.length > 0) return lacks;
  await ask(session, statement(keepFormerObjects(record, schemas), asArray(former.lines)));
  await run(session, null, `delete from ${record.changes}`);
  return [];
}
