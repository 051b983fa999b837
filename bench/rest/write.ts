// Writes, function calls and refusals through HTTP, each against pgbench sending the same statements.

import { type BenchRow, printRows } from '../lib/report.ts';
import { measure, type RestCase } from './measure.ts';
import { openRestSetting } from './setting.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };
const NOTE = { title: 'A note', body: 'what it says', rank: 3 };
const HUNDRED = JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ ...NOTE, rank: i })));
const ONE_ROW = { target: '/clients?id=eq.500' };

export const CASES: readonly RestCase[] = [
  {
    what: 'insert',
    method: 'POST',
    target: '/notes',
    headers: JSON_BODY,
    body: JSON.stringify(NOTE),
    expect: 201,
    ratio: 0.55,
  },
  {
    what: 'a hundred rows in one insert',
    method: 'POST',
    target: '/notes',
    headers: JSON_BODY,
    body: HUNDRED,
    expect: 201,
    ratio: 0.75,
  },
  {
    what: 'upsert',
    method: 'POST',
    target: '/counters',
    headers: { ...JSON_BODY, Prefer: 'resolution=merge-duplicates' },
    body: JSON.stringify({ id: 77, name: 'Counter 77', hits: 1 }),
    expect: 200,
    ratio: 0.55,
  },
  {
    what: 'update',
    method: 'PATCH',
    target: '/counters?id=eq.500',
    headers: JSON_BODY,
    body: JSON.stringify({ hits: 5 }),
    expect: 204,
    ratio: 0.55,
  },
  { what: 'delete', method: 'DELETE', target: '/counters?id=eq.-1', expect: 204, ratio: 0.55 },
  { what: 'function by GET', target: '/rpc/add?a=1&b=2', ratio: 0.55 },
  {
    what: 'function by POST',
    method: 'POST',
    target: '/rpc/add',
    headers: JSON_BODY,
    body: '{"a":1,"b":2}',
    ratio: 0.55,
  },
  { what: 'rows of a function', target: '/rpc/projects_of?client=7', ratio: 0.55 },
  { what: 'unknown table, with a hint', target: '/clinets', expect: 404, ceiling: ONE_ROW, ratio: 0.55 },
  {
    what: 'token that is none',
    target: '/clients',
    headers: { Authorization: 'Bearer x.y.z' },
    expect: 401,
    ceiling: { ...ONE_ROW, headers: { Authorization: '' } },
    ratio: 0.55,
  },
  {
    what: 'constraint violated',
    method: 'POST',
    target: '/strict',
    headers: JSON_BODY,
    body: '{"id":1,"name":"much too long"}',
    expect: 400,
    // pgbench gives up at the first error: its statement inserts the same, and passes.
    ceiling: { method: 'POST', target: '/notes', headers: JSON_BODY, body: JSON.stringify(NOTE) },
    ratio: 0.55,
  },
];

export async function run(): Promise<boolean> {
  const setting = await openRestSetting();
  try {
    const rows: BenchRow[] = [];
    for (const one of CASES) rows.push(await measure(one, setting));
    return printRows(
      'REST writes and calls: requests a second, of what pgbench reaches with the same statements',
      rows,
    );
  } finally {
    await setting.close();
  }
}
