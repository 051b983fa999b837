// An engine of the host, as a test file sees it: the same contract as one in its own process.

import { connect } from 'node:net';
import type { Engine, EngineEvents } from '../../../src/pg/pglite/engine.ts';
import { readFrames, writeFrame } from './frames.ts';

const NO_EVENTS: EngineEvents = { onOutput: () => {}, onConsumed: () => {} };

export async function borrowEngine(port: number, fixtures: readonly string[]): Promise<Engine> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let isAlive = true;
  let isReady = true;
  let unconsumed = 0;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let onDied: (message: string) => void = () => {};
  const engine = {
    events: NO_EVENTS,
    // Lent from a host that puts a snapshot back: what ends here is gone.
    isDurable: false,
    died: new Promise<string>((resolve) => {
      onDied = resolve;
    }),
    get isAlive(): boolean {
      return isAlive;
    },
    get isQuiet(): boolean {
      return isReady && unconsumed === 0;
    },
    send: (bytes: Uint8Array): void => {
      unconsumed += bytes.length;
      writeFrame(socket, 'data', bytes);
    },
    // The socket has its own way to make the other side wait.
    take: (): void => {},
    close: async (): Promise<void> => {
      isAlive = false;
      socket.end();
      await closed;
    },
    kill: async (): Promise<void> => {
      isAlive = false;
      socket.destroy();
      await closed;
    },
  };
  const die = (message: string): void => {
    if (!isAlive) return;
    isAlive = false;
    onDied(message);
  };
  await new Promise<void>((resolve, reject) => {
    readFrames(socket, (frame, body) => {
      switch (frame) {
        case 'ready':
          return resolve();
        case 'data':
          return engine.events.onOutput(body);
        case 'status':
          unconsumed -= body.readUInt32BE();
          isReady = body[4] === 1;
          return engine.events.onConsumed(body.readUInt32BE());
        case 'gone':
          reject(new Error(body.toString()));
          return die(body.toString());
        case 'want':
          return;
      }
    });
    socket.once('error', reject);
    socket.once('close', () => die('the engine host is gone'));
    writeFrame(socket, 'want', Buffer.from(JSON.stringify(fixtures)));
  });
  socket.on('error', (error) => die(error.message));
  return engine;
}
