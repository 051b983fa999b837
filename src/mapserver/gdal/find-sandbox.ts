// Whether programs can be shut in on this machine: the sandbox is built, and a probe in it tries to get out. A sandbox that was not
// seen to hold is none.

import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { err, ok, type Result } from '../../kernel/result.ts';
import { inSandbox, type Sandbox } from './sandbox.ts';

const run = promisify(execFile);

const PROBE_MS = 20_000;
const NAME = 'bwrap';

/** Programs, libraries and their data. Neither `/usr` nor `/etc` as a whole: people keep settings and data in them. */
const SYSTEM: readonly string[] = [
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/usr/bin',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/local/bin',
  '/usr/local/lib',
  '/usr/local/lib64',
  ...['/usr/share', '/usr/local/share'].flatMap((share) => [`${share}/gdal`, `${share}/proj`]),
  '/etc/ld.so.cache',
  // Links that lead to one of several libraries.
  '/etc/alternatives',
  '/nix/store',
];

/** `guarded`: files and folders that must be out of reach, such as the settings and everybody's data. Else: why there is none. */
export async function findSandbox(guarded: readonly string[]): Promise<Result<Sandbox, string>> {
  const program = await findProgram(NAME);
  if (program === undefined) return err(`bubblewrap (${NAME}) is not installed`);
  const system = await systemOptions();
  let fault = '';
  // In some containers no new /proc can be mounted; without it only the progress of an import is not known.
  for (const processes of [['--proc', '/proc'], []]) {
    const sandbox: Sandbox = { program, system: [...system, ...processes] };
    const leak = await tryToGetOut(sandbox, guarded);
    if (leak === undefined) return ok(sandbox);
    fault = leak;
  }
  return err(fault);
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder.startsWith('/') && (await lstat(path).catch(() => undefined)) !== undefined) return path;
  }
  return undefined;
}

async function systemOptions(): Promise<readonly string[]> {
  const options: string[] = [];
  for (const path of SYSTEM) {
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) continue;
    // Where /lib is a link to usr/lib it stays one.
    if (found.isSymbolicLink()) options.push('--symlink', await readlink(path), path);
    else options.push('--ro-bind', path, path);
  }
  const node = await realpath(process.execPath);
  return [...options, '--ro-bind-try', node, node, '--dev', '/dev', '--remount-ro', '/dev'];
}

/**
 * Runs in the sandbox. Prints the first thing that it could do and must not, or `shut in`. That its own folder can be written in
 * shows that what failed did not fail for another reason.
 */
const PROBE = `
const fs = require('node:fs'), net = require('node:net');
const { folder, guarded, port } = JSON.parse(process.argv[1]);
const say = (text) => { console.log(text); process.exit(0); };
const works = (act) => { try { act(); return true; } catch { return false; } };
if (!works(() => fs.writeFileSync(folder + '/probe', 'x'))) say('its own folder cannot be written in');
for (const path of guarded) {
  if (works(() => fs.readdirSync(path)) || works(() => fs.closeSync(fs.openSync(path, 'r')))) say(path + ' can be read');
}
for (const path of ['/probe', '/tmp/probe', '/usr/lib/probe', '/dev/shm/probe']) {
  if (works(() => fs.writeFileSync(path, 'x'))) say(path + ' can be written');
}
if (works(() => process.kill(JSON.parse(process.argv[1]).pid, 0))) say('processes outside can be seen');
net.connect(port, '127.0.0.1').once('connect', () => say('the network can be reached')).once('error', () => say('shut in'));
`;
const HELD = 'shut in';
/** Everybody may read them, on every machine; a sandbox that shows them shows everything. */
const ALWAYS_GUARDED: readonly string[] = ['/etc/passwd', '/etc/hostname', '/sys'];

/** Undefined: it could not. */
async function tryToGetOut(sandbox: Sandbox, guarded: readonly string[]): Promise<string | undefined> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'survest-sandbox-')));
  const folder = join(top, 'own');
  const beside = join(top, 'beside');
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  try {
    await mkdir(folder);
    await writeFile(beside, 'x');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    // A number that is surely taken by somebody else than the few processes in there.
    const task = {
      folder,
      guarded: [...ALWAYS_GUARDED, beside, ...guarded],
      port,
      pid: process.pid > 50 ? process.pid : 51,
    };
    const node = await realpath(process.execPath);
    const [command = '', ...args] = inSandbox(sandbox, { folder, readable: [] }, [
      node,
      '-e',
      PROBE,
      JSON.stringify(task),
    ]);
    const { stdout } = await run(command, args, { timeout: PROBE_MS, killSignal: 'SIGKILL', env: {} });
    if (calls > 0) return 'the network can be reached';
    return stdout.trim() === HELD ? undefined : stdout.trim().slice(0, 300);
  } catch (error) {
    const said = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : '';
    return (said.trim().split('\n').at(-1) || String(error)).slice(0, 300);
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await rm(top, { recursive: true, force: true });
  }
}
