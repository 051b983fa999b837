// Tables as separated values: points from two columns, or geometries from one. Read here and not by GDAL: types are found by
// looking at every row, lines with mistakes are named, and the result is the same whatever version of GDAL there is.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../../../kernel/result.ts';
import type { TaskFile } from '../../import-task.ts';
import { MAX_COLUMNS } from '../../max-columns.ts';
import { type CoordinateColumns, guessCoordinates } from '../coordinate-columns.ts';
import { CsvError, type CsvRow, csvRows, guessSeparator } from '../csv-rows.ts';
import { startLayer } from '../dump-writer.ts';
import { asks, failed, type ImportFormat, type ReadContext, type ReadEnd, type Stop } from '../format.ts';
import { readHead } from '../read-head.ts';
import { firstLineNotUtf8, knownCharset, markedCharset, toUtf8 } from '../text-encoding.ts';
import { type ColumnGuess, guessColumn } from '../value-type.ts';

export const csv: ImportFormat = {
  title: 'CSV',
  read: ({ base }, context) => readTable(base, context),
};

type Survey = {
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  readonly guesses: readonly ColumnGuess[];
  readonly rows: number;
  /** First value of each column that has one. */
  readonly samples: readonly string[];
};

/** What a cell is, where that is not what stands in it. */
export type CellForms = {
  /** In a column of texts. */
  readonly asText?: (cell: string) => string;
  /** In whatever column, counted from 0, before its type is guessed. */
  readonly asValue?: (cell: string, column: number) => string;
  /** The first row is neither names nor values. */
  readonly skipsFirst?: boolean;
};

export async function readTable(
  file: TaskFile,
  context: ReadContext,
  forms: CellForms = {},
): Promise<Result<ReadEnd, Stop>> {
  const text = await asUtf8(file, context);
  if (!text.ok) return text;
  const { path, charset, warnings } = text.value;
  const separator = guessSeparator((await readHead(path)).toString('utf8'));
  const source: Source = { path, separator, skipsFirst: forms.skipsFirst === true };
  const total = (await stat(path)).size * 2;
  try {
    const survey = await surveyTable(source, forms.asValue, (read) => context.progress(read, total));
    if (survey.names.length > MAX_COLUMNS)
      return failed({ kind: 'too-many-columns', file: file.name, columns: survey.names.length, limit: MAX_COLUMNS });
    if (survey.rows === 0) return failed({ kind: 'no-features', file: file.name });
    const columns = chosenColumns(survey, context);
    if (columns.kind === 'unknown') return asks({ kind: 'columns', file: file.name, columns: survey.names });
    const srid = await findSrid(source, survey, columns, context);
    if (srid === undefined) return asks({ kind: 'crs', file: file.name });
    if (context.mode === 'inspect') return ok({ kind: 'layers', layers: [] });
    context.begin(charset);
    const written = await writeTable(source, survey, columns, srid, file, context, forms, (read) =>
      context.progress(total / 2 + read, total),
    );
    return written.ok ? ok({ kind: 'vector', warnings }) : written;
  } catch (error) {
    if (error instanceof CsvError)
      return failed({ kind: 'bad-row', file: file.name, line: error.line, said: error.message });
    throw error;
  }
}

async function asUtf8(
  file: TaskFile,
  { folder, answers }: ReadContext,
): Promise<Result<{ path: string; charset: string; warnings: readonly string[] }, Stop>> {
  const said = answers.charset === undefined ? undefined : knownCharset(answers.charset);
  if (answers.charset !== undefined && said === undefined)
    return failed({ kind: 'unknown-charset', charset: answers.charset });
  const marked = markedCharset(await readHead(file.path, 4));
  let charset = marked ?? said ?? 'utf-8';
  const warnings: string[] = [];
  if (charset === 'utf-8') {
    if ((await firstLineNotUtf8(file.path)) === undefined) return ok({ path: file.path, charset: 'UTF-8', warnings });
    charset = 'windows-1252';
    warnings.push(`${file.name} is not UTF-8: it was read as windows-1252`);
  }
  const path = join(folder, 'utf8.csv');
  await toUtf8(file.path, path, charset);
  return ok({ path, charset, warnings });
}

/** A table as text in UTF-8. */
type Source = { readonly path: string; readonly separator: string; readonly skipsFirst: boolean };

/** Tells, row by row, how far it has read. */
async function* rowsOf(
  { path, separator, skipsFirst }: Source,
  onRead: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 });
  const chunks = (async function* (): AsyncGenerator<string> {
    for await (const chunk of stream as AsyncIterable<string>) {
      onRead(stream.bytesRead);
      yield chunk;
    }
  })();
  let isFirst = skipsFirst;
  for await (const row of csvRows(chunks, separator)) {
    if (!isFirst) yield skipsFirst ? { ...row, line: row.line - 1 } : row;
    isFirst = false;
  }
}

async function surveyTable(
  source: Source,
  asValue: CellForms['asValue'],
  onRead: (bytes: number) => void,
): Promise<Survey> {
  let names: string[] | undefined;
  let hasHeader = true;
  let guesses: ColumnGuess[] = [];
  let samples: string[] = [];
  let rows = 0;
  for await (const { cells } of rowsOf(source, onRead)) {
    if (names === undefined) {
      // A row of numbers is no header.
      hasHeader = !cells.some((cell) => cell.trim() !== '' && Number.isFinite(Number(cell)));
      names = cells.map((cell, i) => (hasHeader && cell.trim() !== '' ? cell.trim() : `field_${i + 1}`));
      if (names.length > MAX_COLUMNS) break;
      names = unique(names);
      guesses = names.map(() => guessColumn(source.separator !== ','));
      samples = names.map(() => '');
      if (hasHeader) continue;
    }
    rows += 1;
    for (let i = 0; i < guesses.length; i += 1) {
      const cell = (cells[i] ?? '').trim();
      const value = asValue === undefined ? cell : asValue(cell, i);
      guesses[i]?.look(value);
      if (samples[i] === '' && value !== '') samples[i] = value;
    }
  }
  return { names: names ?? [], hasHeader, guesses, rows, samples };
}

function unique(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  });
}

function chosenColumns({ names, samples }: Survey, { answers }: ReadContext): CoordinateColumns {
  const indexOf = (name: string | undefined): number => (name === undefined ? -1 : names.indexOf(name.trim()));
  if (answers.places === 'none') return { kind: 'none' };
  const wkt = indexOf(answers.wkt);
  if (wkt >= 0) return { kind: 'wkt', column: wkt };
  const [x, y] = [indexOf(answers.x), indexOf(answers.y)];
  if (x >= 0 && y >= 0) {
    const guess = guessCoordinates([names[x] ?? '', names[y] ?? ''], () => false);
    return { kind: 'xy', x, y, isDegrees: guess.kind === 'xy' && guess.isDegrees };
  }
  return guessCoordinates(names, (i) => isGeometryText(samples[i] ?? ''));
}

function isGeometryText(value: string): boolean {
  return /^(?:SRID=\d+;)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)\b/i.test(value) || isHex(value);
}

function isHex(value: string): boolean {
  return /^0[01][0-9a-f]{16,}$/i.test(value) && value.length % 2 === 0;
}

/** Undefined: somebody has to say. */
async function findSrid(
  source: Source,
  { samples, hasHeader }: Survey,
  columns: CoordinateColumns,
  { answers }: ReadContext,
): Promise<number | undefined> {
  // Of a column of nothing, which goes when the table is finished.
  if (columns.kind === 'none') return 4326;
  const said = /^EPSG:(\d{1,6})$/i.exec(answers.crs ?? '')?.[1];
  if (said !== undefined) return Number(said);
  if (columns.kind === 'wkt') {
    const written = /^SRID=(\d+);/i.exec(samples[columns.column] ?? '')?.[1];
    return written === undefined ? undefined : Number(written);
  }
  if (columns.kind === 'unknown') return undefined;
  if (columns.isDegrees) return 4326;
  // Columns called x and y: degrees if all of them could be.
  let isFirst = hasHeader;
  for await (const { cells } of rowsOf(source, () => {})) {
    if (isFirst) {
      isFirst = false;
      continue;
    }
    const x = parseNumber(cells[columns.x] ?? '');
    const y = parseNumber(cells[columns.y] ?? '');
    if (x !== undefined && Math.abs(x) > 180) return undefined;
    if (y !== undefined && Math.abs(y) > 90) return undefined;
  }
  return 4326;
}

async function writeTable(
  source: Source,
  { names, guesses, hasHeader, samples }: Survey,
  columns: CoordinateColumns,
  srid: number,
  file: TaskFile,
  context: ReadContext,
  { asText = (cell) => cell, asValue }: CellForms,
  onRead: (bytes: number) => void,
): Promise<Result<undefined, Stop>> {
  const types = guesses.map(({ type }) => type);
  const kept = names.flatMap((name, i) =>
    columns.kind === 'wkt' && columns.column === i ? [] : [{ name, i, type: types[i]?.name ?? 'varchar' }],
  );
  const is3d = columns.kind === 'wkt' && /^\S*\s*Z\b|POINTZ|STRINGZ|POLYGONZ/i.test(samples[columns.column] ?? '');
  const writer = startLayer(context.output, {
    name: file.name,
    srid,
    geometry: columns.kind === 'wkt' ? 'GEOMETRY' : 'POINT',
    dimension: is3d ? 3 : 2,
    fields: kept,
  });
  const point = makePointWriter(srid);
  let isFirst = hasHeader;
  for await (const { cells, line } of rowsOf(source, onRead)) {
    if (isFirst) {
      isFirst = false;
      continue;
    }
    const geometry = geometryOf(cells, columns, srid, point);
    if (geometry === undefined) {
      const said = columns.kind === 'xy' ? coordinateFault(cells, names, columns) : 'there is no geometry.';
      return failed({ kind: 'bad-row', file: file.name, line, said });
    }
    writer.row(
      geometry,
      kept.map(({ i, type }) => {
        const read = cells[i] ?? '';
        const cell = asValue === undefined ? read : asValue(read, i);
        return type === 'varchar' ? textValue(asText(cell)) : cellValue(cell, types[i]?.comma === true);
      }),
    );
  }
  writer.end();
  return ok(undefined);
}

/** Undefined: it cannot be read. Null: there is none. */
function geometryOf(
  cells: readonly string[],
  columns: CoordinateColumns,
  srid: number,
  point: (x: number, y: number) => string,
): string | null | undefined {
  if (columns.kind === 'wkt') {
    const value = (cells[columns.column] ?? '').trim();
    if (value === '') return null;
    if (isHex(value)) return value.toUpperCase();
    // Tabs and line ends of a geometry are blanks to it.
    const text = value.replace(/[\s\\]+/g, ' ');
    return /^SRID=/i.test(text) ? text : `SRID=${srid};${text}`;
  }
  if (columns.kind === 'none') return null;
  if (columns.kind === 'unknown') return undefined;
  const [left, right] = [(cells[columns.x] ?? '').trim(), (cells[columns.y] ?? '').trim()];
  if (left === '' && right === '') return null;
  const x = parseNumber(left);
  const y = parseNumber(right);
  return x === undefined || y === undefined ? undefined : point(x, y);
}

function coordinateFault(
  cells: readonly string[],
  names: readonly string[],
  { x, y }: { readonly x: number; readonly y: number },
): string {
  const column = parseNumber((cells[x] ?? '').trim()) === undefined ? x : y;
  return `"${(cells[column] ?? '').slice(0, 50)}" in the column "${names[column]}" is not a coordinate.`;
}

/** With a decimal point or comma. */
function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d{1,3})?$/.test(trimmed)) return undefined;
  const number = Number(trimmed.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}

/** PostgreSQL has no NUL in its texts. */
function textValue(cell: string): string {
  return cell.replaceAll('\0', '');
}

function cellValue(cell: string, comma: boolean): string | null {
  const value = cell.trim();
  if (value === '') return null;
  return comma ? value.replace(',', '.') : value;
}

function makePointWriter(srid: number): (x: number, y: number) => string {
  const bytes = Buffer.alloc(25);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(0x20000001, 1);
  bytes.writeUInt32LE(srid, 5);
  return (x, y) => {
    bytes.writeDoubleLE(x, 9);
    bytes.writeDoubleLE(y, 17);
    return bytes.toString('hex').toUpperCase();
  };
}
