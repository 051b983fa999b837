// Workbooks (.xlsx): the sheet with coordinates in it, as a table; or every sheet, where rows have no places.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ok } from '../../../../kernel/result.ts';
import type { TaskFile } from '../../import-task.ts';
import { workbookFault } from '../check-workbook.ts';
import { asks, failed, type ImportFormat, type ReadContext } from '../format.ts';
import { type BooleanColumns, booleanColumns } from '../workbook-booleans.ts';
import { type CellForms, readTable } from './csv.ts';

export const excel: ImportFormat = {
  title: 'Excel',
  async read({ base }, context) {
    const fault = await workbookFault(base, context.limits);
    if (fault !== undefined) return failed(fault);
    const folder = join(context.folder, 'sheets');
    const gdal = await context.gdal();
    const done = await gdal.sheets(base.path, folder);
    if (!done.ok) return failed({ kind: 'unreadable', file: base.name, said: done.said });
    const sheets = await sheetsBySize(folder, base.name);
    if (sheets.length === 0) return failed({ kind: 'no-features', file: base.name });
    const { charset: _, ...answers } = context.answers;
    const wanted = answers.sheet === undefined ? sheets : sheets.filter(({ name }) => name === answers.sheet);
    if (wanted.length === 0)
      return failed({ kind: 'unreadable', file: base.name, said: noSheet(answers.sheet ?? '', sheets) });
    // Texts in a workbook are Unicode, whatever somebody says; the sheets were written as UTF-8.
    const here: ReadContext = { ...context, answers };
    const booleans = await booleanColumns(base.path);
    const isAll = answers.places === 'none' && answers.isOne !== true;
    const forms = (sheet: string): CellForms => cellForms(booleans.get(sheet) ?? onlyOf(booleans, sheets.length));
    if (context.mode === 'preview') return previewOne(wanted, sheets, base.name, here, forms);
    return isAll ? readAll(wanted, base.name, here, forms) : readOne(wanted, base.name, here, forms);
  },
};

type Sheet = TaskFile & { readonly size: number };
type Read = Awaited<ReturnType<typeof readTable>>;
type Forms = (sheet: string) => CellForms;

function cellForms(booleans: ReadonlySet<number> | undefined): CellForms {
  if (booleans === undefined || booleans.size === 0) return { asText: asShown, skipsFirst: true };
  const asValue = (cell: string, column: number): string =>
    booleans.has(column) ? (cell === '1' ? 'TRUE' : cell === '0' ? 'FALSE' : cell) : cell;
  return { asText: asShown, asValue, skipsFirst: true };
}

/** A single sheet is called like the file. */
function onlyOf(booleans: BooleanColumns, sheets: number): ReadonlySet<number> | undefined {
  return sheets === 1 && booleans.size === 1 ? [...booleans.values()][0] : undefined;
}

/** The largest sheet that has places, or whose rows are to have none. */
async function readOne(sheets: readonly Sheet[], file: string, context: ReadContext, forms: Forms): Promise<Read> {
  let first: Read | undefined;
  for (const { name, path } of sheets) {
    const read = await readTable({ name: file, path }, context, forms(name));
    if (read.ok || !(read.error.kind === 'question' && read.error.question.kind === 'columns')) {
      if (read.ok || sheets.length === 1) return read;
      if (isEmpty(read)) continue;
      return read;
    }
    const { columns } = read.error.question;
    const names = sheets.map(({ name }) => name);
    first ??= asks({ kind: 'columns', file, columns, ...(names.length > 1 ? { sheets: names } : {}) });
  }
  return first ?? failed({ kind: 'no-features', file });
}

/** The sheet that an import would take, with the names of all. */
async function previewOne(
  wanted: readonly Sheet[],
  all: readonly Sheet[],
  file: string,
  context: ReadContext,
  forms: Forms,
): Promise<Read> {
  let first: Read | undefined;
  for (const { name, path } of wanted) {
    const read = await readTable({ name: file, path }, context, forms(name));
    if (!read.ok || read.value.kind !== 'preview') {
      if (isEmpty(read) && wanted.length > 1) continue;
      return read;
    }
    const { preview } = read.value;
    const sheets = all.length > 1 ? all.map((sheet) => sheet.name) : [];
    const seen: Read = ok({ kind: 'preview', preview: { ...preview, sheet: all.length > 1 ? name : null, sheets } });
    if (preview.places !== 'unknown') return seen;
    first ??= seen;
  }
  return first ?? failed({ kind: 'no-features', file });
}

/** Every sheet with rows in it, each a table that is called like the sheet. */
async function readAll(sheets: readonly Sheet[], file: string, context: ReadContext, forms: Forms): Promise<Read> {
  const warnings: string[] = [];
  let isAny = false;
  for (const { name, path } of sheets) {
    const read = await readTable({ name: sheets.length === 1 ? file : name, path }, context, forms(name));
    if (read.ok) {
      isAny = true;
      if (read.value.kind === 'vector') warnings.push(...read.value.warnings);
    } else if (isEmpty(read)) {
      if (sheets.length > 1) warnings.push(`The sheet "${name}" has no rows: it was left out.`);
    } else return read;
  }
  if (!isAny) return failed({ kind: 'no-features', file });
  return ok(context.mode === 'inspect' ? { kind: 'layers', layers: [] } : { kind: 'vector', warnings });
}

function isEmpty(read: Read): boolean {
  return !read.ok && read.error.kind === 'failed' && read.error.failure.kind === 'no-features';
}

function noSheet(wanted: string, sheets: readonly Sheet[]): string {
  const names = sheets.slice(0, 20).map(({ name }) => `"${name}"`);
  return `there is no sheet "${wanted}" with cells in it, but ${names.join(', ')}`;
}

/** The largest first: the one that people mean. */
async function sheetsBySize(folder: string, file: string): Promise<Sheet[]> {
  const found: Sheet[] = [];
  const names = await readdir(folder).catch(() => undefined);
  // A single sheet is written as a file of that name.
  if (names === undefined)
    return (await stat(folder).catch(() => undefined))?.isFile() === true
      ? [{ name: file, path: folder, size: 0 }]
      : [];
  for (const name of names) {
    const path = join(folder, name);
    found.push({ name: name.replace(/\.csv$/i, ''), path, size: (await stat(path)).size });
  }
  return found.sort((a, b) => b.size - a.size);
}

/** Workbooks write 1.1 as 1.1000000000000001, the same double: among texts it is what people see in the cell. */
function asShown(cell: string): string {
  if (!/^-?\d+\.\d+(?:E[-+]?\d+)?$/.test(cell) || cell.replace(/\D/g, '').length <= 15) return cell;
  const number = Number(cell);
  const short = Number(number.toPrecision(15));
  return short === number ? String(short) : cell;
}
