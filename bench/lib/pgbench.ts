// The ceiling: pgbench sends the same statements, prepared and pipelined, as fast as one C program can.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type PlainStatement = { readonly text: string; readonly params: readonly (string | null)[] };

export type PgbenchOptions = {
  readonly bin: string;
  readonly uri: string;
  readonly clients: number;
  readonly seconds: number;
};

/** Transactions a second of the statements as one pipeline, in one implicit transaction. */
export async function pgbench(statements: readonly PlainStatement[], options: PgbenchOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'survest-bench-'));
  try {
    const variables: string[] = [];
    const lines = statements.map(({ text, params }) => {
      const names = params.map((value) => {
        variables.push(`v${variables.length}=${value ?? ''}`);
        return `:v${variables.length - 1}`;
      });
      return `${text.replaceAll(/\$(\d+)/g, (_, n: string) => names[Number(n) - 1] ?? '').replaceAll(/\s*\n\s*/g, ' ')};`;
    });
    const script = join(folder, 'script.sql');
    await writeFile(script, ['\\startpipeline', ...lines, '\\endpipeline', ''].join('\n'));
    const { stdout } = await promisify(execFile)(join(options.bin, 'pgbench'), [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${options.clients}`,
      '--jobs=1',
      `--time=${options.seconds}`,
      `--file=${script}`,
      ...variables.map((variable) => `--define=${variable}`),
      options.uri,
    ]);
    const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench printed no rate:\n${stdout}`);
    return Number(tps);
  } finally {
    await rm(folder, { recursive: true });
  }
}
