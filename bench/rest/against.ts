// The same requests to this program and to another one that reads PostgREST's configuration file, on one database, in turn: PostgREST
// itself where `postgrest` is on the PATH, or whatever command SVRST_BENCH_AGAINST names. SVRST_BENCH_ONLY is a regular expression: the
// cases that match are measured alone.
//
// Requests a second tell who answers more on this machine as a whole; the processor time of the two processes tells what a request costs
// each of them, and is the steadier figure where other programs use the machine too.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median, ratios } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { CASES as MANY, WIDE } from './many.ts';
import { type RestCase, ROUNDS, SECONDS, WARM_UP_SECONDS } from './measure.ts';
import { CASES as READS } from './read.ts';
import {
  openRestSetting,
  POOL,
  type RestSetting,
  type RunningServer,
  SECRET,
  tokenFor,
  withoutOurs,
} from './setting.ts';
import { CASES as WRITES } from './write.ts';

const CONNECTIONS = 32;
const MORE: readonly Omit<RestCase, 'ratio'>[] = [
  { what: 'a thousand rows', target: '/tasks?limit=1000&order=id' },
  { what: 'a hundred rows with their exact count', target: '/projects?limit=100', headers: { Prefer: 'count=exact' } },
];

/** Refused before the database is asked. */
const REFUSED: readonly Omit<RestCase, 'ratio'>[] = [
  { what: 'bad filter', target: '/clients?id=wrong.1', expect: 400 },
  { what: 'unknown column', target: '/clients?select=nothing', expect: 400 },
  {
    what: 'token with a bad signature',
    target: '/clients',
    headers: { Authorization: `Bearer ${badToken()}` },
    expect: 401,
  },
];

function badToken(): string {
  return `${tokenFor({ role: 'bench_user' }).slice(0, -4)}AAAA`;
}

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
      const only = new RegExp(process.env['SVRST_BENCH_ONLY'] ?? '');
      const perSecond: BenchRow[] = [];
      const perCpuSecond: BenchRow[] = [];
      for (const one of [...READS, ...MORE, ...MANY, ...WRITES, ...REFUSED].filter(({ what }) => only.test(what))) {
        const compared = await compare(one, setting, other);
        perSecond.push(compared.perSecond);
        if (compared.perCpuSecond !== undefined) perCpuSecond.push(compared.perCpuSecond);
      }
      const name = command.join(' ');
      const reached = printRows(`Requests a second, of what ${name} reaches on the same database`, perSecond);
      if (perCpuSecond.length > 0)
        printRows(`Requests a second of processor time of the process, of ${name}`, perCpuSecond);
      return reached;
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
): Promise<RunningServer> {
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
    pid: child.pid ?? 0,
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

type Compared = { readonly perSecond: BenchRow; readonly perCpuSecond: BenchRow | undefined };

async function compare(one: Omit<RestCase, 'ratio'>, setting: RestSetting, other: RunningServer): Promise<Compared> {
  const headers = { ...one.headers, ...(one.withToken === true ? { Authorization: `Bearer ${setting.token}` } : {}) };
  const request = httpRequest(one.method ?? 'GET', one.target, headers, one.body);
  const ask = async ({ port, pid }: Pick<RunningServer, 'port' | 'pid'>, seconds: number): Promise<Figures> => {
    const expect = one.expect ?? 200;
    const before = await processorSeconds(pid);
    const { perSecond, answers, unexpected } = await httpLoad({
      port,
      request,
      connections: CONNECTIONS,
      seconds,
      expect,
    });
    if (unexpected.size > 0) throw new Error(`${one.what}: unexpected answers ${JSON.stringify([...unexpected])}`);
    const after = await processorSeconds(pid);
    return {
      perSecond,
      perCpuSecond: before === undefined || after === undefined ? undefined : answers / (after - before),
    };
  };
  const ours = { port: setting.port, pid: setting.serverPid };
  const measured: Figures[] = [];
  const reference: Figures[] = [];
  for (const server of [ours, other]) await ask(server, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    measured.push(await ask(ours, SECONDS));
    reference.push(await ask(other, SECONDS));
  }
  const row = (of: keyof Figures): BenchRow | undefined => {
    const [mine, theirs] = [measured, reference].map((all) => all.map((figures) => figures[of] ?? Number.NaN));
    if (mine === undefined || theirs === undefined || [...mine, ...theirs].some(Number.isNaN)) return undefined;
    return {
      what: one.what,
      measured: median(mine),
      reference: median(theirs),
      unit: 'req/s',
      rounds: ratios(mine, theirs),
    };
  };
  const perSecond = row('perSecond');
  if (perSecond === undefined) throw new Error('requests are always counted');
  return { perSecond, perCpuSecond: row('perCpuSecond') };
}

/** `perCpuSecond`: undefined where the system does not tell what a process has used. */
type Figures = { readonly perSecond: number; readonly perCpuSecond: number | undefined };

const TICKS_PER_SECOND = 100;

/** Of all threads of the process, in user and kernel mode. */
async function processorSeconds(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The name of the program may hold anything; behind its parenthesis stands the third field.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
