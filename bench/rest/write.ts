// Writes, function calls and refusals through HTTP, each against pgbench sending the same statements.

import { type BenchRow, printRows } from '../lib/report.ts';
import { measure, type RestCase } from './measure.ts';
import { openRestSetting } from './setting.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };
const NOTE = { title: 'A note', body: 'what it says', rank: 3 };
const HUNDRED = JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ ...NOTE, rank: i })));
const SHOWN = 'return=representation';
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
  {
    // None of them is there: many at once would wait for each other's rows, not for us.
    what: 'ten rows, each with its own value, in one update',
    method: 'PATCH',
    target: '/counters',
    headers: JSON_BODY,
    body: JSON.stringify(Array.from({ length: 10 }, (_, i) => ({ id: -1 - i, hits: i }))),
    expect: 204,
    ratio: 0.4,
  },
  {
    what: 'increment',
    method: 'PATCH',
    target: '/counters?id=eq.501',
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: '{"hits":{"$inc":1}}',
    expect: 204,
    ratio: 0.4,
  },
  {
    what: 'JSON patch of a document',
    method: 'PATCH',
    target: '/papers?id=eq.1',
    headers: { 'Content-Type': 'application/json-patch+json' },
    body: '[{"op":"test","path":"/facts/v","value":1},{"op":"replace","path":"/facts/w","value":2}]',
    expect: 204,
    ratio: 0.4,
  },
  {
    what: 'a paper with three pages inside it, shown',
    method: 'POST',
    target: '/papers?select=id,pages(id)',
    headers: { ...JSON_BODY, Prefer: SHOWN },
    body: JSON.stringify({ facts: {}, pages: [1, 2, 3].map((n) => ({ n })) }),
    expect: 201,
    ratio: 0.4,
  },
  {
    what: 'a batch of three inserts',
    method: 'POST',
    target: '/batch',
    headers: JSON_BODY,
    body: JSON.stringify(Array.from({ length: 3 }, () => ({ method: 'POST', path: '/notes', body: NOTE }))),
    ceiling: Array.from({ length: 3 }, () => ({
      method: 'POST',
      target: '/notes',
      headers: JSON_BODY,
      body: JSON.stringify(NOTE),
    })),
    ratio: 0.4,
  },
  {
    what: 'a batch whose second request uses the first',
    method: 'POST',
    target: '/batch',
    headers: JSON_BODY,
    body: JSON.stringify([
      { method: 'POST', path: '/notes?select=rank', headers: { Prefer: SHOWN }, body: NOTE },
      { method: 'PATCH', path: '/counters?id=eq.$1.rank', body: { hits: 5 } },
    ]),
    ceiling: [
      {
        method: 'POST',
        target: '/notes?select=rank',
        headers: { ...JSON_BODY, Prefer: SHOWN },
        body: JSON.stringify(NOTE),
      },
      { method: 'PATCH', target: '/counters?id=eq.3', headers: JSON_BODY, body: JSON.stringify({ hits: 5 }) },
    ],
    ratio: 0.2,
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
