// Workbooks (.xlsx): the sheet with coordinates in it, as a table.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { workbookFault } from '../check-workbook.ts';
import { failed, type ImportFormat, type ReadContext } from '../format.ts';
import { readTable } from './csv.ts';

export const excel: ImportFormat = {
  title: 'Excel',
  async read({ base }, context) {
    const fault = await workbookFault(base, context.limits);
    if (fault !== undefined) return failed(fault);
    const folder = join(context.folder, 'sheets');
    const gdal = await context.gdal();
    const done = await gdal.sheets(base.path, folder);
    if (!done.ok) return failed({ kind: 'unreadable', file: base.name, said: done.said });
    const sheets = await filesBySize(folder);
    if (sheets.length === 0) return failed({ kind: 'no-features', file: base.name });
    // Texts in a workbook are Unicode, whatever somebody says; the sheets were written as UTF-8.
    const { charset: _, ...answers } = context.answers;
    const here: ReadContext = { ...context, answers };
    let first: Awaited<ReturnType<typeof readTable>> | undefined;
    for (const path of sheets) {
      const read = await readTable({ name: base.name, path }, here, asShown);
      if (read.ok || !(read.error.kind === 'question' && read.error.question.kind === 'columns')) {
        if (read.ok || sheets.length === 1) return read;
        if (read.error.kind === 'failed' && read.error.failure.kind === 'no-features') continue;
        return read;
      }
      first ??= read;
    }
    return first ?? failed({ kind: 'no-features', file: base.name });
  },
};

/** The largest first: the one that people mean. */
async function filesBySize(folder: string): Promise<string[]> {
  const found: { path: string; size: number }[] = [];
  const names = await readdir(folder).catch(() => undefined);
  // A single sheet is written as a file of that name.
  if (names === undefined) return (await stat(folder).catch(() => undefined))?.isFile() === true ? [folder] : [];
  for (const name of names) {
    const path = join(folder, name);
    found.push({ path, size: (await stat(path)).size });
  }
  return found.sort((a, b) => b.size - a.size).map(({ path }) => path);
}

/** Workbooks write 1.1 as 1.1000000000000001, the same double: among texts it is what people see in the cell. */
function asShown(cell: string): string {
  if (!/^-?\d+\.\d+(?:E[-+]?\d+)?$/.test(cell) || cell.replace(/\D/g, '').length <= 15) return cell;
  const number = Number(cell);
  const short = Number(number.toPrecision(15));
  return short === number ? String(short) : cell;
}
