// Live streams: 10,000 listeners on one process, what they add to its memory, and how long it takes until all of them have heard of one
// change: as one group that asks the same, and as 500 callers with tokens of their own.

import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { followTablesSql, installChangeLogSql } from '../../src/pg/change-log/install-change-log.ts';
import { median } from '../lib/median.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { openRestSetting, type RestSetting, tokenFor } from './setting.ts';

const LISTENERS = 10_000;
const CALLERS = 500;
const ROUNDS = 5;
/** Of the server, for all listeners together. */
const MAX_MEGABYTES = 400;
/** By when everybody should have heard of a change. */
const MAX_MS = 1000;

const SCHEMA = `
create table bench.live (id integer primary key, name text not null, at timestamptz not null default now());
insert into bench.live select n, 'row ' || n from generate_series(1, 100) n;
create table bench.plain (like bench.live including all);
create sequence bench.live_ids start 1000;
insert into bench.plain select * from bench.live;
grant select on bench.live to bench_anon, bench_user;
${installChangeLogSql('postgres')}
${followTablesSql(['bench.live'])}
`;

const INSERT = `insert into bench.NAME (id, name) select nextval('bench.live_ids'), 'new'`;

export async function run(): Promise<boolean> {
  const setting = await openRestSetting({ SVRST_LIVE_MAX_STREAMS: '20000' }, [], [SCHEMA]);
  try {
    // First, while nobody listens: what is measured is the recording alone.
    const writes = printRows('Live streams: writes of a followed table, of those of the same table that is not', [
      await writeRow(
        setting,
        'updates of one row',
        (i) => `update bench.NAME set name = 'x${i}' where id = ${(i % 100) + 1}`,
        2000,
      ),
      await writeRow(setting, 'updates of all 100 rows', (i) => `update bench.NAME set name = 'y${i}'`, 300),
      await writeRow(setting, 'inserts of one row', () => INSERT, 2000),
      await writeRow(setting, 'inserts of 1,000 rows', () => `${INSERT} from generate_series(1, 1000)`, 30),
    ]);
    const emptied = await setting.driver.script('delete from bench.live where id >= 1000');
    if (!emptied.ok) throw new Error(JSON.stringify(emptied.error));
    const one = await measure(setting, LISTENERS, () => undefined);
    const many = await measure(setting, CALLERS, (i) => tokenFor({ role: 'bench_user', sub: String(i) }));
    const times = printRows(
      `Live streams: the ${MAX_MS} ms that a change may take until all have heard of it, of what it takes`,
      [
        timeRow(`${LISTENERS} listeners that ask the same`, one.heardMs),
        timeRow(`${CALLERS} callers, each with a read of its own`, many.heardMs),
      ],
    );
    const memory = printRows(
      `Live streams: megabytes that ${MAX_MEGABYTES} MB allow for, of those by which memory grows`,
      [
        {
          what: `${LISTENERS} listeners`,
          measured: MAX_MEGABYTES,
          reference: Math.max(1, one.growth),
          unit: 'MB',
          target: 1,
        },
        { what: `${CALLERS} callers more`, measured: MAX_MEGABYTES, reference: Math.max(1, many.growth), unit: 'MB' },
      ],
    );
    return times && memory && writes;
  } finally {
    await setting.close();
  }
}

function timeRow(what: string, ms: number): BenchRow {
  return { what, measured: MAX_MS, reference: Math.max(1, ms), unit: 'ms', target: 1 };
}

/** A second of each after the other, several times: what else the machine does falls on both. */
async function writeRow(
  { driver }: RestSetting,
  what: string,
  statement: (place: number) => string,
  times: number,
): Promise<BenchRow> {
  const perSecond = async (table: string): Promise<number> => {
    const began = performance.now();
    for (let i = 0; i < times; i++) {
      const done = await driver.execute([{ text: statement(i).replace('NAME', table), params: [] }]);
      if (!done.ok) throw new Error(JSON.stringify(done.error));
    }
    return times / ((performance.now() - began) / 1000);
  };
  const followed: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await perSecond('plain'));
    followed.push(await perSecond('live'));
  }
  return { what, measured: median(followed), reference: median(plain), unit: '/s' };
}

type Measured = { readonly heardMs: number; readonly growth: number };

async function measure(
  setting: RestSetting,
  listeners: number,
  tokenOf: (place: number) => string | undefined,
): Promise<Measured> {
  const before = await residentMegabytes(setting.serverPid);
  const sockets: Socket[] = [];
  const heard = new Map<string, number>();
  let onHeard: () => void = () => {};
  // No more at a time than the backlog of the port takes.
  for (let from = 0; from < listeners; from += 100) {
    const some = Array.from({ length: Math.min(100, listeners - from) }, (_, i) =>
      listen(setting.port, tokenOf(from + i), (word) => {
        heard.set(word, (heard.get(word) ?? 0) + 1);
        onHeard();
      }),
    );
    sockets.push(...(await Promise.all(some)));
  }
  const growth = (await residentMegabytes(setting.serverPid)) - before;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const word = `word-${listeners}-${round}.`;
    const began = performance.now();
    const all = new Promise<void>((resolve) => {
      onHeard = () => {
        if (heard.get(word) === listeners) resolve();
      };
    });
    const changed = await setting.driver.script(`update bench.live set name = '${word}' where id = ${round + 1}`);
    if (!changed.ok) throw new Error(JSON.stringify(changed.error));
    await all;
    times.push(performance.now() - began);
  }
  for (const socket of sockets) socket.destroy();
  return { heardMs: median(times), growth };
}

/** Resolves when all rows have come. Told each word of a change, once for each listener. */
function listen(port: number, token: string | undefined, onWord: (word: string) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
    socket.write(
      `GET /live?select=id,name HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n${authorization}\r\n`,
    );
    let isReady = false;
    let rest = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const text = rest + chunk;
      if (!isReady && text.includes('event: ready')) {
        isReady = true;
        rest = '';
        resolve(socket);
        return;
      }
      const word = isReady ? /word-\d+-\d+\./.exec(text)?.[0] : undefined;
      rest = word === undefined ? text.slice(-200) : '';
      if (word !== undefined) onWord(word);
    });
    socket.once('error', reject).once('close', () => reject(new Error(`a listener was cut off: ${rest}`)));
  });
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
