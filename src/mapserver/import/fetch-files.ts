// The files of an import from the blob store into a folder, and the task of the reading process about them.

import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { diskFault } from '../../kernel/disk-fault.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Attempt } from './import-context.ts';
import { failed, type ImportStop } from './import-stop.ts';
import type { ReadTask } from './import-task.ts';

export async function makeTask(
  attempt: Attempt,
  mode: ReadTask['mode'],
  name: string,
): Promise<Result<ReadTask, ImportStop>> {
  const { options, limits, request, folder } = attempt;
  // Each run has a folder of its own: a reader moves its files about.
  const here = join(folder, name);
  await mkdir(here);
  const files = await fetchFiles(attempt, here);
  if (!files.ok) return files;
  return ok({ folder: here, files: files.value, engine: options.engine, answers: request.answers, mode, limits });
}

async function fetchFiles(
  { options, request, signal }: Attempt,
  into: string,
): Promise<Result<ReadTask['files'], ImportStop>> {
  const files: { name: string; path: string }[] = [];
  for (const [i, { name, blob }] of request.files.entries()) {
    const opened = await options.blobs.open(blob);
    if (!opened.ok) {
      if (opened.error.kind === 'no-such-blob') return failed({ kind: 'lost-file', file: name });
      return err({
        kind: 'unavailable',
        error: { kind: 'store', message: `the file ${name} is not there (${opened.error.kind})` },
      });
    }
    const path = join(into, `f${i}`);
    try {
      await pipeline(opened.value.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    } catch (error) {
      if (diskFault(error) === 'no-space') return failed({ kind: 'no-space' });
      throw error;
    }
    files.push({ name, path });
  }
  return ok(files);
}
