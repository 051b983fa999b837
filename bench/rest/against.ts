// The same requests to this program and to another one that reads PostgREST's configuration file, on one database, in turn: PostgREST
// itself where `postgrest` is on the PATH, or whatever commands SVRST_BENCH_AGAINST names, with semicolons between them. SVRST_BENCH_ONLY is a regular expression: the
// cases that match are measured alone.
//
// Requests a second tell who answers more on this machine as a whole; processor time tells what a request costs, and is the steadier figure
// where other programs use the machine too.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median, ratios } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { CASES as MANY, WIDE } from './many.ts';
import { type RestCase, WARM_UP_SECONDS } from './measure.ts';
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
  const commands = otherCommands();
  if (commands.length === 0) {
    console.log(
      '\nNo other program to compare with: put `postgrest` on the PATH, or name a command in SVRST_BENCH_AGAINST.',
    );
    return true;
  }
  const setting = await openRestSetting({}, [], [WIDE]);
  const others: RunningServer[] = [];
  try {
    for (const command of commands) others.push(await startOther(command, setting));
    const only = new RegExp(process.env['SVRST_BENCH_ONLY'] ?? '');
    const cases = [...READS, ...MORE, ...MANY, ...WRITES, ...REFUSED].filter(({ what }) => only.test(what));
    const database = await postmasterPid(setting);
    const figures: (readonly Figures[])[] = [];
    for (const one of cases) figures.push(await compare(one, setting, others, database));
    for (const [i, command] of commands.entries()) {
      for (const kind of KINDS) {
        const rows = cases.map(({ what }, c) => row(what, kind, figures[c]?.[0], figures[c]?.[i + 1]));
        const known = rows.filter((one) => one !== undefined);
        if (known.length > 0) printRows(`${TITLES[kind]}, of what ${command.join(' ')} reaches`, known);
      }
    }
    return true;
  } finally {
    for (const other of others) await other.stop();
    await setting.close();
  }
}

const KINDS = ['perSecond', 'perServerSecond', 'perSecondOfBoth'] as const;
const TITLES: Readonly<Record<(typeof KINDS)[number], string>> = {
  perSecond: 'Requests a second on the same database',
  perServerSecond: 'Requests a second of processor time of the process',
  perSecondOfBoth: 'Requests a second of processor time of process and database',
};

/** Empty: there is none. */
function otherCommands(): readonly (readonly [string, ...string[]])[] {
  const named = (process.env['SVRST_BENCH_AGAINST'] ?? '').split(';').flatMap((command) => {
    const [program, ...args] = command.split(' ').filter((word) => word !== '');
    return program === undefined ? [] : [[program, ...args] as const];
  });
  if (named.length > 0) return named;
  return spawnSync('postgrest', ['--version']).error === undefined ? [['postgrest']] : [];
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

/** What each round of one server has shown. `undefined`: the system does not tell what a process has used. */
type Figures = {
  readonly perSecond: readonly number[];
  readonly perServerSecond: readonly number[] | undefined;
  readonly perSecondOfBoth: readonly number[] | undefined;
};

/** Of ours, then of each of the others. Short rounds in turn, so that what else happens on the machine falls on all alike. */
async function compare(
  one: Omit<RestCase, 'ratio'>,
  setting: RestSetting,
  others: readonly RunningServer[],
  database: number | undefined,
): Promise<readonly Figures[]> {
  const headers = { ...one.headers, ...(one.withToken === true ? { Authorization: `Bearer ${setting.token}` } : {}) };
  const request = httpRequest(one.method ?? 'GET', one.target, headers, one.body);
  const expect = one.expect ?? 200;
  const ask = async ({ port, pid }: Pick<RunningServer, 'port' | 'pid'>, seconds: number): Promise<Round> => {
    const before = await processorSeconds(pid, database);
    const { perSecond, answers, unexpected } = await httpLoad({
      port,
      request,
      connections: CONNECTIONS,
      seconds,
      expect,
    });
    if (unexpected.size > 0) throw new Error(`${one.what}: unexpected answers ${JSON.stringify([...unexpected])}`);
    const after = await processorSeconds(pid, database);
    if (before === undefined || after === undefined) return { perSecond, server: undefined, both: undefined };
    const server = (after.get(pid) ?? 0) - (before.get(pid) ?? 0);
    const both = spent(before, after);
    return { perSecond, server: answers / server, both: answers / both };
  };
  const servers = [{ port: setting.port, pid: setting.serverPid }, ...others];
  const rounds: Round[][] = servers.map(() => []);
  for (const server of servers) await ask(server, WARM_UP_SECONDS);
  for (let round = 0; round < SHORT_ROUNDS; round++)
    for (const [i, server] of servers.entries()) rounds[i]?.push(await ask(server, 1));
  return rounds.map((all) => ({
    perSecond: all.map(({ perSecond }) => perSecond),
    perServerSecond: known(all.map(({ server }) => server)),
    perSecondOfBoth: known(all.map(({ both }) => both)),
  }));
}

const SHORT_ROUNDS = 9;

type Round = { readonly perSecond: number; readonly server: number | undefined; readonly both: number | undefined };

function known(values: readonly (number | undefined)[]): readonly number[] | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length === values.length ? found : undefined;
}

/**
 * Of processor time the best round of each counts: whoever else uses the machine makes it more, by displacing what is in the processor's caches,
 * and never less.
 */
function row(what: string, kind: keyof Figures, ours?: Figures, theirs?: Figures): BenchRow | undefined {
  const measured = ours?.[kind];
  const reference = theirs?.[kind];
  if (measured === undefined || reference === undefined) return undefined;
  const one = kind === 'perSecond' ? median : (values: readonly number[]): number => Math.max(...values);
  const rounds = ratios(measured, reference);
  return { what, measured: one(measured), reference: one(reference), unit: 'req/s', rounds };
}

const NANOSECONDS = 1e9;

/** By process. */
type Used = ReadonlyMap<number, number>;

/** Of all threads of the server, and of all processes of the database. */
async function processorSeconds(server: number, postmaster: number | undefined): Promise<Used | undefined> {
  try {
    const pids = postmaster === undefined ? [] : await childrenOf(postmaster);
    return new Map(await Promise.all([server, ...pids].map(async (pid) => [pid, await secondsOf(pid)] as const)));
  } catch {
    return undefined;
  }
}

/** A process that has ended in between is left out. */
function spent(before: Used, after: Used): number {
  let seconds = 0;
  for (const [pid, used] of after) seconds += used - (before.get(pid) ?? 0);
  return seconds;
}

async function secondsOf(pid: number): Promise<number> {
  let nanoseconds = 0;
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const used = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').catch(() => '0');
    nanoseconds += Number(used.split(' ')[0]);
  }
  return nanoseconds / NANOSECONDS;
}

async function childrenOf(parent: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'latin1');
  return children.trim().split(' ').map(Number);
}

/** Undefined: the database is on another machine. */
async function postmasterPid({ driver }: RestSetting): Promise<number | undefined> {
  const shown = await driver.execute([{ text: 'show data_directory', params: [] }]);
  const folder = shown.ok ? shown.value[0]?.rows[0]?.[0]?.toString() : undefined;
  const text = await readFile(`${folder}/postmaster.pid`, 'latin1').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return pid > 0 ? pid : undefined;
}
