// npm run bench chaos [minutes]: the portal under a mixed load while its processes and its database are killed, paused and cut off, and its disk is
// filled. A book is kept of what was acknowledged; at the end the book and the database have to agree, doctor has to be clean, and memory bounded. On
// PostgreSQL (two copies and a worker), on the embedded database, and on a server of the program's own.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { Book } from './book.ts';
import { makeClients } from './clients.ts';
import { type Crew, startCrew } from './crew.ts';
import { makeFaults } from './faults.ts';
import { tryTmpfs } from './full-disk.ts';
import { localServer } from './local-server.ts';
import { OwnServer } from './own-server.ts';

/** Longest that everything may take to come to rest once the faults are over. */
const REST_SECONDS = 240;
const MAX_MEMORY_MB = 900;
const FILES_MB = 256;
const ENGINES = ['postgres', 'embedded', 'local'] as const;

export async function run(): Promise<boolean> {
  const minutes = Number(process.argv.find((word) => /^\d+(?:\.\d+)?$/.test(word)) ?? 10);
  const only = new RegExp(process.env['SVRST_BENCH_ONLY'] ?? '');
  const isThere = findPostgres(process.env) !== undefined;
  if (!isThere) console.log('\nChaos on PostgreSQL: not run, there is none on this machine');
  const engines = ENGINES.filter((engine) => only.test(engine) && (isThere || engine === 'embedded'));
  let isFine = true;
  for (const engine of engines) isFine = (await runOn(engine, minutes / engines.length)) && isFine;
  return isFine;
}

async function runOn(engine: (typeof ENGINES)[number], minutes: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'survest-chaos-'));
  // The account of a server may pass through; the data folder keeps others out.
  chmodSync(folder, 0o711);
  // Another account's, where this one may not run a server.
  const serverFolder = mkdtempSync(join(tmpdir(), 'survest-chaos-pg-'));
  const data = join(folder, 'data');
  const disk = tryTmpfs(join(data, 'files'), FILES_MB);
  const database = engine === 'postgres' ? await OwnServer.start(serverFolder) : engine;
  const server = database === 'local' ? localServer(data) : database === 'embedded' ? undefined : database;
  let crew: Crew | undefined;
  try {
    crew = await startCrew({ folder: data, database });
    const book = new Book();
    const clients = makeClients(crew, book);
    await clients.prepare();
    const faults = makeFaults({ crew, server, disk });
    const end = performance.now() + minutes * 60_000;
    const running = clients.start();
    let peakMb = 0;
    while (performance.now() < end) {
      await crew.allReady();
      await pause(1000 + Math.random() * 4000);
      peakMb = Math.max(peakMb, ...(await crew.memoryMb()));
      await faults.next();
    }
    await faults.over();
    await crew.allReady();
    await running.stop();
    const left = await clients.settle(REST_SECONDS);
    const wrong = [...left, ...(await clients.compare())];
    const memory = await crew.memoryMb();
    const doctor = await crew.doctor();
    console.log(`\nChaos on ${engine} for ${minutes} min`);
    console.log(`  faults        ${faults.counts()}`);
    console.log(`  answers       ${book.answers()}`);
    console.log(`  acknowledged  ${book.acknowledged()}`);
    console.log(`  unanswered    ${book.unanswered()} (may or may not be there, once at most)`);
    console.log(
      `  memory        ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB at the end, ${peakMb.toFixed(0)} MB at most (bound ${MAX_MEMORY_MB})`,
    );
    console.log(
      `  doctor        ${doctor.length === 0 ? 'everything fits together' : doctor.join('\n                ')}`,
    );
    console.log(`  book          ${wrong.length === 0 ? 'agrees' : wrong.slice(0, 20).join('\n                ')}`);
    return wrong.length === 0 && doctor.length === 0 && peakMb < MAX_MEMORY_MB;
  } finally {
    await crew?.stop();
    if (database instanceof OwnServer) await database.stop();
    disk?.close();
    for (const one of [folder, serverFolder]) rmSync(one, { recursive: true, force: true });
  }
}
