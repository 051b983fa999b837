// A file → what the reading process says of the table in it: in the same process, sandbox and bounds as an import.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { TablePreview } from '../../layer-ports/table-choices.ts';
import { makeTask } from './fetch-files.ts';
import type { Attempt } from './import-context.ts';
import { failed, type ImportStop } from './import-stop.ts';
import { runReader } from './run-reader.ts';

export async function readPreview(attempt: Attempt): Promise<Result<TablePreview, ImportStop>> {
  const { options, limits, signal } = attempt;
  const task = await makeTask(attempt, 'preview', 'preview');
  if (!task.ok) return task;
  let preview: TablePreview | undefined;
  let stop: ImportStop | undefined;
  const ran = await runReader(
    task.value,
    { seconds: limits.seconds, memoryBytes: limits.memoryBytes },
    {
      onMessage(message) {
        if (message.kind === 'preview') preview = message.preview;
        else if (message.kind === 'failed') stop = { kind: 'failed', failure: message.failure };
      },
      onRows: async () => {},
    },
    signal,
    options.reader,
  );
  if (stop !== undefined) return err(stop);
  if (!ran.ok) return failed(ran.error);
  return preview === undefined
    ? failed({ kind: 'no-features', file: attempt.request.files[0]?.name ?? '' })
    : ok(preview);
}
