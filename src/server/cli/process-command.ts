// survest process: a layer made of layers from the command line, by the same road as a job, in this process. Nothing is left of one that fails.

import { makeCallerDb } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessDescription, ProcessFault, ProcessInput, SentInputs } from '../../layer-ports/process.ts';
import { isKilledReader, isPassingFailure } from '../../mapserver/import/import-failure.ts';
import { importFailureText } from '../../mapserver/import/import-failure-text.ts';
import { FIRST_ADMIN } from '../../portal/accounts/first-admin.ts';
import { createExecution } from '../../portal/processes/create-execution.ts';
import { makeImportTurns } from '../../portal/uploads/import-turns.ts';
import { importUpload } from '../../portal/uploads/import-upload.ts';
import { deleteUpload, findUpload } from '../../portal/uploads/upload-store.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import { makeProgressBar } from '../command-line/progress-bar.ts';
import { openBlobStore } from '../portal/open-blob-store.ts';
import { BEAT_MS, openImporter, openProcesses } from '../portal/open-imports.ts';
import { findCaller, HELD, type ImportCommandParts, INFO, layersText, said, whyNotOpened } from './import-command.ts';

export type ProcessCommand = Extract<Command, { kind: 'process' }>;

export async function runProcessCommand(command: ProcessCommand, parts: ImportCommandParts): Promise<ExitCode> {
  const complain = (message: string): ExitCode => {
    parts.err(`survest process: ${message}\n`);
    return EXIT.failed;
  };
  const opened = await parts.open();
  if (!opened.ok) return complain(whyNotOpened(opened.error));
  const { driver } = opened.value;
  const bar = makeProgressBar(parts.terminal);
  try {
    const migrated = await parts.migrate(driver);
    if (!migrated.ok) return complain(migrated.error.message);
    const db = makeCallerDb(driver);
    const blobs = await openBlobStore(parts.config, db);
    const processes = openProcesses(db, blobs, parts.config);
    if (command.process === undefined) {
      parts.out(processes.list.map(listed).join('\n'));
      return EXIT.done;
    }
    const process = processes.list.find(({ id }) => id === command.process);
    if (process === undefined)
      return complain(`there is no process ${JSON.stringify(command.process)}; survest process lists them`);
    const inputs = parseInputs(process, command.inputs);
    if (!inputs.ok) return complain(inputs.error);
    const caller = await findCaller(db, command.as ?? FIRST_ADMIN);
    if (!caller.ok) return complain(caller.error.message);
    const request = { process: process.id, inputs: inputs.value };
    const checked = await processes.check(caller.value, INFO, request);
    if (!checked.ok) return complain(faultText(checked.error));
    const wanted = { request, checked: checked.value, title: command.title, target: undefined };
    const made = await createExecution(db, HELD, caller.value, INFO, wanted);
    if (!made.ok)
      return complain(made.error.kind === 'too-many' ? 'too many jobs are under way' : said(made.error.error));
    const { id } = made.value;
    await importUpload(
      {
        db,
        blobs,
        importer: openImporter(driver, blobs, parts.config, { kind: 'wasm' }),
        processes: {
          ...processes,
          run: (caller, id, request, onProgress, signal, publish) =>
            processes.run(
              caller,
              id,
              request,
              (progress) => {
                const share = Math.min(1, progress.rows / Math.max(1, progress.expected));
                bar.show(process.title, { share, note: `${progress.rows.toLocaleString('en')} rows` });
                onProgress(progress);
              },
              signal,
              publish,
            ),
        },
        failureText: importFailureText,
        isPassing: isPassingFailure,
        isKill: isKilledReader,
        turns: makeImportTurns(),
        maxAttempts: 1,
        beatMs: BEAT_MS,
      },
      id,
      parts.signal,
    ).catch((error: unknown) => {
      if (!parts.signal.aborted) throw error;
    });
    bar.clear();
    const upload = await findUpload(db, caller.value, INFO, { id });
    if (!upload.ok) return complain(said(upload.error));
    if (upload.value?.state === 'PROCESSED') {
      parts.out(`${await layersText(db, caller.value, upload.value)}\n`);
      return EXIT.done;
    }
    await deleteUpload(db, caller.value, INFO, id);
    return complain(
      parts.signal.aborted ? 'stopped; nothing was made' : (upload.value?.session.error_msg ?? 'it failed'),
    );
  } finally {
    bar.clear();
    await opened.value.close();
  }
}

/** A process and its inputs, in a few lines. */
function listed({ id, title, description, inputs }: ProcessDescription): string {
  const lines = Object.entries(inputs).map(
    ([name, input]) => `    ${name}${input.isOptional === true ? ' (optional)' : ''}: ${input.title}`,
  );
  return `${id}: ${title}. ${description}\n${lines.join('\n')}\n`;
}

/** `name=value` → a value of the kind that the input has. What cannot be one is for the process to refuse. */
function parseInputs({ inputs }: ProcessDescription, written: readonly string[]): Result<SentInputs, string> {
  const sent: Record<string, unknown> = {};
  for (const one of written) {
    const at = one.indexOf('=');
    const name = one.slice(0, Math.max(0, at));
    const input = inputs[name];
    if (at < 1) return err(`${JSON.stringify(one)} is not written as input=value`);
    if (input === undefined) return err(`there is no input ${JSON.stringify(name)}`);
    sent[name] = inputValue(input, one.slice(at + 1));
  }
  return ok(sent);
}

function inputValue({ kind }: ProcessInput, text: string): unknown {
  switch (kind) {
    case 'number':
    case 'band':
      return text.trim() === '' ? text : Number(text);
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'layers':
      return text.split(',').map((name) => name.trim());
    case 'layer':
    case 'raster':
    case 'choice':
    case 'column':
    case 'filter':
    case 'text':
      return text;
  }
}

function faultText(fault: ProcessFault): string {
  switch (fault.kind) {
    case 'no-such-process':
      return 'there is no such process';
    case 'bad-inputs':
      return Object.entries(fault.inputs)
        .map(([name, why]) => `${name}: ${why}`)
        .join(' ');
    case 'refused':
      return fault.said;
    case 'database':
      return said(fault.error);
  }
}
