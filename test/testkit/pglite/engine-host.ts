// Keeps a few embedded engines warm for a whole test run and lends each to one suite at a time, over loopback, with the suite's
// fixtures in it. An engine takes seconds to start and some more until its code is compiled; these are started once.

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { EmbeddedAssets } from '../../../src/pg/pglite/embedded-assets.ts';
import type { Engine } from '../../../src/pg/pglite/engine.ts';
import { readFrames, writeFrame } from './frames.ts';
import { type Fixtures, readFixtures, type SnapshotEngine, startSnapshotEngine } from './snapshot-engine.ts';

export type EngineHost = { readonly port: number; stop(): Promise<void> };

const MAX_ENGINES = 3; // about a gigabyte each

export async function startEngineHost(assets: EmbeddedAssets): Promise<EngineHost> {
  const free: SnapshotEngine[] = [];
  const all = new Set<SnapshotEngine>();
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  let starting = 0;
  const wake = (): void => {
    for (const go of waiting.splice(0)) go();
  };

  /** One that is free, rather one that has run the fixtures before; else a new one. */
  const take = async (fixtures: Fixtures): Promise<SnapshotEngine> => {
    for (;;) {
      const at = Math.max(
        0,
        free.findIndex((one) => one.has(fixtures)),
      );
      const [found] = free.splice(at, 1);
      if (found !== undefined) return found;
      if (all.size + starting < MAX_ENGINES) return start();
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };

  const start = async (): Promise<SnapshotEngine> => {
    starting++;
    try {
      const started = await startSnapshotEngine(assets);
      all.add(started);
      return started;
    } finally {
      starting--;
    }
  };

  const discard = async (one: SnapshotEngine): Promise<void> => {
    all.delete(one);
    await one.kill();
    wake();
  };

  const lend = async (fixtures: Fixtures): Promise<SnapshotEngine> => {
    for (;;) {
      const taken = await take(fixtures);
      try {
        if (taken.engine.isAlive && (await taken.load(fixtures))) return taken;
      } catch (error) {
        await discard(taken);
        throw error;
      }
      await discard(taken);
    }
  };

  const giveBack = async (lent: SnapshotEngine): Promise<void> => {
    if (!lent.engine.isAlive || !lent.engine.isQuiet) return discard(lent);
    free.push(lent);
    wake();
  };

  // Without noDelay every answer would wait 40 ms for the acknowledgement of the frame before it.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let lent: SnapshotEngine | undefined;
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (lent !== undefined) void giveBack(lent);
    });
    readFrames(socket, (frame, body) => {
      if (frame === 'data') lent?.engine.send(body);
      if (frame !== 'want') return;
      lend(readFixtures(JSON.parse(body.toString()) as string[])).then(
        (taken) => {
          if (socket.destroyed) return void giveBack(taken);
          lent = taken;
          connect(taken.engine, socket);
          writeFrame(socket, 'ready', Buffer.alloc(0));
        },
        (error: unknown) => writeFrame(socket, 'gone', Buffer.from(error instanceof Error ? error.message : '?')),
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
      await Promise.all([...all].map((one) => one.kill()));
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
  // Bytes that the socket has not passed on: one listener tells of all of them.
  let held = 0;
  engine.events = {
    onOutput: (bytes) => {
      if (writeFrame(socket, 'data', bytes)) return engine.take(bytes.length);
      held += bytes.length;
      if (held > bytes.length) return;
      socket.once('drain', () => {
        const passedOn = held;
        held = 0;
        engine.take(passedOn);
      });
    },
    onConsumed: status,
  };
  void engine.died.then((message) => writeFrame(socket, 'gone', Buffer.from(message)));
}
