// Features in a file → the same in a format of GDAL's: by the system's own program where it is installed, else by the one that came
// with us, in a process of its own. Bounded in time; whatever happens, the process is gone when this resolves.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { err, ok, type Result } from '../../kernel/result.ts';
import { INPUT } from './gdal-formats.ts';

export type Converter =
  | { readonly kind: 'native'; readonly program: string }
  /** `script`: of the process, where it is not the one that stands with this module. */
  | { readonly kind: 'wasm'; readonly script?: string };

export type ConvertError = { readonly kind: 'not-converted'; readonly said: string };

const CONVERT_MS = 15 * 60_000;
const MAX_SAID = 4000;

export async function convert(
  converter: Converter,
  folder: string,
  output: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Result<string, ConvertError>> {
  const command =
    converter.kind === 'native'
      ? { program: converter.program, args: [...args, join(folder, output), join(folder, INPUT)] }
      : { program: process.execPath, args: [...childScript(converter.script), folder, output, ...args] };
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(command.program, command.args, {
      // From the sources, the loader is found from here.
      cwd: converter.kind === 'wasm' ? process.cwd() : folder,
      // Settings and passwords of the program are none of its business.
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        TMPDIR: folder,
        LC_ALL: 'C.UTF-8',
        OGR2OGR_USE_ARROW_API: 'NO',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: CONVERT_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < MAX_SAID) said += text;
    });
    child.once('error', (error) => resolve(err({ kind: 'not-converted', said: String(error) })));
    child.once('close', (code) => {
      if (code === 0) resolve(ok(join(folder, output)));
      else resolve(err({ kind: 'not-converted', said: said.replaceAll(folder, '').slice(0, 500) }));
    });
  });
}

/** Compiled, the program is JavaScript; from the sources it needs the loader that this process was started with. */
function childScript(given: string | undefined): readonly string[] {
  if (given !== undefined) return [given];
  const isSource = import.meta.url.endsWith('.ts');
  const script = fileURLToPath(new URL(isSource ? './convert-child.ts' : './convert-child.js', import.meta.url));
  return isSource ? ['--import', 'tsx', script] : [script];
}
