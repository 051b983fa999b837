// Which columns of a workbook's sheets hold TRUE and FALSE. GDAL hands these cells on as 1 and 0, and nobody could tell them from numbers. Read from
// the sheets themselves, which are only parsed where such a cell is in them.

import { SaxesParser } from 'saxes';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** By the name of the sheet: columns, counted from 0, whose cells below the names are all of them booleans. */
export type BooleanColumns = ReadonlyMap<string, ReadonlySet<number>>;

/** `path`: of a workbook that was found harmless. What cannot be read has none: GDAL says what is wrong with it. */
export async function booleanColumns(path: string): Promise<BooleanColumns> {
  const found = new Map<string, ReadonlySet<number>>();
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false, lazyEntries: true, validateEntrySizes: true });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    for (const [name, part] of await sheetParts(zip, entries)) {
      const entry = entries.get(part);
      if (entry === undefined || !(await hasBoolean(zip, entry))) continue;
      found.set(name, await columnsOf(zip, entry));
    }
  } catch {
    return found;
  } finally {
    zip?.close();
  }
  return found;
}

/** Names of sheets, and the parts that they are in. */
async function sheetParts(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  await parse(zip, entries.get('xl/_rels/workbook.xml.rels'), ({ name, attributes: { Id = '', Target = '' } }) => {
    if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
  });
  const parts = new Map<string, string>();
  await parse(zip, entries.get('xl/workbook.xml'), ({ name, attributes }) => {
    const part = targets.get(attributes['r:id'] ?? '');
    if (local(name) === 'sheet' && part !== undefined) parts.set(attributes['name'] ?? '', part);
  });
  return parts;
}

const MARK = /t\s*=\s*["']b["']/;
const LONGEST_MARK = 16;

async function hasBoolean(zip: ZipFile, entry: Entry): Promise<boolean> {
  let rest = '';
  for await (const text of textOf(zip, entry)) {
    const here = rest + text;
    if (MARK.test(here)) return true;
    rest = here.slice(-LONGEST_MARK);
  }
  return false;
}

async function columnsOf(zip: ZipFile, entry: Entry): Promise<ReadonlySet<number>> {
  const booleans = new Set<number>();
  const others = new Set<number>();
  let row = 0;
  let column = -1;
  await parse(zip, entry, ({ name, attributes }) => {
    const tag = local(name);
    if (tag === 'row') {
      row += 1;
      column = -1;
    } else if (tag === 'c') {
      const { r = '', t = 'n' } = attributes;
      column = columnOf(r) ?? column + 1;
      if (t === 'b') booleans.add(column);
      // The first row has the names. An empty cell has a style and no value: what it is, the tag inside says.
    } else if ((tag === 'v' || tag === 'is') && row > 1 && !booleans.has(column)) others.add(column);
  });
  for (const mixed of others) booleans.delete(mixed);
  return booleans;
}

/** `BC12` → 54. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

type Tag = { readonly name: string; readonly attributes: Readonly<Record<string, string>> };

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

async function parse(zip: ZipFile, entry: Entry | undefined, onTag: (tag: Tag) => void): Promise<void> {
  if (entry === undefined) return;
  const parser = new SaxesParser();
  parser.on('opentag', onTag);
  parser.on('error', (error) => {
    throw error;
  });
  for await (const text of textOf(zip, entry)) parser.write(text);
  parser.close();
}

async function* textOf(zip: ZipFile, entry: Entry): AsyncGenerator<string> {
  const stream = await zip.openReadStreamPromise(entry);
  stream.setEncoding('utf8');
  for await (const chunk of stream as AsyncIterable<string>) yield chunk;
}
