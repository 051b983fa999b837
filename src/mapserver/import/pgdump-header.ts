// One statement of a dump (GDAL's PGDump format) → what it tells of a layer. Names in it come from the file that was uploaded
// and may hold anything, quotes and line ends included: they are read as SQL reads them.

export type DumpStatement =
  | { readonly kind: 'table'; readonly name: string }
  /** `type` as AddGeometryColumn takes it: POINT, MULTIPOLYGON, GEOMETRY, LINESTRINGM … */
  | { readonly kind: 'geometry'; readonly srid: number; readonly type: string; readonly dimension: number }
  | { readonly kind: 'column'; readonly name: string; readonly type: string }
  | { readonly kind: 'copy'; readonly columns: readonly string[] }
  | { readonly kind: 'other' };

export function parseDumpStatement(text: string): DumpStatement {
  const statement = text.trim();
  if (statement.startsWith('CREATE TABLE ')) {
    const name = qualifiedName(statement, 'CREATE TABLE '.length);
    return name === undefined ? { kind: 'other' } : { kind: 'table', name: name.value };
  }
  if (statement.startsWith('SELECT AddGeometryColumn(')) {
    const found = /,(-?\d+),'([A-Z]+)',(\d)\)$/.exec(statement);
    if (found === null) return { kind: 'other' };
    return { kind: 'geometry', srid: Number(found[1]), type: found[2] ?? '', dimension: Number(found[3]) };
  }
  if (statement.startsWith('ALTER TABLE ')) return parseAddColumn(statement);
  if (statement.startsWith('COPY ')) return parseCopy(statement);
  return { kind: 'other' };
}

export type DumpHead = { readonly name: string; readonly columns: { readonly name: string; readonly type: string }[] };

/** The tables of a dump without rows. */
export function readDumpHead(text: string): DumpHead[] {
  const tables: DumpHead[] = [];
  let backslashes = true;
  for (let at = 0, end = 0; ; at = end) {
    end = statementEnd(text, at, backslashes);
    if (end < 0) return tables;
    const statement = text.slice(at, end - 1);
    if (/^\s*SET standard_conforming_strings\s*=\s*ON/.test(statement)) backslashes = false;
    const parsed = parseDumpStatement(statement);
    if (parsed.kind === 'table') tables.push({ name: parsed.name, columns: [] });
    else if (parsed.kind === 'column') tables.at(-1)?.columns.push({ name: parsed.name, type: parsed.type });
  }
}

function parseAddColumn(statement: string): DumpStatement {
  const table = qualifiedName(statement, 'ALTER TABLE '.length);
  const marker = ' ADD COLUMN ';
  if (table === undefined || !statement.startsWith(marker, table.end)) return { kind: 'other' };
  const column = quotedName(statement, table.end + marker.length);
  if (column === undefined) return { kind: 'other' };
  const type = statement
    .slice(column.end)
    .trim()
    .replace(/\s(?:CONSTRAINT|NOT NULL|NULL|DEFAULT|UNIQUE|PRIMARY KEY|GENERATED)\b.*$/is, '')
    .trimEnd();
  return { kind: 'column', name: column.value, type: type.toLowerCase() };
}

function parseCopy(statement: string): DumpStatement {
  const table = qualifiedName(statement, 'COPY '.length);
  if (table === undefined) return { kind: 'other' };
  const columns: string[] = [];
  let at = statement.indexOf('(', table.end);
  while (at >= 0 && (statement[at] === '(' || statement[at] === ',')) {
    const name = quotedName(statement, statement[at + 1] === ' ' ? at + 2 : at + 1);
    if (name === undefined) break;
    columns.push(name.value);
    at = name.end;
  }
  return { kind: 'copy', columns };
}

type Name = { readonly value: string; readonly end: number };

/** `"schema"."table"`, of which the last part counts. */
function qualifiedName(text: string, at: number): Name | undefined {
  let name = quotedName(text, at);
  while (name !== undefined && text[name.end] === '.') name = quotedName(text, name.end + 1);
  return name;
}

function quotedName(text: string, at: number): Name | undefined {
  if (text[at] !== '"') return undefined;
  let value = '';
  for (let i = at + 1; i < text.length; i += 1) {
    const char = text[i];
    if (char !== '"') value += char;
    else if (text[i + 1] === '"') {
      value += '"';
      i += 1;
    } else return { value, end: i + 1 };
  }
  return undefined;
}

/**
 * Where the statement that begins at `start` ends (behind its semicolon), looking past semicolons in names and literals; -1:
 * not in what there is of it. `backslashes`: whether `\` escapes the next character of a literal.
 */
export function statementEnd(text: string, start: number, backslashes: boolean): number {
  for (let i = start; i < text.length; i += 1) {
    const char = text[i];
    if (char === ';') return i + 1;
    if (char !== '"' && char !== "'") continue;
    i = quoteEnd(text, i, char, backslashes && char === "'");
    if (i < 0) return -1;
  }
  return -1;
}

function quoteEnd(text: string, start: number, quote: string, backslashes: boolean): number {
  for (let i = start + 1; i < text.length; i += 1) {
    if (backslashes && text[i] === '\\') i += 1;
    else if (text[i] === quote) {
      if (text[i + 1] !== quote) return i;
      i += 1;
    }
  }
  return -1;
}
