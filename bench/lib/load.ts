// Load on an HTTP server: keep-alive connections, each sending the same request again when its answer is complete. Raw
// sockets, so that the measuring costs little of what is measured.

import { connect, type Socket } from 'node:net';

export type Load = {
  readonly port: number;
  readonly request: string | Buffer;
  readonly connections: number;
  readonly seconds: number;
  /** Status every answer must have. */
  readonly expect: number;
};

export type LoadResult = {
  readonly perSecond: number;
  readonly answers: number;
  readonly unexpected: ReadonlyMap<number, number>;
};

export async function runLoad(load: Load): Promise<LoadResult> {
  const counts = { answers: 0, unexpected: new Map<number, number>() };
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)));
  const began = performance.now();
  const until = began + load.seconds * 1000;
  await Promise.all(sockets.map((socket) => drive(socket, load, until, counts)));
  return {
    perSecond: counts.answers / ((performance.now() - began) / 1000),
    answers: counts.answers,
    unexpected: counts.unexpected,
  };
}

const HEAD_END: Buffer = Buffer.from('\r\n\r\n');

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.setNoDelay(true);
    socket.once('error', reject);
  });
}

function drive(
  socket: Socket,
  load: Load,
  until: number,
  counts: { answers: number; unexpected: Map<number, number> },
): Promise<void> {
  const bytes = Buffer.from(load.request);
  return new Promise((resolve, reject) => {
    let missing = -1;
    let head: Buffer = Buffer.alloc(0);
    const done = (): void => {
      counts.answers += 1;
      if (performance.now() >= until) {
        socket.destroy();
        resolve();
      } else socket.write(bytes);
    };
    socket.on('data', (chunk: Buffer) => {
      if (missing < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        const text = head.toString('latin1', 0, end);
        const status = Number(text.slice(9, 12));
        if (status !== load.expect) counts.unexpected.set(status, (counts.unexpected.get(status) ?? 0) + 1);
        const upper = text.indexOf('\r\nContent-Length: ');
        const at = upper < 0 ? text.indexOf('\r\ncontent-length: ') : upper;
        const length = at < 0 ? 0 : Number.parseInt(text.slice(at + 18, at + 30), 10);
        missing = length - (head.length - end - 4);
        head = Buffer.alloc(0);
      } else missing -= chunk.length;
      if (missing <= 0) {
        missing = -1;
        done();
      }
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.write(bytes);
  });
}
