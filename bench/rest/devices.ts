// Each optimisation with and without it: two servers on one database that differ in `server-shortcuts` alone, asked in turn, on requests
// that repeat and on ones that never do.

import { SHORTCUTS, type Shortcut } from '../../src/rest/config/types/shortcuts.ts';
import { httpLoad, httpRequest } from '../lib/http-load.ts';
import { median, ratios } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { NOTES } from './many.ts';
import { SECONDS } from './measure.ts';
import { openRestSetting, type RestSetting, type RunningServer } from './setting.ts';

const ROUNDS = 5;
const CONNECTIONS = 32;
const JSON_BODY = { 'Content-Type': 'application/json' };

type Asked = { readonly what: string; readonly request: string; readonly expect: number };

const ASKED: readonly Asked[] = [
  { what: 'the same row each time', request: httpRequest('GET', '/clients?id=eq.500'), expect: 200 },
  { what: 'another row each time', request: httpRequest('GET', '/tasks?id=eq.%n'), expect: 200 },
  {
    what: 'an update',
    request: httpRequest('PATCH', '/counters?id=eq.%n', JSON_BODY, JSON.stringify({ hits: 5 })),
    expect: 204,
  },
];

const MANY_ROWS: readonly Asked[] = [
  { what: 'a hundred rows in one insert', request: httpRequest('POST', '/notes', JSON_BODY, NOTES), expect: 201 },
];

export async function run(): Promise<boolean> {
  const setting = await openRestSetting();
  try {
    const rows: BenchRow[] = [];
    for (const shortcut of SHORTCUTS) rows.push(...(await withAndWithout(shortcut, setting)));
    return printRows('Optimisations: requests a second with each, of what is reached without it', rows);
  } finally {
    await setting.close();
  }
}

async function withAndWithout(shortcut: Shortcut, setting: RestSetting): Promise<BenchRow[]> {
  const other = await setting.another({
    SVRST_SERVER_SHORTCUTS: SHORTCUTS.filter((one) => one !== shortcut).join(','),
  });
  try {
    const rows: BenchRow[] = [];
    for (const asked of shortcut === 'copied-inserts' ? MANY_ROWS : ASKED)
      rows.push(await compare(`${shortcut}: ${asked.what}`, asked, setting, other));
    return rows;
  } finally {
    await other.stop();
  }
}

async function compare(what: string, asked: Asked, full: RestSetting, without: RunningServer): Promise<BenchRow> {
  const measured: number[] = [];
  const reference: number[] = [];
  for (const { port } of [full, without]) await load(asked, port, 1);
  for (let round = 0; round < ROUNDS; round++) {
    measured.push(await load(asked, full.port, SECONDS));
    reference.push(await load(asked, without.port, SECONDS));
  }
  return row(what, measured, reference, 'req/s');
}

async function load({ what, request, expect }: Asked, port: number, seconds: number): Promise<number> {
  const { perSecond, unexpected } = await httpLoad({ port, request, connections: CONNECTIONS, seconds, expect });
  if (unexpected.size > 0) throw new Error(`${what}: unexpected answers ${JSON.stringify([...unexpected])}`);
  return perSecond;
}

function row(what: string, measured: readonly number[], reference: readonly number[], unit: string): BenchRow {
  return { what, measured: median(measured), reference: median(reference), unit, rounds: ratios(measured, reference) };
}
