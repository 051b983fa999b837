// A task → rows on a pipe, and messages about them. The order: choose the dataset, let its format read it, say how it ended.

import { sep } from 'node:path';
import type { ReaderMessage, ReadTask } from '../import-task.ts';
import { chooseDataset } from './choose-dataset.ts';
import type { ReadContext } from './format.ts';
import { FORMATS } from './formats/index.ts';
import type { Gdal } from './gdal.ts';
import { makeNativeGdal } from './gdal-native.ts';
import { startWasmGdal } from './gdal-wasm.ts';
import type { FormatName } from './sniff.ts';

const PROGRESS_MS = 250;
/** Of these a preview tells something. */
const TABLES: ReadonlySet<FormatName> = new Set<FormatName>(['csv', 'excel']);

export async function readDataset(
  task: ReadTask,
  output: number,
  say: (message: ReaderMessage) => void,
): Promise<void> {
  const { folder, limits } = task;
  for (const { path } of task.files) {
    if (!path.startsWith(folder + sep)) throw new Error('a file outside of the work folder');
  }
  const chosen = await chooseDataset(task.files, folder, limits);
  if (!chosen.ok) return say({ kind: 'failed', failure: chosen.error });
  const { format, dataset, companions } = chosen.value;
  const reader = FORMATS[format];

  if (task.mode === 'preview' && !TABLES.has(format))
    return say({ kind: 'failed', failure: { kind: 'no-table', file: dataset.base.name, what: reader.title } });

  let gdal: Promise<Gdal> | undefined;
  let told = 0;
  const context: ReadContext = {
    folder,
    answers: task.answers,
    mode: task.mode,
    limits,
    gdal: () => {
      const { engine } = task;
      gdal ??=
        engine.kind === 'native'
          ? Promise.resolve(makeNativeGdal(engine, folder, limits))
          : startWasmGdal(folder, limits.unpackedBytes);
      return gdal;
    },
    output,
    begin: (charset, { ignored = [], types = [], hasTables = false } = {}) =>
      say({
        kind: 'dataset',
        file: dataset.base.name,
        format: reader.title,
        charset,
        companions,
        ignored,
        types,
        hasTables,
      }),
    progress: (read, total) => {
      const now = performance.now();
      if (now - told < PROGRESS_MS) return;
      told = now;
      say({ kind: 'progress', read, total });
    },
  };
  const end = await reader.read(dataset, context);
  if (!end.ok) {
    return say(
      end.error.kind === 'failed'
        ? { kind: 'failed', failure: end.error.failure }
        : { kind: 'question', question: end.error.question },
    );
  }
  switch (end.value.kind) {
    case 'layers':
      return say({ kind: 'layers', layers: end.value.layers });
    case 'preview':
      return say({ kind: 'preview', preview: { ...end.value.preview, format: reader.title } });
    case 'raster':
      say({ kind: 'raster', raster: end.value.raster });
      return say({ kind: 'done', warnings: end.value.warnings });
    case 'vector':
      return say({ kind: 'done', warnings: end.value.warnings });
  }
}
