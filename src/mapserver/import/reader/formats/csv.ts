// Tables as separated values: points from two columns, or geometries from one. Read here and not by GDAL: types are found by
// looking at every row, lines with mistakes are named, and the result is the same whatever version of GDAL there is.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../../../kernel/result.ts';
import {
  type CellType,
  type ColumnChoice,
  DATE_ORDERS,
  type DateOrder,
  type PreviewColumn,
  type TableChoices,
  type TablePreview,
} from '../../../../layer-ports/table-choices.ts';
import type { TaskFile } from '../../import-task.ts';
import { MAX_COLUMNS } from '../../max-columns.ts';
import { type CoordinateColumns, guessCoordinates } from '../coordinate-columns.ts';
import { CsvError, type CsvRow, csvRows, guessSeparator } from '../csv-rows.ts';
import { startLayer } from '../dump-writer.ts';
import { asks, failed, type ImportFormat, type ReadContext, type ReadEnd, type Stop } from '../format.ts';
import { type CellReading, makeDateOrders, readCell } from '../read-cell.ts';
import { readHead } from '../read-head.ts';
import { firstLineNotUtf8, knownCharset, markedCharset, toUtf8 } from '../text-encoding.ts';
import { type ColumnGuess, guessColumn, type ValueType } from '../value-type.ts';

export const csv: ImportFormat = {
  title: 'CSV',
  read: ({ base }, context) => readTable(base, context),
};

type Survey = {
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  /** Rows above the names, which are neither names nor values. */
  readonly above: number;
  readonly reading: CellReading;
  /** Of each column: what was chosen of it. */
  readonly chosen: readonly (ColumnChoice | undefined)[];
  /** Of each column: cells with nothing in them, those that cannot be read as was chosen, and whether it looks like dates. */
  readonly looks: readonly {
    readonly empty: number;
    readonly lost: number;
    readonly lines: readonly number[];
    readonly dates: readonly DateOrder[];
  }[];
  /** The first rows, for who looks at them before. */
  readonly first: readonly (readonly string[])[];
  readonly isPart: boolean;
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
  const { path, charset } = text.value;
  const warnings = [...text.value.warnings];
  const choices = context.answers.table ?? {};
  const separator = choices.delimiter ?? guessSeparator((await readHead(path)).toString('utf8'));
  const bare: Source = { path, separator, skipsFirst: forms.skipsFirst === true, above: 0 };
  const total = (await stat(path)).size * 2;
  try {
    const source = { ...bare, above: await rowsAbove(bare, choices.header) };
    if (source.above > 0 && choices.header === undefined)
      warnings.push(`${file.name}: ${source.above} rows above the names of the columns were left out`);
    const most = context.mode === 'preview' ? PREVIEW_ROWS : Number.POSITIVE_INFINITY;
    const survey = await surveyTable(source, choices, forms.asValue, most, (read) => context.progress(read, total));
    if (survey.names.length > MAX_COLUMNS)
      return failed({ kind: 'too-many-columns', file: file.name, columns: survey.names.length, limit: MAX_COLUMNS });
    if (survey.rows === 0) return failed({ kind: 'no-features', file: file.name });
    const columns = chosenColumns(survey, context);
    if (context.mode === 'preview')
      return ok({
        kind: 'preview',
        preview: {
          ...previewOf(survey, columns, charset, separator),
          misplaced: await misplacedRows(source, survey, columns, most),
        },
      });
    if (columns.kind === 'unknown') return asks({ kind: 'columns', file: file.name, columns: survey.names });
    const srid = await findSrid(source, survey, columns, context);
    if (srid === undefined) return asks({ kind: 'crs', file: file.name });
    if (context.mode === 'inspect') return ok({ kind: 'layers', layers: [] });
    context.begin(charset);
    const written = await writeTable(source, survey, columns, srid, file, context, forms, (read) =>
      context.progress(total / 2 + read, total),
    );
    return written.ok ? ok({ kind: 'vector', warnings: [...warnings, ...lossesOf(survey)] }) : written;
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
type Source = {
  readonly path: string;
  readonly separator: string;
  readonly skipsFirst: boolean;
  /** Further rows that are skipped. */
  readonly above: number;
};

/** Tells, row by row, how far it has read. */
async function* rowsOf(
  { path, separator, skipsFirst, above }: Source,
  onRead: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 });
  const chunks = (async function* (): AsyncGenerator<string> {
    for await (const chunk of stream as AsyncIterable<string>) {
      onRead(stream.bytesRead);
      yield chunk;
    }
  })();
  let skipped = (skipsFirst ? 1 : 0) + above;
  for await (const row of csvRows(chunks, separator)) {
    if (skipped > 0) skipped -= 1;
    else yield skipsFirst ? { ...row, line: row.line - 1 } : row;
  }
}

/** Of a preview: whatever is told of a longer table is told of these. */
const PREVIEW_ROWS = 200_000;
const FIRST_ROWS = 20;
const MAX_SHOWN = 200;
/** Names stand below a title and a blank line or two. */
const MAX_ABOVE = 10;
const MAX_LINES = 10;

/**
 * Rows that stand above the names of the columns: what somebody says, or a title: rows of which only one cell has a text, above one that fills
 * most cells with texts that are no numbers.
 */
async function rowsAbove(source: Source, header: number | undefined): Promise<number> {
  if (header !== undefined) return Math.max(0, header - 1);
  const filled: number[] = [];
  let isTitle = true;
  for await (const { cells } of rowsOf(source, () => {})) {
    const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const isNames = texts.length > 2 && texts.length * 2 > cells.length && texts.every((cell) => !isNumeral(cell));
    if (isNames && isTitle) return filled.length;
    isTitle &&= texts.length === 1 && !isNumeral(texts[0] ?? '');
    filled.push(texts.length);
    if (!isTitle || filled.length >= MAX_ABOVE) return 0;
  }
  return 0;
}

function isNumeral(cell: string): boolean {
  return Number.isFinite(Number(cell.replace(',', '.')));
}

type Loss = { count: number; readonly lines: number[] };

type ColumnLook = {
  empty: number;
  /** By the way in which its cells can be read: what cannot be read so. */
  readonly losses: ReadonlyMap<Way, Loss>;
  readonly dates: ReturnType<typeof makeDateOrders>;
};

/** A decimal sign or an order of dates, as the type of the column wants it. */
type Way = '.' | ',' | DateOrder | 'any';

/** Those that somebody has chosen; all of them, where nobody has. */
function waysOf(type: CellType | undefined, { decimal, dates }: TableChoices): readonly Way[] {
  if (type === undefined) return [];
  if (type === 'number') return decimal === undefined ? ['.', ','] : [decimal];
  if (type === 'date' || type === 'time') return dates === undefined ? DATE_ORDERS : [dates];
  return ['any'];
}

const readingOf = (way: Way): CellReading => ({
  comma: way === ',',
  dates: way === 'dmy' || way === 'mdy' ? way : 'ymd',
});

/** The way in which most can be read. Days and months that could be either are for somebody to say. */
function leastLoss<W extends Way>(ways: readonly W[], looks: readonly ColumnLook[]): W | undefined {
  const lost = (way: W): number => looks.reduce((sum, { losses }) => sum + (losses.get(way)?.count ?? 0), 0);
  const least = Math.min(...ways.map(lost));
  const best = ways.filter((way) => lost(way) === least);
  return best.length === 1 || best.length === ways.length ? best[0] : undefined;
}

async function surveyTable(
  source: Source,
  choices: TableChoices,
  asValue: CellForms['asValue'],
  most: number,
  onRead: (bytes: number) => void,
): Promise<Survey> {
  const comma = choices.decimal === undefined ? source.separator !== ',' : choices.decimal === ',';
  const first: string[][] = [];
  let chosen: (ColumnChoice | undefined)[] = [];
  let looks: ColumnLook[] = [];
  let isPart = false;
  let names: string[] | undefined;
  let hasHeader = true;
  let guesses: ColumnGuess[] = [];
  let samples: string[] = [];
  let rows = 0;
  for await (const { cells, line } of rowsOf(source, onRead)) {
    if (rows >= most) {
      isPart = true;
      break;
    }
    if (names === undefined) {
      // A row of numbers is no header.
      hasHeader =
        choices.header === undefined
          ? !cells.some((cell) => cell.trim() !== '' && Number.isFinite(Number(cell)))
          : choices.header > 0;
      names = cells.map((cell, i) => (hasHeader && cell.trim() !== '' ? cell.trim() : `field_${i + 1}`));
      if (names.length > MAX_COLUMNS) break;
      names = unique(names);
      guesses = names.map(() => guessColumn(comma));
      chosen = names.map((name) => choices.columns?.[name]);
      looks = names.map((_, i) => ({
        empty: 0,
        losses: new Map(waysOf(chosen[i]?.type, choices).map((way) => [way, { count: 0, lines: [] }])),
        dates: makeDateOrders(),
      }));
      samples = names.map(() => '');
      if (hasHeader) continue;
    }
    rows += 1;
    if (first.length < FIRST_ROWS) first.push(cells.map((cell) => cell.slice(0, MAX_SHOWN)));
    for (let i = 0; i < guesses.length; i += 1) {
      const cell = (cells[i] ?? '').trim();
      const value = asValue === undefined ? cell : asValue(cell, i);
      guesses[i]?.look(value);
      const look = looks[i];
      if (look === undefined) continue;
      look.dates.look(value);
      if (value === '') look.empty += 1;
      const type = chosen[i]?.type;
      if (type !== undefined)
        for (const [way, loss] of look.losses) {
          if (readCell(value, type, readingOf(way)) !== undefined) continue;
          loss.count += 1;
          if (loss.lines.length < MAX_LINES) loss.lines.push(line);
        }
      if (samples[i] === '' && value !== '') samples[i] = value;
    }
  }
  return {
    names: names ?? [],
    hasHeader,
    above: source.above,
    ...readingsOf(choices, looks, guesses),
    chosen,
    first,
    isPart,
    guesses,
    rows,
    samples,
  };
}

function readingsOf(
  { decimal, dates }: TableChoices,
  looks: readonly ColumnLook[],
  guesses: readonly ColumnGuess[],
): Pick<Survey, 'reading' | 'looks'> {
  const isComma = guesses.some(({ type }) => type.comma);
  const sign = decimal ?? leastLoss(isComma ? [',', '.'] : ['.', ','], looks) ?? '.';
  const order = dates ?? leastLoss(DATE_ORDERS, looks) ?? 'ymd';
  const reading: CellReading = { comma: sign === ',', dates: order };
  return {
    reading,
    looks: looks.map(({ empty, losses, dates: seen }) => {
      const { count, lines } = losses.get(sign) ?? losses.get(order) ?? losses.get('any') ?? { count: 0, lines: [] };
      return { empty, lost: count, lines, dates: seen.orders };
    }),
  };
}

/** As a dump names them. */
const DUMPED: Readonly<Record<CellType, ValueType>> = {
  text: 'varchar',
  integer: 'bigint',
  number: 'float8',
  boolean: 'boolean',
  date: 'date',
  time: 'timestamp with time zone',
};

const SHOWN: Readonly<Record<ValueType, CellType>> = {
  varchar: 'text',
  integer: 'integer',
  bigint: 'integer',
  float8: 'number',
  boolean: 'boolean',
  date: 'date',
  'timestamp with time zone': 'time',
};

/** What could not be read as was chosen, in words. */
function lossesOf({ names, looks, chosen, rows }: Survey): readonly string[] {
  return names.flatMap((name, i) => {
    const { lost = 0, lines = [], empty = 0 } = looks[i] ?? {};
    const type = chosen[i]?.type;
    if (lost === 0 || type === undefined || chosen[i]?.skip === true) return [];
    return [`${lost} of ${rows - empty} values of "${name}" are no ${TYPE_WORDS[type]}: lines ${lines.join(', ')}`];
  });
}

const TYPE_WORDS: Readonly<Record<CellType, string>> = {
  text: 'texts',
  integer: 'whole numbers',
  number: 'numbers',
  boolean: 'yes or no',
  date: 'dates',
  time: 'times',
};

function previewOf(
  { names, hasHeader, above, reading, chosen, looks, guesses, first, rows, isPart }: Survey,
  columns: CoordinateColumns,
  charset: string,
  delimiter: string,
): Omit<TablePreview, 'misplaced'> {
  const isComma = reading.comma || guesses.some(({ type }) => type.comma);
  return {
    format: 'table',
    charset,
    delimiter,
    sheet: null,
    sheets: [],
    decimal: isComma ? ',' : '.',
    dates: reading.dates,
    header: hasHeader ? above + 1 : 0,
    rows,
    isPart,
    places: columns.kind === 'xy' ? 'columns' : columns.kind === 'wkt' ? 'geometries' : columns.kind,
    placed: (columns.kind === 'xy' ? [columns.x, columns.y] : columns.kind === 'wkt' ? [columns.column] : []).flatMap(
      (i) => names[i] ?? [],
    ),
    columns: names.map(
      (name, i): PreviewColumn => ({
        name,
        type: chosen[i]?.type ?? SHOWN[guesses[i]?.type.name ?? 'varchar'],
        empty: looks[i]?.empty ?? 0,
        lost: { count: looks[i]?.lost ?? 0, lines: looks[i]?.lines ?? [] },
        dates: looks[i]?.dates ?? [],
        skip: chosen[i]?.skip === true,
        as: chosen[i]?.name ?? null,
      }),
    ),
    first,
  };
}

/** Rows at which an import would stop. */
async function misplacedRows(
  source: Source,
  { hasHeader }: Survey,
  columns: CoordinateColumns,
  most: number,
): Promise<TablePreview['misplaced']> {
  const lines: number[] = [];
  let count = 0;
  if (columns.kind !== 'xy') return { count, lines };
  let rows = hasHeader ? -1 : 0;
  for await (const { cells, line } of rowsOf(source, () => {})) {
    rows += 1;
    if (rows < 1) continue;
    if (rows > most) break;
    if (geometryOf(cells, columns, 0, () => '') !== undefined) continue;
    count += 1;
    if (lines.length < MAX_LINES) lines.push(line);
  }
  return { count, lines };
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
  { names, guesses, hasHeader, samples, chosen, reading }: Survey,
  columns: CoordinateColumns,
  srid: number,
  file: TaskFile,
  context: ReadContext,
  { asText = (cell) => cell, asValue }: CellForms,
  onRead: (bytes: number) => void,
): Promise<Result<undefined, Stop>> {
  const types = guesses.map(({ type }) => type);
  const kept = names.flatMap((name, i) => {
    const choice = chosen[i];
    if ((columns.kind === 'wkt' && columns.column === i) || choice?.skip === true) return [];
    const as = choice?.type;
    const type = as === undefined ? (types[i]?.name ?? 'varchar') : DUMPED[as];
    return [{ name: choice?.name ?? name, i, type, as }];
  });
  // A column that is called like another one now has a number behind its name.
  const called = unique(kept.map(({ name }) => name));
  const is3d = columns.kind === 'wkt' && /^\S*\s*Z\b|POINTZ|STRINGZ|POLYGONZ/i.test(samples[columns.column] ?? '');
  const writer = startLayer(context.output, {
    name: file.name,
    srid,
    geometry: columns.kind === 'wkt' ? 'GEOMETRY' : 'POINT',
    dimension: is3d ? 3 : 2,
    fields: kept.map((column, at) => ({ ...column, name: called[at] ?? column.name })),
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
      kept.map(({ i, type, as }) => {
        const read = cells[i] ?? '';
        const cell = asValue === undefined ? read : asValue(read, i);
        if (as !== undefined && as !== 'text') return readCell(cell, as, reading) ?? null;
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
