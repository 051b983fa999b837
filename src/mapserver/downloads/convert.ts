// Features in a file → the same in a format of GDAL's: by the system's own program where it is installed, else by the one that came
// with us, in a process of its own. Bounded in time; whatever happens, the process is gone when this resolves.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { saysNoSpace } from '../../kernel/disk-fault.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { isFull } from '../gdal/is-full.ts';
import { nodeCommand, readByScript } from '../gdal/node-command.ts';
import { inSandbox, type Sandbox } from '../gdal/sandbox.ts';
import { NOT_OPENED, SOURCE } from './source-vrt.ts';

export type Converter =
  /** Features are strangers' data, too. */
  | { readonly kind: 'native'; readonly ogr2ogr: string; readonly ogrinfo: string; readonly sandbox: Sandbox }
  /** `script`: of the process, where it is not the one that stands with this module. */
  | { readonly kind: 'wasm'; readonly script?: string; readonly sandbox?: Sandbox };

export type ConvertError = { readonly kind: 'not-converted' | 'no-space'; readonly said: string };

const CONVERT_MS = 15 * 60_000;
const MAX_SAID = 4000;
/** FlatGeobuf's words; what it has written by then is gone when it ends. */
const UNWRITTEN = /I\/O failure: writing/;

/** `statements`: SQL to be run in the output, one after another. */
export async function convert(
  converter: Converter,
  folder: string,
  output: string,
  args: readonly string[],
  signal: AbortSignal,
  statements: readonly string[] = [],
): Promise<Result<string, ConvertError>> {
  for (const command of commandsOf(converter, folder, output, args, statements)) {
    const done = await run(command, folder, signal);
    if (!done.ok) return done;
  }
  return ok(join(folder, output));
}

function run(
  { program: [program = '', ...rest], isFailure }: Command,
  folder: string,
  signal: AbortSignal,
): Promise<Result<void, ConvertError>> {
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
      if (code === 0 && !isFailure(said)) resolve(ok(undefined));
      else {
        const kind = saysNoSpace(said) || UNWRITTEN.test(said) || isFull(folder) ? 'no-space' : 'not-converted';
        resolve(err({ kind, said: said.replaceAll(folder, '').slice(0, 500) }));
      }
    });
  });
}

const OWN_SCRIPT = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './convert-child.ts' : './convert-child.js', import.meta.url),
);

type Command = {
  readonly program: readonly string[];
  /** What it says where it fails, and ends with 0 all the same. */
  isFailure(said: string): boolean;
};

function commandsOf(
  converter: Converter,
  folder: string,
  output: string,
  args: readonly string[],
  statements: readonly string[],
): readonly Command[] {
  const isUnread = (said: string): boolean => said.includes(NOT_OPENED);
  if (converter.kind === 'native') {
    const { ogr2ogr, ogrinfo, sandbox } = converter;
    const inside = (...command: string[]): readonly string[] => inSandbox(sandbox, { folder, readable: [] }, command);
    const target = join(folder, output);
    return [
      { program: inside(ogr2ogr, ...args, target, join(folder, SOURCE)), isFailure: isUnread },
      ...statements.map((statement) => ({
        program: inside(ogrinfo, '-q', target, '-sql', statement),
        isFailure: (said: string) => /^ERROR /m.test(said),
      })),
    ];
  }
  const { script = OWN_SCRIPT, sandbox } = converter;
  const command = [...nodeCommand(script, undefined), folder, output, JSON.stringify(statements), ...args];
  const program =
    sandbox === undefined ? command : inSandbox(sandbox, { folder, readable: readByScript(script) }, command);
  return [{ program, isFailure: isUnread }];
}
