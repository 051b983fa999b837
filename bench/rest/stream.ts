// Large reads: bytes a second against COPY of the same rows, and what they and large inserts add to the server's memory; reads with a client that takes them as
// fast as they come and with one that does not.

import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { type BenchRow, printRows } from '../lib/report.ts';
import { openRestSetting, type RestSetting } from './setting.ts';

/** About a kilobyte each. */
const ROWS = 1_000_000;
const MB = 1024 * 1024;
/** What a large read may add to the server's memory. */
const MAX_GROWTH = 64;
/** And what a large insert may. */
const MAX_INSERT_GROWTH = 150;
const INSERT_ROWS = 500_000;
const SLOW_BYTES_PER_SECOND = 2 * MB;
const SLOW_SECONDS = 20;
const TOGETHER = 3;

const SCHEMA = `
create view bench.big as select n as id, n * 1.5 as value, now() as at, repeat(md5(n::text), 30) as body from generate_series(1, ${ROWS}) n;
grant select on bench.big to bench_anon;
create function bench.big_rows() returns setof bench.big stable language sql as 'select * from bench.big';
create function bench.big_once() returns setof bench.big language plpgsql as 'begin return query select * from bench.big; end';
grant execute on function bench.big_rows(), bench.big_once() to bench_anon;
create unlogged table bench.heap (id int, body text);
grant insert on bench.heap to bench_anon;
`;

const FORMATS = ['application/json', 'application/x-ndjson', 'text/csv'] as const;
const ARROW = 'application/vnd.apache.arrow.stream';
/** Smaller than their rows are on the wire: only their memory is compared. */
const COLUMNAR = [ARROW, 'application/vnd.apache.parquet'] as const;

export async function run(): Promise<boolean> {
  const setting = await openRestSetting({}, [], [SCHEMA]);
  try {
    await read(setting, '/big?limit=20000', 'application/json');
    const copied = await copy(setting);
    const speed: BenchRow[] = [];
    const memory: BenchRow[] = [];
    for (const format of FORMATS) {
      const { bytes, seconds, growth } = await watched(setting, () => read(setting, '/big', format));
      speed.push({ what: format, measured: bytes / seconds / MB, reference: copied, unit: 'MB/s' });
      memory.push(growthRow(`${Math.round(bytes / MB)} MB of ${format}`, growth));
    }
    for (const format of COLUMNAR) {
      const { bytes, seconds, growth } = await watched(setting, () => read(setting, '/big', format));
      memory.push(growthRow(`${Math.round(bytes / MB)} MB of ${format} in ${Math.round(seconds)} s`, growth));
    }
    // By POST, a function that may change something: it is called once, and the database keeps its rows.
    for (const [method, target] of [['GET', '/rpc/big_rows'] as const, ['POST', '/rpc/big_once'] as const]) {
      const { bytes, growth } = await watched(setting, () => read(setting, target, 'application/json', method));
      memory.push(growthRow(`${Math.round(bytes / MB)} MB of a function, by ${method}`, growth));
    }
    for (const format of ['application/json', ARROW] as const) {
      const slow = await watched(setting, () => readSlowly(setting, format));
      const what = `${format}, to a client that takes ${SLOW_BYTES_PER_SECOND / MB} MB a second`;
      memory.push(growthRow(what, slow.growth));
    }
    const { bytes: together, growth } = await watched(setting, () => readTogether(setting, ARROW));
    memory.push(growthRow(`${Math.round(together / MB)} MB of ${ARROW} by ${TOGETHER} clients at once`, growth));
    printRows('Large reads: megabytes a second, of what COPY brings to this process', speed);
    const reads = printRows(
      `Large reads: megabytes that ${MAX_GROWTH} MB allow for, of those by which memory grows`,
      memory,
    );
    const inserts: BenchRow[] = [];
    for (const format of FORMATS) {
      const { bytes, growth } = await watched(setting, () => insert(setting, format));
      const what = `${Math.round(bytes / MB)} MB of ${format}`;
      inserts.push({ what, measured: MAX_INSERT_GROWTH, reference: Math.max(1, growth), unit: 'MB', target: 1 });
    }
    const title = `Large inserts: megabytes that ${MAX_INSERT_GROWTH} MB allow for, of those by which memory grows`;
    return printRows(title, inserts) && reads;
  } finally {
    await setting.close();
  }
}

/** Reached where memory grows by less than it may. */
function growthRow(what: string, growth: number): BenchRow {
  return { what, measured: MAX_GROWTH, reference: Math.max(1, growth), unit: 'MB', target: 1 };
}

type Read = { readonly bytes: number; readonly seconds: number };

/** `growth`: in megabytes, from before to the most that was seen. */
async function watched<T>(setting: RestSetting, work: () => Promise<T>): Promise<T & { readonly growth: number }> {
  const before = await residentMegabytes(setting.serverPid);
  let most = before;
  const timer = setInterval(() => {
    void residentMegabytes(setting.serverPid).then((now) => {
      most = Math.max(most, now);
    });
  }, 50);
  try {
    const done = await work();
    return { ...done, growth: most - before };
  } finally {
    clearInterval(timer);
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function open({ port }: RestSetting, target: string, format: string, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: target, method, headers: { Accept: format } }, resolve)
      .on('error', reject)
      .end();
  });
}

async function read(setting: RestSetting, target: string, format: string, method?: string): Promise<Read> {
  const began = performance.now();
  const response = await open(setting, target, format, method);
  if (response.statusCode !== 200) throw new Error(`${target} as ${format} was answered ${response.statusCode}`);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  if (!response.complete) throw new Error('the answer was cut off');
  return { bytes, seconds: (performance.now() - began) / 1000 };
}

async function readTogether(setting: RestSetting, format: string): Promise<Read> {
  const reads = await Promise.all(Array.from({ length: TOGETHER }, () => read(setting, '/big', format)));
  return {
    bytes: reads.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: Math.max(...reads.map(({ seconds }) => seconds)),
  };
}

/** Leaves in the midst of it. */
async function readSlowly(setting: RestSetting, format: string): Promise<Read> {
  const began = performance.now();
  const response = await open(setting, '/big', format);
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    const due = (bytes / SLOW_BYTES_PER_SECOND) * 1000 - (performance.now() - began);
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    if (performance.now() - began > SLOW_SECONDS * 1000) break;
  }
  response.destroy();
  return { bytes, seconds: (performance.now() - began) / 1000 };
}

/** About half a gigabyte, made as it is sent. */
async function insert({ port }: RestSetting, format: (typeof FORMATS)[number]): Promise<Read> {
  const began = performance.now();
  let bytes = 0;
  const sent = request({ port, host: '127.0.0.1', path: '/heap', method: 'POST', headers: { 'Content-Type': format } });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
  });
  const body = 'x'.repeat(980);
  const rowOf = (id: number): string => (format === 'text/csv' ? `${id},${body}` : `{"id":${id},"body":"${body}"}`);
  const between = format === 'application/json' ? ',' : '\n';
  const opening = format === 'application/json' ? '[' : format === 'text/csv' ? 'id,body\n' : '';
  sent.write(opening);
  for (let from = 1; from <= INSERT_ROWS; from += 1000) {
    const part = Array.from({ length: 1000 }, (_, at) => rowOf(from + at)).join(between);
    bytes += part.length;
    const isLast = from + 1000 > INSERT_ROWS;
    if (!sent.write(isLast ? part : part + between)) await new Promise((resolve) => sent.once('drain', resolve));
  }
  sent.end(format === 'application/json' ? ']' : '');
  const status = await answered;
  if (status !== 201) throw new Error(`the insert was answered ${status}`);
  return { bytes, seconds: (performance.now() - began) / 1000 };
}

/** Megabytes a second. */
async function copy({ driver }: RestSetting): Promise<number> {
  const began = performance.now();
  let bytes = 0;
  const copied = await driver.copyOut([], 'copy (select * from bench.big) to stdout', (chunk) => {
    bytes += chunk.length;
  });
  if (!copied.ok) throw new Error(JSON.stringify(copied.error));
  return bytes / ((performance.now() - began) / 1000) / MB;
}
