// GeoJSON, whole or a feature per line: always UTF-8, unless somebody says otherwise.

import { join } from 'node:path';
import type { Result } from '../../../../kernel/result.ts';
import type { KnownTypes, TaskFile } from '../../import-task.ts';
import { MAX_COLUMNS } from '../../max-columns.ts';
import { failed, type ImportFormat, type ReadContext, readByGdal, type Stop } from '../format.ts';
import { countJsonColumns } from '../json-columns.ts';
import { readHead } from '../read-head.ts';
import { firstLineNotUtf8, knownCharset, markedCharset, toUtf8 } from '../text-encoding.ts';

export const geojson: ImportFormat = geojsonFormat('GeoJSON', 'GeoJSON', '.geojson');
export const geojsonLines: ImportFormat = geojsonFormat('GeoJSON lines', 'GeoJSONSeq', '.geojsonl');

function geojsonFormat(title: string, driver: string, extension: string): ImportFormat {
  return {
    title,
    async read(dataset, context) {
      const text = await inUtf8(dataset.base, context);
      if (!text.ok) return text;
      const { count, hasShortNumbers, hasHeights, mixed } = await countJsonColumns(text.value.path, MAX_COLUMNS);
      if (count > MAX_COLUMNS) return tooManyColumns(dataset.base.name, count);
      return readByGdal(
        { ...dataset, base: text.value },
        context,
        { driver, hasShortNumbers, hasHeights },
        // Once to learn the columns, once to read.
        { extension, passes: 2, types: asTexts(mixed) },
      );
    },
  };
}

function asTexts(columns: readonly string[]): KnownTypes {
  return columns.map((column) => [column, 'varchar']);
}

function tooManyColumns(file: string, columns: number): Result<never, Stop> {
  return failed({ kind: 'too-many-columns', file, columns, limit: MAX_COLUMNS });
}

async function inUtf8(file: TaskFile, { folder, answers }: ReadContext): Promise<Result<TaskFile, Stop>> {
  const marked = markedCharset(await readHead(file.path, 4));
  const said = answers.charset === undefined ? undefined : knownCharset(answers.charset);
  if (answers.charset !== undefined && said === undefined)
    return failed({ kind: 'unknown-charset', charset: answers.charset });
  const charset = marked ?? said ?? 'utf-8';
  if (charset === 'utf-8') {
    const line = await firstLineNotUtf8(file.path);
    if (line !== undefined) return failed({ kind: 'bad-encoding', file: file.name, charset: 'UTF-8', line });
    if (marked === undefined) return { ok: true, value: file };
  }
  const path = join(folder, 'utf8.json');
  await toUtf8(file.path, path, charset);
  return { ok: true, value: { name: file.name, path } };
}
