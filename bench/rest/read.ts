// Reads through HTTP, each against pgbench sending the same statements; and the flight alone, without HTTP.

import type { HttpRequest } from '../../src/http/http-message.ts';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median } from '../lib/median.ts';
import { pgbench } from '../lib/pgbench.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { openRestSetting, POOL, type RestSetting } from './setting.ts';
import { plain, statementsFor } from './statements.ts';

export type RestCase = {
  readonly what: string;
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withToken?: boolean;
  readonly expect?: number;
  readonly ratio: number;
};

const CASES: readonly RestCase[] = [
  { what: 'one row by key', target: '/clients?id=eq.500', ratio: 0.5 },
  { what: 'one row by key, with token', target: '/clients?id=eq.500', withToken: true, ratio: 0.55 },
  { what: 'a hundred rows', target: '/projects?limit=100&order=id', ratio: 0.7 },
  {
    what: 'two-level embed',
    target: '/clients?id=gte.500&limit=10&order=id&select=id,name,projects(id,name,tasks(id,name,done))',
    ratio: 0.7,
  },
];

const SECONDS = 3;
const ROUNDS = 3;
const CONNECTIONS = 32;

export async function run(): Promise<boolean> {
  const setting = await openRestSetting();
  try {
    const rows: BenchRow[] = [await flightRow(setting)];
    for (const one of CASES) rows.push(await measure(one, setting));
    return printRows('REST reads: requests a second, of what pgbench reaches with the same statements', rows);
  } finally {
    await setting.close();
  }
}

export async function measure(one: RestCase, setting: RestSetting): Promise<BenchRow> {
  const headers = { ...one.headers, ...(one.withToken === true ? { Authorization: `Bearer ${setting.token}` } : {}) };
  const method = one.method ?? 'GET';
  const request = httpRequest(method, one.target, headers, one.body);
  const statements = (await statementsFor(toHttp(method, one.target, headers, one.body ?? ''), setting.state)).map(
    plain,
  );
  const ours: number[] = [];
  const ceilings: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ceilings.push(await pgbench(statements, { bin: setting.bin, uri: setting.uri, clients: POOL, seconds: SECONDS }));
    const load = await httpLoad({
      port: setting.port,
      request,
      connections: CONNECTIONS,
      seconds: SECONDS,
      expect: one.expect ?? 200,
    });
    if (load.unexpected.size > 0)
      throw new Error(`${one.what}: unexpected answers ${JSON.stringify([...load.unexpected])}`);
    ours.push(load.perSecond);
  }
  return { what: one.what, measured: median(ours), reference: median(ceilings), unit: 'req/s', target: one.ratio };
}

async function flightRow(setting: RestSetting): Promise<BenchRow> {
  const statements = await statementsFor(toHttp('GET', '/clients?id=eq.500', {}, ''), setting.state);
  const ours: number[] = [];
  const ceilings: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ceilings.push(
      await pgbench(statements.map(plain), { bin: setting.bin, uri: setting.uri, clients: POOL, seconds: SECONDS }),
    );
    ours.push(await fly(setting, statements));
  }
  return {
    what: 'the flight alone',
    measured: median(ours),
    reference: median(ceilings),
    unit: 'flights/s',
    target: 0.8,
  };
}

async function fly({ driver }: RestSetting, statements: Awaited<ReturnType<typeof statementsFor>>): Promise<number> {
  const began = performance.now();
  const until = began + SECONDS * 1000;
  let flights = 0;
  await Promise.all(
    Array.from({ length: POOL }, async () => {
      while (performance.now() < until) {
        const flown = await driver.fly(statements);
        if (!flown.ok) throw new Error(JSON.stringify(flown.error));
        flights += 1;
      }
    }),
  );
  return flights / ((performance.now() - began) / 1000);
}

function toHttp(method: string, target: string, headers: Readonly<Record<string, string>>, body: string): HttpRequest {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const lower = Object.fromEntries(
    Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { method, path, query, headers: lower, body: Buffer.from(body) };
}
