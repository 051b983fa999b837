// The reading process: a task from its standard input, messages and rows through two pipes. It runs a stranger's file through
// parsers, so it has nothing: no database, no network, no environment, one folder. If it dies, one import has failed.

import type { ReaderMessage, ReadTask } from '../import-task.ts';
import { writeAll } from './dump-writer.ts';
import { readDataset } from './read-dataset.ts';

/** Descriptors, after the three that every process has. */
const ROWS = 3;
const MESSAGES = 4;

function say(message: ReaderMessage): void {
  writeAll(MESSAGES, Buffer.from(`${JSON.stringify(message)}\n`));
}

/** The task is one line. The pipe stays open until whoever started this has gone; then there is nobody to read for. */
function receiveTask(): Promise<ReadTask> {
  return new Promise((resolve) => {
    let text = '';
    process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n')) resolve(JSON.parse(text) as ReadTask);
    });
    process.stdin.once('end', () => process.exit(3));
  });
}

receiveTask()
  .then((task) => readDataset(task, ROWS, say))
  .then(
    () => process.exit(0),
    (error: unknown) => {
      // Not the stack: of a compiled module it is a line of many thousand characters.
      process.stderr.write(`${error instanceof Error ? error.message.slice(0, 2000) : String(error).slice(0, 2000)}\n`);
      process.exit(1);
    },
  );
