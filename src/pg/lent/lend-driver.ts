// A driver lent to other processes over a Unix socket, so that commands work beside a program that has the embedded database open. Who can
// open the socket could read the files of the database as well: it stands in a folder that is its owner's alone.

import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { CopySink, DbError, Driver, Session } from '../driver.ts';
import { type Frames, makeFrames } from './frames.ts';
import { type Call, type Fed, type Opening, PROTOCOL, type Reply, type Step } from './messages.ts';
import type { SocketPath } from './socket-path.ts';

export type Lent = { close(): Promise<void> };

/** A held session is the only one of the embedded engine: a command that says nothing for so long loses it. */
const SILENCE_MS = 60_000;

export async function lendDriver(
  driver: Driver,
  { path, folder }: SocketPath,
  silenceMs: number = SILENCE_MS,
): Promise<Result<Lent, { readonly message: string }>> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    // Reading and writing report it as well.
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    void answer(driver, socket, silenceMs).finally(() => socket.end());
  });
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Left by a program that was killed; the caller holds the lock of the data folder.
    rmSync(path, { force: true });
    await listening(server, path);
    chmodSync(path, 0o600);
  } catch (cause) {
    server.close();
    return err({ message: cause instanceof Error ? cause.message : String(cause) });
  }
  return ok({
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      rmSync(path, { force: true });
    },
  });
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function answer(driver: Driver, socket: Socket, silenceMs: number): Promise<void> {
  const frames = makeFrames(socket, silenceMs);
  const left = new AbortController();
  socket.once('close', () => left.abort());
  try {
    const opening = (await frames.next()) as Opening | undefined;
    if (opening === undefined) return;
    if (opening.protocol !== PROTOCOL) return await reply(frames, { reply: 'other-protocol' });
    await perform(driver, opening, frames, left.signal);
  } catch {
    // The client is gone, or stopped in the midst: what it held has been given back.
    socket.destroy();
  }
}

async function perform(driver: Driver, call: Call, frames: Frames, signal: AbortSignal): Promise<void> {
  switch (call.call) {
    case 'execute': {
      const { timeLimitMs } = call;
      const options = timeLimitMs === undefined ? { signal } : { signal, timeLimitMs };
      return tell(frames, await driver.execute(call.batch, options));
    }
    case 'script':
      return tell(frames, await driver.script(call.sql));
    case 'copyOut':
      return tell(frames, await driver.copyOut(call.before, call.copy, passOn(frames), { signal }));
    case 'copyIn':
      return tell(frames, await feeding((feed) => driver.copyIn(call.before, call.copy, feed, { signal }), frames));
    case 'hold':
      return tell(frames, await driver.hold((session) => converse(session, frames), { signal }));
    case 'listen':
      return listenFor(driver, call.channel, frames, signal);
    case 'stats':
      return reply(frames, { reply: 'stats', stats: driver.stats() });
    default:
      return assertNever(call);
  }
}

/** The steps of a held session, until the client closes its side. */
async function converse(session: Session, frames: Frames): Promise<void> {
  await reply(frames, { reply: 'ready' });
  for (;;) {
    const step = (await frames.next()) as Step | undefined;
    if (step === undefined) return;
    switch (step.step) {
      case 'execute':
        await tell(frames, await session.execute(step.batch));
        break;
      case 'script':
        await tell(frames, await session.script(step.sql));
        break;
      case 'copyOut':
        await tell(frames, await session.copyOut(step.copy, passOn(frames)));
        break;
      case 'copyIn':
        await tell(frames, await feeding((feed) => session.copyIn(step.copy, feed), frames));
        break;
      case 'discard':
        session.discard(step.why);
        await tell(frames, ok(undefined));
        break;
      default:
        return assertNever(step);
    }
  }
}

async function feeding(
  copy: (feed: (sink: CopySink) => Promise<void>) => Promise<Result<number, DbError>>,
  frames: Frames,
): Promise<Result<number, DbError>> {
  let isFeeding = false;
  const copied = await copy(async (sink) => {
    await reply(frames, { reply: 'ready' });
    isFeeding = true;
    for (;;) {
      const fed = (await frames.next()) as Fed | undefined;
      isFeeding = fed?.fed === 'chunk';
      if (fed?.fed === 'all') return;
      if (fed?.fed !== 'chunk') throw new SourceFailed();
      await sink.write(fed.chunk);
    }
  }).catch((error: unknown) => {
    if (error instanceof SourceFailed) return SOURCE_FAILED;
    throw error;
  });
  // The database stopped it: what the client goes on sending is read and dropped.
  while (isFeeding) isFeeding = ((await frames.next()) as Fed | undefined)?.fed === 'chunk';
  return copied;
}

class SourceFailed extends Error {}

const SOURCE_FAILED = err({ kind: 'cancelled' } as const);

async function listenFor(driver: Driver, channel: string, frames: Frames, signal: AbortSignal): Promise<void> {
  const listener = driver.listen(channel, (event) => {
    reply(frames, { reply: 'event', event }).catch(() => {});
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await listener.close();
}

function passOn(frames: Frames): (chunk: Buffer) => Promise<void> {
  return (chunk) => reply(frames, { reply: 'chunk', chunk });
}

function tell(frames: Frames, result: Result<unknown, DbError>): Promise<void> {
  return reply(frames, { reply: 'result', result });
}

function reply(frames: Frames, message: Reply): Promise<void> {
  return frames.send(message);
}
