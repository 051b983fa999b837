// A road to PostgreSQL that loses an answer: the server commits, and the connection is cut before anybody hears of it.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type LosingProxy = {
  /** The same database, by this road. */
  readonly uri: string;
  /** Loses the answer to the next commit of a transaction in which the text was sent; resolves once it is lost. */
  lose(text: string): Promise<void>;
  close(): Promise<void>;
};

/** The tag of the server's answer to a commit, and what it says when no transaction is open. */
const COMMITTED = Buffer.from('COMMIT\0');
const IDLE = Buffer.from('Z\0\0\0\x05I');

export async function startLosingProxy(uri: string): Promise<LosingProxy> {
  const { hostname, port } = new URL(uri);
  const sockets = new Set<Socket>();
  let wanted: { readonly text: string; lost(): void } | undefined;

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    let hasText = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        end();
      });
      socket.on('error', end);
    }
    client.on('data', (chunk) => {
      if (wanted !== undefined && chunk.includes(wanted.text)) hasText = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (hasText && wanted !== undefined && chunk.includes(COMMITTED)) {
        end();
        wanted.lost();
        wanted = undefined;
        return;
      }
      if (chunk.includes(IDLE)) hasText = false;
      client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const road = new URL(uri);
  road.hostname = '127.0.0.1';
  road.port = String(address.port);
  return {
    uri: road.href,
    lose: (text) =>
      new Promise((resolve) => {
        wanted = { text, lost: resolve };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
