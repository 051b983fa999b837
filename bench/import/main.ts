// From PUT to PROCESSED with 200,000 polygons, as a share of the speed of GDAL's own program into the same database; a small
// file in an empty and in a full catalogue; and the memory of the program while small and large files go through it.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';
import { median } from '../lib/median.ts';
import { startProgram } from '../lib/program.ts';
import { type BenchRow, printRows } from '../lib/report.ts';
import { writeShapefile } from './write-shapefile.ts';

const MANY = 200_000;
const FEW = 1000;
const ROUNDS = 3;
const FEW_ROUNDS = 7;
const NATIVE_TARGET = 1 / 2;
const WASM_TARGET = 1 / 6;
const FEW_SECONDS = 3;
/** A large file may need so much more of the main process than a small one, in megabytes: its thumbnail has many, but not any number of features. */
const MEMORY = 64;

export async function run(): Promise<boolean> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL with PostGIS on this machine');
  const cluster = await startCluster(binaries);
  const folder = await mkdtemp(join(tmpdir(), 'survest-bench-import-'));
  try {
    const many = await writeShapefile(join(folder, 'many'), MANY);
    const few = await writeShapefile(join(folder, 'few'), FEW);
    const rows: BenchRow[] = [];
    let isFlat = true;
    const theirs = await theirSeconds(cluster.uri, many[0] ?? '');
    for (const [gdal, target] of [
      ['native', NATIVE_TARGET],
      ['wasm', WASM_TARGET],
    ] as const) {
      const program = await startProgram(cluster.uri, join(folder, gdal), gdal);
      await program.upload(few);
      program.peakMemory();
      await program.upload(few);
      const small = program.peakMemory();
      const seconds: number[] = [];
      for (let round = 0; round < (gdal === 'native' ? ROUNDS : 1); round += 1)
        seconds.push(await program.upload(many));
      const large = program.peakMemory();
      rows.push({
        what: `200,000 polygons by ${gdal} GDAL, of ogr2ogr`,
        measured: MANY / median(seconds),
        reference: MANY / theirs,
        unit: 'features/s',
        target,
      });
      console.log(
        `memory of the program: ${Math.round(small)} MB with a small file, ${Math.round(large)} MB with 80 MB`,
      );
      isFlat &&= large - small <= MEMORY;
      await program.stop();
    }
    const reached = printRows('Imports: PUT to PROCESSED', rows);
    return (await smallOnes(cluster.uri, join(folder, 'small'), few)) && isFlat && reached;
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function theirSeconds(uri: string, file: string): Promise<number> {
  const target = new URL(uri);
  const connection = `PG:host=${target.hostname} port=${target.port} user=${target.username} dbname=${target.pathname.slice(1)}`;
  const owner = makePostgresDriver({ uri, poolSize: 1 });
  await owner.script('create extension if not exists postgis');
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const options = ['-nlt', 'PROMOTE_TO_MULTI', '-nln', `theirs_${round}`, '-lco', 'GEOMETRY_NAME=geom'];
    execFileSync('ogr2ogr', ['-f', 'PostgreSQL', connection, file, ...options]);
    seconds.push((performance.now() - began) / 1000);
    await owner.script(`drop table theirs_${round}`);
  }
  await owner.close();
  return median(seconds);
}

async function smallOnes(uri: string, folder: string, few: readonly string[]): Promise<boolean> {
  const measure = async (): Promise<number> => {
    const program = await startProgram(uri, folder, 'native');
    await program.upload(few);
    const seconds: number[] = [];
    for (let round = 0; round < FEW_ROUNDS; round += 1) seconds.push(await program.upload(few));
    await program.stop();
    return median(seconds);
  };
  const empty = await measure();
  const owner = makePostgresDriver({ uri, poolSize: 1 });
  const layers = await readFile(new URL('./layers.sql', import.meta.url), 'utf8');
  for (let batch = 0; batch < 5000 / 200; batch += 1) {
    const seeded = await owner.script(layers);
    if (!seeded.ok) throw new Error(JSON.stringify(seeded.error));
  }
  await owner.script('analyze');
  await owner.close();
  const full = await measure();
  const rows: BenchRow[] = [
    {
      what: 'a small file in under three seconds',
      measured: 1000 * FEW_SECONDS,
      reference: 1000 * empty,
      unit: 'ms',
      target: 1,
    },
    // A little of what is measured is chance.
    {
      what: 'the same with 5,000 layers, of few',
      measured: 1000 * empty,
      reference: 1000 * full,
      unit: 'ms',
      target: 0.8,
    },
  ];
  return printRows('Imports: 1,000 polygons', rows);
}
