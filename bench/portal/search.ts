// What a search of 100,000 items takes of the server's processor, as an ordinary account, the first one like all others: nothing is kept of a search.
// Processor time says the same on a busy machine, or nearly; what the machine had to do besides stands in the title.

import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import type { Session } from '../../src/pg/driver.ts';
import { median } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { openPortalSetting } from './setting.ts';

const ROUNDS = 9;
/** What a search should take at most. */
const WANTED_MS = 20;
const PAGE = 'select * from portal.search_page($1::text[], $2::text[], 0, 20)';
const HITS = 'select count(*) from portal.search_hits($1::text[], null, $2::text[], $3::double precision[])';

type Case = { readonly what: string; readonly text: string; readonly params: readonly (string | null)[] };

const CASES: readonly Case[] = [
  { what: 'a word of 7 items in 100: page of 20 with total', text: PAGE, params: ['{rivers}', null] },
  { what: 'the same, layers alone', text: PAGE, params: ['{rivers}', '{layer}'] },
  { what: 'two words, 3 in 100', text: PAGE, params: ['{floods,atlas}', null] },
  { what: 'two words, a category and an extent', text: HITS, params: ['{floods,atlas}', '{economy}', '{0,30,40,60}'] },
  { what: 'a word of 14 in 100', text: PAGE, params: ['{floods}', null] },
  { what: 'a word of 20 in 100', text: PAGE, params: ['{atlas}', null] },
  { what: 'a part of such a word', text: PAGE, params: ['{tlas}', null] },
  { what: 'a word of all', text: PAGE, params: ['{item}', null] },
  { what: 'a word of one', text: PAGE, params: ['{77770}', null] },
  { what: 'a word of none', text: PAGE, params: ['{illage}', null] },
];

export async function run(): Promise<boolean> {
  const setting = await openPortalSetting();
  try {
    const measured = await setting.superuser.hold(async (session) => {
      const rows: BenchRow[] = [];
      for (const one of CASES) rows.push(await measure(session, one));
      return rows;
    });
    if (!measured.ok) throw new Error(JSON.stringify(measured.error));
    const load = loadavg()[0]?.toFixed(1) ?? '?';
    return printRows(`Portal search: in a second of the server's processor (load ${load})`, measured.value);
  } finally {
    await setting.close();
  }
}

async function measure(session: Session, { what, text, params }: Case): Promise<BenchRow> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const pid = await first(session, 'select pg_backend_pid()');
    await first(session, 'begin');
    await first(
      session,
      `select set_config('role', 'survest_user', true), set_config('request.jwt.claims', '{"sub": "500"}', true)`,
    );
    const before = await processorMs(pid);
    await first(session, text, params);
    took.push((await processorMs(pid)) - before);
    await first(session, 'rollback');
  }
  return { what, measured: 1000 / median(took), reference: 1000 / WANTED_MS, unit: 'searches' };
}

async function first(session: Session, text: string, params: readonly (string | null)[] = []): Promise<string> {
  const executed = await session.execute([{ text, params }]);
  if (!executed.ok) throw new Error(JSON.stringify(executed.error));
  return String(executed.value[0]?.rows[0]?.[0] ?? '');
}

async function processorMs(pid: string): Promise<number> {
  const [spent = ''] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(spent) / 1e6;
}
