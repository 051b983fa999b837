// Three minutes of mixed load at full speed with logs and metrics on: memory has to stay flat, nothing may fail, and no
// connection may be left behind. SOAK_SECONDS makes it longer.

import { readFile } from 'node:fs/promises';
import { httpRequest } from '../lib/http-load.ts';
import { mixedLoad } from '../lib/mixed-load.ts';
import { openRestSetting, POOL, type RestSetting } from './setting.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };
/** What the process may grow by after it has warmed up. */
const MAX_GROWTH_MB = 60;

export async function run(): Promise<boolean> {
  const seconds = Number(process.env['SOAK_SECONDS'] ?? 180);
  const setting = await openRestSetting({ SVRST_LOG_LEVEL: 'warn', SVRST_ADMIN_SERVER_PORT: '0' });
  try {
    const load = { port: setting.port, requests: requestsOf(setting), connections: 32 };
    await mixedLoad({ ...load, seconds: Math.min(20, seconds / 3) });
    const before = await residentMb(setting.serverPid);
    const result = await mixedLoad({ ...load, seconds });
    const after = await residentMb(setting.serverPid);
    const failed = Object.entries(result.statuses).filter(([status]) => !/^[234]/.test(status));
    const backends = await backendsOf(setting);
    console.log(`\nMixed load for ${seconds} s: ${result.answers.toLocaleString('en')} answers`);
    console.log(`  statuses      ${JSON.stringify(result.statuses)}`);
    console.log(`  memory        ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB (may grow by ${MAX_GROWTH_MB})`);
    console.log(`  connections   ${backends} (pool of ${POOL}, one listens)`);
    return failed.length === 0 && after - before < MAX_GROWTH_MB && backends <= POOL + 1;
  } finally {
    await setting.close();
  }
}

function requestsOf({ token }: RestSetting): readonly string[] {
  const user = { Authorization: `Bearer ${token}` };
  return [
    httpRequest('GET', '/clients?id=eq.500'),
    httpRequest('GET', '/clients?id=eq.501', user),
    httpRequest('GET', '/projects?limit=100&order=id', { Prefer: 'count=exact' }),
    httpRequest('GET', '/clients?id=gte.500&limit=5&select=id,name,projects(id,name)', user),
    httpRequest('POST', '/notes', JSON_BODY, '{"title":"soak","body":"text"}'),
    httpRequest('PATCH', '/counters?id=eq.9', JSON_BODY, '{"hits":1}'),
    httpRequest('DELETE', '/counters?id=eq.-1'),
    httpRequest('GET', '/rpc/add?a=1&b=2'),
    httpRequest('GET', '/clinets'),
    httpRequest('GET', '/clients?id=eq.x'),
    httpRequest('POST', '/strict', JSON_BODY, '{"id":1,"name":"much too long"}'),
    httpRequest('GET', '/clients', { Authorization: 'Bearer x.y.z' }),
  ];
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

async function backendsOf({ driver }: RestSetting): Promise<number> {
  const executed = await driver.execute([
    {
      text: `select count(*)::text from pg_stat_activity where backend_type = 'client backend' and application_name ilike 'survest%' and pid <> all (select pid from pg_stat_activity where query ilike '%pg_stat_activity%')`,
      params: [],
    },
  ]);
  if (!executed.ok) throw new Error(JSON.stringify(executed.error));
  return Number(executed.value[0]?.rows[0]?.[0]?.toString() ?? 'NaN');
}
