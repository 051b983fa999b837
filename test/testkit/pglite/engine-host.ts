// Keeps a few embedded engines warm for a whole test run and lends each to one suite at a time, over loopback.
//
// An engine takes seconds to start and some more until its code is compiled; one that is warm is brought back to its
// template in a third of a second. After each use its catalogues are compared with those of a fresh one, and an engine
// on which anything was left is thrown away: a suite never sees another one's leavings.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { EmbeddedAssets } from '../../../src/pg/pglite/embedded-assets.ts';
import { type Engine, startEngine } from '../../../src/pg/pglite/engine.ts';
import { EngineSocket } from '../../../src/pg/pglite/engine-socket.ts';
import { Connection } from '../../../src/pg/postgres/connection.ts';
import { PreparedStatements } from '../../../src/pg/wire/prepared-statements.ts';
import { readFrames, writeFrame } from './frames.ts';

/** With PostGIS in it, as the template is, or without. */
export type DatabaseKind = 'postgis' | 'bare';

export type EngineHost = { readonly port: number; stop(): Promise<void> };

type Lent = {
  readonly engine: Engine;
  readonly kind: DatabaseKind;
  readonly fingerprint: string;
  /** Gives every schema that was there at the start its owner and its grants back. */
  readonly restoreSchemas: string;
};

const MAX_ENGINES = 3; // about 700 MB each
const RESET = readFileSync(join(import.meta.dirname, 'reset-database.sql'), 'utf8');
const FINGERPRINT = readFileSync(join(import.meta.dirname, 'fingerprint.sql'), 'utf8');
const RESTORE_SCHEMAS = `
  select format('update pg_namespace set nspowner = %s, nspacl = %L where oid = %s;', nspowner, nspacl, oid) from pg_namespace`;
const SPATIAL_FINGERPRINT = 'select count(*)::text || max(srid) from spatial_ref_sys';

export async function startEngineHost(assets: EmbeddedAssets): Promise<EngineHost> {
  const free: Lent[] = [];
  const all = new Set<Engine>();
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  /** Just given back: free in a moment, which is sooner than any that would be started now. */
  const resetting = new Set<Lent>();
  const sockets = new Set<Socket>();
  let starting = 0;

  const take = async (kind: DatabaseKind): Promise<Lent> => {
    for (;;) {
      const at = free.findIndex((lent) => lent.kind === kind && lent.engine.isAlive);
      const [found] = at < 0 ? [] : free.splice(at, 1);
      if (found !== undefined) return found;
      const isSoon = [...resetting].some((lent) => lent.kind === kind);
      if (!isSoon && all.size + starting < MAX_ENGINES) return start(kind);
      const other = isSoon ? undefined : free.shift();
      if (other !== undefined) await discard(other.engine);
      else await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };

  const start = async (kind: DatabaseKind): Promise<Lent> => {
    starting++;
    try {
      const engine = await startEngine({ dataDir: null, ...assets });
      all.add(engine);
      if (kind === 'bare') await speak(engine, (connection) => script(connection, 'drop extension postgis'));
      return await speak(engine, async (connection) => ({
        engine,
        kind,
        fingerprint: await readFingerprint(connection, kind),
        restoreSchemas: (await lines(connection, [RESTORE_SCHEMAS])).join('\n'),
      }));
    } finally {
      starting--;
    }
  };

  const discard = async (engine: Engine): Promise<void> => {
    all.delete(engine);
    await engine.kill();
    wake();
  };

  const giveBack = async (lent: Lent): Promise<void> => {
    if (!lent.engine.isAlive || !lent.engine.isQuiet) return discard(lent.engine);
    resetting.add(lent);
    const isClean = await speak(lent.engine, async (connection) => {
      await connection.fly([{ text: 'rollback', params: [] }]);
      await connection.fly([{ text: 'discard all', params: [] }]);
      await script(connection, `${RESET}\n${lent.restoreSchemas}`);
      await script(connection, 'reset all');
      return (await readFingerprint(connection, lent.kind)) === lent.fingerprint;
    }).catch(() => false);
    resetting.delete(lent);
    if (!isClean) return discard(lent.engine);
    free.push(lent);
    wake();
  };

  // Without noDelay every answer would wait 40 ms for the acknowledgement of the frame before it.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let lent: Lent | undefined;
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (lent !== undefined) void giveBack(lent);
    });
    readFrames(socket, (frame, body) => {
      if (frame === 'data') lent?.engine.send(body);
      if (frame !== 'want') return;
      take(body.toString() === 'bare' ? 'bare' : 'postgis').then(
        (taken) => {
          lent = taken;
          if (socket.destroyed) return void giveBack(taken);
          connect(taken.engine, socket);
          writeFrame(socket, 'ready', Buffer.alloc(0));
        },
        (error: unknown) => writeFrame(socket, 'gone', Buffer.from(String(error))),
      );
    });
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([...all].map((engine) => engine.kill()));
    },
  };
}

function connect(engine: Engine, socket: Socket): void {
  const status = (consumed: number): void => {
    const body = Buffer.alloc(5);
    body.writeUInt32BE(consumed);
    body[4] = engine.isQuiet ? 1 : 0;
    writeFrame(socket, 'status', body);
  };
  engine.events = {
    onOutput: (bytes) => {
      if (writeFrame(socket, 'data', bytes)) engine.take(bytes.length);
      else socket.once('drain', () => engine.take(bytes.length));
    },
    onConsumed: status,
  };
  void engine.died.then((message) => writeFrame(socket, 'gone', Buffer.from(message)));
}

async function speak<T>(engine: Engine, say: (connection: Connection) => Promise<T>): Promise<T> {
  const prepared = new PreparedStatements(0, '');
  const connection = new Connection(new EngineSocket(engine), { prepared, flightTimeoutMs: undefined });
  try {
    return await say(connection);
  } finally {
    await connection.close('done');
  }
}

async function script(connection: Connection, sql: string): Promise<void> {
  const outcome = await connection.script(sql);
  if (outcome.kind === 'lost') throw new Error(outcome.message);
  if (outcome.reply.failure !== null) throw new Error(outcome.reply.failure.error.message);
}

function readFingerprint(connection: Connection, kind: DatabaseKind): Promise<string> {
  return lines(connection, kind === 'bare' ? [FINGERPRINT] : [FINGERPRINT, SPATIAL_FINGERPRINT]).then((all) =>
    all.join('\n'),
  );
}

/** The first column of everything these queries find. */
async function lines(connection: Connection, texts: readonly string[]): Promise<string[]> {
  const outcome = await connection.fly(texts.map((text) => ({ text, params: [] })));
  if (outcome.kind === 'lost') throw new Error(outcome.message);
  if (outcome.reply.failure !== null) throw new Error(outcome.reply.failure.error.message);
  return outcome.reply.results.flatMap(({ rows }) => rows.map(([line]) => line?.toString() ?? ''));
}
