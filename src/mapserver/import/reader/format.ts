// The contract of the formats. Adding one is adding a file to `formats/`, a line to its table, and a way to recognise it.

import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../../kernel/result.ts';
import type { TablePreview } from '../../../layer-ports/table-choices.ts';
import type { ImportFailure, Question } from '../import-failure.ts';
import type { Answers, InspectedLayer, KnownTypes, RasterResult, ReadTask, TaskFile } from '../import-task.ts';
import type { Gdal, VectorSource } from './gdal.ts';

export type Dataset = {
  readonly base: TaskFile;
  /** Files that belong to it, by extension: `.dbf`. */
  readonly parts: ReadonlyMap<string, TaskFile>;
  /** Files of the same format that are one dataset with it: the others of a KMZ. */
  readonly others?: readonly TaskFile[];
};

export type ReadContext = {
  /** To write in. */
  readonly folder: string;
  readonly answers: Answers;
  readonly mode: ReadTask['mode'];
  readonly limits: { readonly unpackedBytes: number; readonly members: number };
  /** Started when it is asked for. */
  readonly gdal: () => Promise<Gdal>;
  /** Where the dump goes. */
  readonly output: number;
  /** Before the first row: in which character set the data were, and what is to be known of the columns. */
  readonly begin: (charset: string, about?: AboutColumns) => void;
  readonly progress: (read: number, total: number) => void;
};

export type Stop =
  | { readonly kind: 'failed'; readonly failure: ImportFailure }
  | { readonly kind: 'question'; readonly question: Question };

export type ReadEnd =
  | { readonly kind: 'vector'; readonly warnings: readonly string[] }
  | { readonly kind: 'raster'; readonly raster: RasterResult; readonly warnings: readonly string[] }
  | { readonly kind: 'layers'; readonly layers: readonly InspectedLayer[] }
  | { readonly kind: 'preview'; readonly preview: TablePreview };

export type ImportFormat = {
  /** As people call it. */
  readonly title: string;
  read(dataset: Dataset, context: ReadContext): Promise<Result<ReadEnd, Stop>>;
};

export function failed(failure: ImportFailure): { readonly ok: false; readonly error: Stop } {
  return { ok: false, error: { kind: 'failed', failure } };
}

export function asks(question: Question): { readonly ok: false; readonly error: Stop } {
  return { ok: false, error: { kind: 'question', question } };
}

type AboutColumns = {
  /** Columns that are not the file's own. */
  readonly ignored?: readonly string[];
  readonly types?: KnownTypes;
  /** Layers without a geometry are tables that somebody made. */
  readonly hasTables?: boolean;
};

export type GdalReading = AboutColumns & {
  readonly extension: string;
  readonly charset?: string;
  /** How often the driver goes through the file. */
  readonly passes?: number;
};

/** All of a vector dataset by GDAL. */
export async function readByGdal(
  { base, parts }: Dataset,
  context: ReadContext,
  source: Partial<VectorSource> & { readonly driver: string },
  { extension, charset = 'UTF-8', passes = 1, ...about }: GdalReading,
): Promise<Result<ReadEnd, Stop>> {
  const gdal = await context.gdal();
  // Some drivers look at the name.
  const path = join(context.folder, `data${extension}`);
  if (base.path !== path) await rename(base.path, path);
  const whole: VectorSource = {
    path,
    openOptions: [],
    layers: [],
    crs: context.answers.crs,
    keepsKeys: false,
    hasShortNumbers: false,
    hasHeights: false,
    ...source,
  };
  if (context.mode === 'inspect') {
    return { ok: true, value: { kind: 'layers', layers: await gdal.inspect(whole) } };
  }
  let total = 0;
  for (const file of [path, ...[...parts.values()].map((part) => part.path)]) total += (await stat(file)).size * passes;
  context.begin(charset, about);
  const done = await gdal.dump(whole, context.output, (read) => context.progress(Math.min(read, total), total));
  if (!done.ok) return failed({ kind: 'unreadable', file: base.name, said: done.said });
  return { ok: true, value: { kind: 'vector', warnings: done.warnings } };
}
