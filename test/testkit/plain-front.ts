// A plain front with a Node server behind it, and clients that dial it and read byte for byte.

import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { PlainHandler } from '../../src/http/plain/plain-connection.ts';
import { attachPlainFront, type PlainFront, type PlainFrontOptions } from '../../src/http/plain/plain-front.ts';

const open: { server: Server; sockets: Socket[] }[] = [];

afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  }
});

export async function startPlainFront(
  handle: PlainHandler,
  options: Partial<PlainFrontOptions> = {},
): Promise<{ dial(): Dialled; front: PlainFront; server: Server; failures: unknown[] }> {
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    // Looked at when all are there, as most readers do: bytes that were written over meanwhile would show.
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sum = createHash('sha256').update(Buffer.concat(chunks)).digest('hex');
      response.end(`node ${request.method} ${request.url} ${sum}`);
    });
  });
  const front = attachPlainFront(server, {
    handle,
    onFailure: (cause) => failures.push(cause),
    idleMs: 60_000,
    stalledMs: 60_000,
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets: Socket[] = [];
  open.push({ server, sockets });
  const { port } = server.address() as AddressInfo;
  return {
    front,
    server,
    failures,
    dial: () => {
      const dialled = dial(port);
      sockets.push(dialled.socket);
      return dialled;
    },
  };
}

export type Dialled = {
  readonly socket: Socket;
  send(text: string): void;
  until(mark: string): Promise<string>;
  readonly ended: Promise<void>;
};

function dial(port: number): Dialled {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let look = (): void => {};
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    look();
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    socket,
    ended,
    send: (sent) => void socket.write(sent, 'latin1'),
    until: (mark) =>
      new Promise((resolve) => {
        look = () => {
          const at = text.indexOf(mark);
          if (at < 0) return;
          const found = text.slice(0, at + mark.length);
          text = text.slice(at + mark.length);
          look = () => {};
          resolve(found);
        };
        look();
      }),
  };
}
