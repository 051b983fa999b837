import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReadTask } from './import-task.ts';
import { runReader } from './run-reader.ts';

const MB = 1024 ** 2;

describe('the reading process', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'survest-reader-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A reader of our own making, which ends only when it is ended. */
  function runScript(text: string, limits: { seconds: number; memoryBytes: number }, signal?: AbortSignal) {
    const script = join(folder, 'reader.mjs');
    writeFileSync(script, text);
    const task: ReadTask = {
      folder,
      files: [],
      engine: { kind: 'wasm' },
      answers: {},
      mode: 'read',
      limits: { unpackedBytes: 1, members: 1, memoryBytes: 2048 * MB },
    };
    const events = { onMessage: () => {}, onRows: () => Promise.resolve() };
    return runReader(task, limits, events, signal ?? new AbortController().signal, script);
  }

  const HOLD = 'const held = [];\n';
  const STAY = 'setInterval(() => held.length, 1000);\n';

  test('is ended when it takes more memory than it may', async () => {
    const greedy = `${HOLD}for (let i = 0; i < 40; i++) held.push(Buffer.alloc(10 * ${MB}, 1));\n${STAY}`;
    expect(await runScript(greedy, { seconds: 60, memoryBytes: 200 * MB })).toEqual({
      ok: false,
      error: { kind: 'too-much-memory', bytes: 200 * MB },
    });
  });

  test('is ended with all that it has started, whose memory counts as its own', async () => {
    const child = `const h = []; for (let i = 0; i < 40; i++) h.push(Buffer.alloc(10 * ${MB}, 1)); setInterval(() => h, 1000)`;
    const parent = `import { spawn } from 'node:child_process';\n${HOLD}spawn(process.execPath, ['-e', ${JSON.stringify(child)}]);\n${STAY}`;
    expect(await runScript(parent, { seconds: 60, memoryBytes: 300 * MB })).toMatchObject({
      error: { kind: 'too-much-memory' },
    });
  });

  test('that is killed itself leaves nothing that would be waited for', async () => {
    const child = `import { spawn } from 'node:child_process';
      const left = spawn(process.execPath, ['-e', 'setInterval(() => 1, 1000)'], { stdio: 'inherit' });
      left.once('spawn', () => process.kill(process.pid, 'SIGKILL'));\n`;
    expect(await runScript(child, { seconds: 60, memoryBytes: 2048 * MB })).toMatchObject({
      error: { kind: 'crashed', how: 'SIGKILL' },
    });
  });

  test('is ended when it takes longer than it may', async () => {
    expect(await runScript(`${HOLD}${STAY}`, { seconds: 0.2, memoryBytes: 2048 * MB })).toEqual({
      ok: false,
      error: { kind: 'too-long', seconds: 0.2 },
    });
  });

  test('that does what it should within its limits is let be', async () => {
    expect(await runScript('process.exit(0);\n', { seconds: 60, memoryBytes: 2048 * MB })).toEqual({
      ok: true,
      value: undefined,
    });
  });
});
