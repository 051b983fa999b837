// Keeps what a run printed as a file of `bench/results`: machine, commit, figures, ratios and their spread.

import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BenchTable } from './report.ts';

export async function keepResults(names: readonly string[], tables: readonly BenchTable[]): Promise<string> {
  const folder = fileURLToPath(new URL('../results/', import.meta.url));
  await mkdir(folder, { recursive: true });
  const commit = git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' and changes');
  const date = new Date().toISOString().slice(0, 16);
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? '?'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const file = `${folder}${date.replaceAll(':', '')}-${names.join('-')}.json`;
  const shown = tables.map(({ title, rows }) => ({ title, rows: rows.map(rounded) }));
  await writeFile(
    file,
    `${JSON.stringify({ date, commit, machine, node: process.version, tables: shown }, undefined, 2)}\n`,
  );
  return file;
}

function rounded({ what, measured, reference, unit, target, rounds = [] }: BenchTable['rows'][number]): object {
  const two = (value: number): number => Math.round(value * 1000) / 1000;
  return {
    what,
    measured: two(measured),
    reference: two(reference),
    unit,
    ratio: two(measured / reference),
    ...(rounds.length < 2 ? {} : { lowest: two(Math.min(...rounds)), highest: two(Math.max(...rounds)) }),
    ...(target === undefined ? {} : { target }),
  };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
