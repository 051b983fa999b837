// Features in a file → the same in a format of GDAL's: by the system's own program where it is installed, else by the one that came
// with us, in a process of its own. Bounded in time; whatever happens, the process is gone when this resolves.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { err, ok, type Result } from '../../kernel/result.ts';
import { nodeCommand, readByScript } from '../gdal/node-command.ts';
import { inSandbox, type Sandbox } from '../gdal/sandbox.ts';
import { NOT_OPENED, SOURCE } from './source-vrt.ts';

export type Converter =
  /** Features are strangers' data, too. */
  | { readonly kind: 'native'; readonly program: string; readonly sandbox: Sandbox }
  /** `script`: of the process, where it is not the one that stands with this module. */
  | { readonly kind: 'wasm'; readonly script?: string; readonly sandbox?: Sandbox };

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
  const [program = '', ...rest] = commandOf(converter, folder, output, args);
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(program, rest, {
      cwd: folder,
      // Settings and passwords of the program are none of its business.
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        TMPDIR: folder,
        LC_ALL: 'C.UTF-8',
        OGR2OGR_USE_ARROW_API: 'NO',
        // Its schema of virtual datasets knows fewer types than it reads.
        GDAL_XML_VALIDATION: 'NO',
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
      if (code === 0 && !said.includes(NOT_OPENED)) resolve(ok(join(folder, output)));
      else resolve(err({ kind: 'not-converted', said: said.replaceAll(folder, '').slice(0, 500) }));
    });
  });
}

const OWN_SCRIPT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './convert-child.ts' : './convert-child.js', import.meta.url),
);

function commandOf(converter: Converter, folder: string, output: string, args: readonly string[]): readonly string[] {
  if (converter.kind === 'native') {
    const command = [converter.program, ...args, join(folder, output), join(folder, SOURCE)];
    return inSandbox(converter.sandbox, { folder, readable: [] }, command);
  }
  const { script = OWN_SCRIPT, sandbox } = converter;
  const command = [...nodeCommand(script, undefined), folder, output, ...args];
  return sandbox === undefined ? command : inSandbox(sandbox, { folder, readable: readByScript(script) }, command);
}
