// The same requests to this program and to another one that reads PostgREST's configuration file, on one database, in turn: PostgREST
// itself where `postgrest` is on the PATH, or whatever command SVRST_BENCH_AGAINST names.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median, ratios } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { CASES as MANY, WIDE } from './many.ts';
import { type RestCase, ROUNDS, SECONDS } from './measure.ts';
import { CASES as READS } from './read.ts';
import { openRestSetting, POOL, type RestSetting, SECRET, withoutOurs } from './setting.ts';
import { CASES as WRITES } from './write.ts';

const CONNECTIONS = 32;
const MORE: readonly Omit<RestCase, 'ratio'>[] = [
  { what: 'a thousand rows', target: '/tasks?limit=1000&order=id' },
  { what: 'a hundred rows with their exact count', target: '/projects?limit=100', headers: { Prefer: 'count=exact' } },
];

export async function run(): Promise<boolean> {
  const command = otherCommand();
  if (command === undefined) {
    console.log(
      '\nNo other program to compare with: put `postgrest` on the PATH, or name a command in SVRST_BENCH_AGAINST.',
    );
    return true;
  }
  const setting = await openRestSetting({}, [], [WIDE]);
  try {
    const other = await startOther(command, setting);
    try {
      const rows: BenchRow[] = [];
      for (const one of [...READS, ...MORE, ...MANY, ...WRITES]) rows.push(await compare(one, setting, other.port));
      return printRows(`Requests a second, of what ${command[0]} reaches on the same database`, rows);
    } finally {
      await other.stop();
    }
  } finally {
    await setting.close();
  }
}

/** Undefined: there is none. */
function otherCommand(): readonly [string, ...string[]] | undefined {
  const [program, ...args] = (process.env['SVRST_BENCH_AGAINST'] ?? '').split(' ').filter((word) => word !== '');
  if (program !== undefined) return [program, ...args];
  return spawnSync('postgrest', ['--version']).error === undefined ? ['postgrest'] : undefined;
}

async function startOther(
  [program, ...args]: readonly [string, ...string[]],
  { uri }: RestSetting,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'survest-against-'));
  const port = await freePort();
  const settings = {
    'db-uri': uri,
    'db-schemas': 'bench',
    'db-anon-role': 'bench_anon',
    'db-pool': POOL,
    'jwt-secret': SECRET,
    'server-host': '127.0.0.1',
    'server-port': port,
  };
  const file = join(folder, 'other.conf');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
      .join(''),
  );
  const child = spawn(program, [...args, file], { env: withoutOurs(process.env), stdio: 'ignore' });
  await answering(child, port);
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

async function answering(child: ChildProcess, port: number): Promise<void> {
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message)).once('exit', (code) => (ended ??= `it ended with ${code}`));
  for (let tries = 0; tries < 150; tries++) {
    if (ended !== undefined) break;
    const answer = await fetch(`http://127.0.0.1:${port}/clients?id=eq.500`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the other program does not answer: ${ended ?? 'thirty seconds have passed'}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}

async function compare(one: Omit<RestCase, 'ratio'>, setting: RestSetting, otherPort: number): Promise<BenchRow> {
  const headers = { ...one.headers, ...(one.withToken === true ? { Authorization: `Bearer ${setting.token}` } : {}) };
  const request = httpRequest(one.method ?? 'GET', one.target, headers, one.body);
  const ask = async (port: number, seconds: number): Promise<number> => {
    const expect = one.expect ?? 200;
    const { perSecond, unexpected } = await httpLoad({ port, request, connections: CONNECTIONS, seconds, expect });
    if (unexpected.size > 0) throw new Error(`${one.what}: unexpected answers ${JSON.stringify([...unexpected])}`);
    return perSecond;
  };
  const measured: number[] = [];
  const reference: number[] = [];
  for (const port of [setting.port, otherPort]) await ask(port, 1);
  for (let round = 0; round < ROUNDS; round++) {
    measured.push(await ask(setting.port, SECONDS));
    reference.push(await ask(otherPort, SECONDS));
  }
  return {
    what: one.what,
    measured: median(measured),
    reference: median(reference),
    unit: 'req/s',
    rounds: ratios(measured, reference),
  };
}
