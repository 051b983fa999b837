// An embedded engine with snapshots of itself: fixtures → the engine as it was right after they had run, which takes seconds the
// first time and a tenth of a second from then on. Nothing of what was done to it meanwhile is left.

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BroadcastChannel } from 'node:worker_threads';
import type { EmbeddedAssets } from '../../../src/pg/pglite/embedded-assets.ts';
import { type Engine, startEngine } from '../../../src/pg/pglite/engine.ts';
import { EngineSocket } from '../../../src/pg/pglite/engine-socket.ts';
import { Connection } from '../../../src/pg/session/connection.ts';
import { PreparedStatements } from '../../../src/pg/wire/prepared-statements.ts';

export type Fixtures = {
  /** The same for the same texts. */
  readonly key: string;
  readonly scripts: readonly { readonly path: string; readonly sql: string }[];
  /** The template has PostGIS; a database on a server has it only when its fixtures ask for it. */
  readonly hasPostgis: boolean;
};

export type SnapshotEngine = {
  readonly engine: Engine;
  /** It has run these before. */
  has(fixtures: Fixtures): boolean;
  /** Throws what a fixture made the database say; false: this engine can no longer be brought back. */
  load(fixtures: Fixtures): Promise<boolean>;
  kill(): Promise<void>;
};

const SCRIPT = new URL('./snapshot-worker.mjs', import.meta.url);
const TEMPLATE = 'template';
const BARE = 'template without PostGIS';
/** Snapshots beside these two: some thirty megabytes each. */
const MAX_KEPT = 8;

// A library that is loaded later is in no snapshot that was taken before.
const LOAD_LIBRARIES = `do $$ begin
  perform st_transform(st_setsrid(st_makepoint(8, 47), 4326), 3857), to_tsvector('english', 'loaded');
end $$`;

export function readFixtures(paths: readonly string[]): Fixtures {
  const scripts = paths.map((path) => ({ path, sql: readFileSync(path, 'utf8') }));
  const texts = scripts.map(({ sql }) => sql);
  return {
    key: createHash('sha256').update(JSON.stringify(texts)).digest('hex'),
    scripts,
    hasPostgis: texts.some((sql) => /postgis/i.test(sql)),
  };
}

export async function startSnapshotEngine(assets: EmbeddedAssets): Promise<SnapshotEngine> {
  const name = randomUUID();
  const engine = await startEngine({ dataDir: null, ...assets, thread: { script: SCRIPT, data: { channel: name } } });
  const channel = new BroadcastChannel(name);
  channel.unref();
  const order = (kind: 'save' | 'restore' | 'forget', snapshot: string): Promise<boolean> =>
    new Promise((resolve, reject) => {
      channel.onmessage = (event) => {
        const { isDone, said } = (event as { readonly data: { readonly isDone: boolean; readonly said?: string } })
          .data;
        if (said === undefined) resolve(isDone);
        else reject(new Error(`snapshot: ${said}`));
      };
      channel.postMessage({ kind, name: snapshot });
    });

  await run(engine, LOAD_LIBRARIES);
  await order('save', TEMPLATE);
  await run(engine, 'drop extension postgis');
  await order('save', BARE);

  /** Least recently used first. */
  const kept = new Set<string>();
  return {
    engine,
    has: ({ key }) => kept.has(key),
    async load({ key, scripts, hasPostgis }) {
      if (kept.delete(key)) {
        kept.add(key);
        return order('restore', key);
      }
      if (!(await order('restore', hasPostgis ? TEMPLATE : BARE))) return false;
      for (const { path, sql } of scripts) {
        await run(engine, sql).catch((cause: unknown) => {
          throw new Error(`fixture ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
        });
      }
      const [oldest] = kept;
      if (oldest !== undefined && kept.size >= MAX_KEPT) {
        kept.delete(oldest);
        await order('forget', oldest);
      }
      kept.add(key);
      return order('save', key);
    },
    async kill() {
      channel.close();
      await engine.kill();
    },
  };
}

/** Runs a script in a session that is as new before and after it. */
async function run(engine: Engine, sql: string): Promise<void> {
  const prepared = new PreparedStatements(0, '');
  const connection = new Connection(new EngineSocket(engine), { prepared, batchTimeoutMs: undefined });
  try {
    const outcome = await connection.script(sql);
    if (outcome.kind === 'lost') throw new Error(outcome.message);
    if (outcome.reply.failure !== null) throw new Error(outcome.reply.failure.error.message);
    await connection.execute([{ text: 'discard all', params: [] }]);
  } finally {
    await connection.close('done');
  }
}
