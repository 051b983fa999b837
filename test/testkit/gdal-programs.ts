// GDAL's programs as the tests use them to make files and to look into them, run by the GDAL that the program packages: what a test needs
// for its own files is on every machine. Files alone: what reads addresses is a client, and needs the programs of the machine.

import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { inject } from 'vitest';

export type GdalProgram = 'ogr2ogr' | 'ogrinfo' | 'gdal_translate' | 'gdalwarp' | 'gdalbuildvrt' | 'gdalinfo';

export type GdalRun = { readonly program: GdalProgram; readonly args: readonly string[] };
export type GdalSaid = { readonly ok: boolean; readonly text: string };

export type GdalPrograms = {
  /** Runs a program in the folder; names of files are relative to it, or paths into it. Returns what it says, throws what is wrong. */
  run(program: GdalProgram, args: readonly string[]): Promise<string>;
  close(): void;
};

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A process of its own, started when it is first asked for: there can be one GDAL in a process, and it sees one folder. */
export function makeGdalPrograms(folder: string): GdalPrograms {
  let child: Child | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function ask(running: Child, run: GdalRun): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      const stop = (): void => {
        running.stdout.off('data', hear);
        running.off('exit', gone);
      };
      const gone = (): void => {
        stop();
        reject(new Error(`GDAL ended at ${run.program} ${run.args.join(' ')}`));
      };
      const hear = (part: string): void => {
        text += part;
        if (!text.endsWith('\n')) return;
        stop();
        const said = JSON.parse(text) as GdalSaid;
        if (said.ok) resolve(said.text);
        else reject(new Error(said.text));
      };
      running.stdout.on('data', hear);
      running.once('exit', gone);
      running.stdin.write(`${JSON.stringify(run)}\n`);
    });
  }

  return {
    run(program, args) {
      if (child === undefined) {
        child = spawn(process.execPath, [inject('scripts').gdal], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
        child.stdout.setEncoding('utf8');
      }
      const running = child;
      const next = last.then(() => ask(running, { program, args }));
      last = next.catch(() => {});
      return next;
    },
    close: () => child?.stdin.end(),
  };
}

/** The same for who cannot wait: one process for these runs, which fails with the first of them that does. */
export function runGdal(
  folder: string,
  ...runs: readonly (readonly [program: GdalProgram, ...args: string[]])[]
): void {
  const input = runs.map(([program, ...args]) => `${JSON.stringify({ program, args } satisfies GdalRun)}\n`).join('');
  const said = execFileSync(process.execPath, [inject('scripts').gdal], { cwd: folder, input, encoding: 'utf8' });
  for (const line of said.trim().split('\n')) {
    const { ok, text } = JSON.parse(line) as GdalSaid;
    if (!ok) throw new Error(text);
  }
}

/** Cells of a tenth of a degree from 5° east and 45° north, all with the same value; GDAL makes anything else of it. */
export function asciiGrid(columns: number, rows: number, value: number): string {
  const line = Array.from({ length: columns }, () => value).join(' ');
  return `ncols ${columns}\nnrows ${rows}\nxllcorner 5\nyllcorner 45\ncellsize 0.1\n${`${line}\n`.repeat(rows)}`;
}
