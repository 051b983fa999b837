// What a request costs this process beside sockets and database: bytes of a request in, bytes of its answer out, with a driver that gives the
// results of the first time again. The quickest of many short rounds counts, which other load on the machine falsifies least.

import { plainReply } from '../../src/http/plain/plain-reply.ts';
import { readPlainRequest } from '../../src/http/plain/read-plain-request.ts';
import type { Batch, BatchResult, Driver } from '../../src/pg/driver.ts';
import { loadRestConfig } from '../../src/rest/config/load-config.ts';
import { makeRestService } from '../../src/rest/lifecycle/rest-service.ts';
import { httpRequest } from '../lib/http-load.ts';
import { openRestSetting, POOL, SECRET, tokenFor } from './setting.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };
const NOTE = JSON.stringify({ title: 'A note', body: 'what it says', rank: 3 });

const CASES: readonly (readonly [what: string, request: string])[] = [
  ['one row by key', httpRequest('GET', '/clients?id=eq.500')],
  [
    'one row by key, with token',
    httpRequest('GET', '/clients?id=eq.500', { Authorization: `Bearer ${tokenFor({ role: 'bench_user', exp: 4e9 })}` }),
  ],
  ['insert', httpRequest('POST', '/notes', JSON_BODY, NOTE)],
  ['update', httpRequest('PATCH', '/counters?id=eq.500', JSON_BODY, '{"hits":5}')],
  ['delete', httpRequest('DELETE', '/counters?id=eq.-1')],
  ['function by GET', httpRequest('GET', '/rpc/add?a=1&b=2')],
  ['function by POST', httpRequest('POST', '/rpc/add', JSON_BODY, '{"a":1,"b":2}')],
  ['unknown table, with a hint', httpRequest('GET', '/clinets')],
  ['bad filter', httpRequest('GET', '/clients?id=wrong.1')],
  ['token that is none', httpRequest('GET', '/clients', { Authorization: 'Bearer x.y.z' })],
  [
    'token with a bad signature',
    httpRequest('GET', '/clients', { Authorization: `Bearer ${tokenFor({ role: 'bench_user' }).slice(0, -4)}AAAA` }),
  ],
];

const ROUND_MS = 40;
const ROUNDS = 40;

export async function run(): Promise<boolean> {
  const setting = await openRestSetting();
  try {
    const driver = replaying(setting.driver);
    const loaded = await loadRestConfig({
      args: [],
      env: {
        SVRST_DB_URI: setting.uri,
        SVRST_DB_SCHEMAS: 'bench',
        SVRST_DB_ANON_ROLE: 'bench_anon',
        SVRST_DB_POOL: String(POOL),
        SVRST_DB_CHANNEL_ENABLED: 'false',
        SVRST_JWT_SECRET: SECRET,
      },
      file: undefined,
      database: [],
      readText: () => Promise.reject(new Error('no files')),
    });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const service = makeRestService({
      config: loaded.value.config,
      version: 'bench',
      driver,
      observe: () => {},
      reread: () => Promise.resolve(loaded.value.config),
      onFatal: (message) => {
        throw new Error(message);
      },
    });
    await service.start();
    const outgoing = Buffer.allocUnsafeSlow(32 * 1024);
    const client = { signal: undefined, remoteAddress: '127.0.0.1', httpVersion: '1.1' };
    const ask = async (bytes: Buffer): Promise<number> => {
      const request = readPlainRequest(bytes);
      if (request === undefined) throw new Error('not plain');
      const reply = await service.answer(request, client);
      plainReply(reply, { isHead: false, isLast: false, date: 'Wed, 18 Nov 2026 20:00:00 GMT' }, outgoing);
      return reply.status;
    };
    const only = new RegExp(process.env['SVRST_BENCH_ONLY'] ?? '');
    for (const [what, text] of CASES.filter(([name]) => only.test(name))) {
      const bytes = Buffer.from(text);
      driver.forget();
      const status = await ask(bytes);
      const until = performance.now() + 1500;
      while (performance.now() < until) for (let i = 0; i < 100; i++) await ask(bytes);
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < ROUNDS; round++) {
        const began = performance.now();
        let asked = 0;
        while (performance.now() < began + ROUND_MS) {
          for (let i = 0; i < 50; i++) await ask(bytes);
          asked += 50;
        }
        best = Math.min(best, ((performance.now() - began) / asked) * 1000);
      }
      console.log(`${what.padEnd(30)} ${status} ${best.toFixed(2)} µs`);
    }
    await service.close();
    return true;
  } finally {
    await setting.close();
  }
}

/** Batches are executed once; after that their results come from memory. */
function replaying(driver: Driver): Driver & { forget(): void } {
  let known: BatchResult | undefined;
  let knows = false;
  return {
    ...driver,
    forget: () => {
      known = undefined;
      knows = true;
    },
    execute: async (batch: Batch, options) => {
      if (!knows) return driver.execute(batch, options);
      known ??= await driver.execute(batch, options);
      return known;
    },
  };
}
