import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { closeStalled, type StallLimits } from './close-stalled.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(handler: RequestListener, limits: StallLimits): Promise<() => Socket> {
  const server = createServer(handler);
  closeStalled(server, limits);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return () => connect(port, '127.0.0.1').on('error', () => {});
}

const GET = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
const LARGE = Buffer.alloc(50_000_000, 'x');

test('a client that takes nothing of its answer is closed', async () => {
  const closed: Promise<unknown>[] = [];
  const dial = await start(
    (_, response) => {
      closed.push(once(response.socket as Socket, 'close'));
      response.end(LARGE);
    },
    { stalledMs: 100 },
  );
  const socket = dial().pause();
  socket.write(GET);
  await once(socket, 'readable');
  await closed[0];
  // All that is left is what had reached the buffers on the way.
  let read = 0;
  for await (const chunk of socket) read += (chunk as Buffer).length;
  expect(read).toBeLessThan(LARGE.length);
});

test('a client that reads, if slowly, gets its whole answer', async () => {
  const dial = await start((_, response) => response.end(LARGE), { stalledMs: 20_000 });
  const socket = dial();
  socket.write(GET);
  let read = 0;
  while (read < LARGE.length) {
    await once(socket, 'readable');
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) read += chunk.length;
  }
  expect(read).toBeGreaterThan(LARGE.length);
});

test('a client that waits for an answer that takes its time is left alone', async () => {
  // The request itself has to be read within it, on a machine that may halt us for a tenth of a second.
  const limitMs = 400;
  const dial = await start(
    (_, response) => {
      // Several times the limit, counted by the limit's own clock.
      const quiet = response.socket as Socket;
      let rounds = 0;
      const again = (): void => {
        if (++rounds === 3) response.end('late');
        else quiet.setTimeout(limitMs).once('timeout', again);
      };
      quiet.setTimeout(limitMs).once('timeout', again);
    },
    { stalledMs: limitMs },
  );
  const socket = dial();
  socket.write(GET);
  const [bytes] = await once(socket, 'data');
  expect(String(bytes)).toContain('late');
});

test('a client that stops in the midst of its body is closed, and so is one that is at it for too long', async () => {
  const handler: RequestListener = (request, response) =>
    request
      .on('error', () => {})
      .resume()
      .on('end', () => response.end());
  for (const limits of [{ stalledMs: 100 }, { stalledMs: 60_000, bodyMs: 100 }]) {
    const dial = await start(handler, limits);
    const socket = dial();
    socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc');
    await once(socket.resume(), 'close');
  }
  const dial = await start(handler, { stalledMs: 60_000, bodyMs: 1, isUpload: () => true });
  const socket = dial();
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabc');
  const slow = await start((_, response) => response.end(), { stalledMs: 60_000 });
  await once(
    slow().on('connect', function (this: Socket) {
      this.write(GET);
    }),
    'data',
  );
  socket.write('d');
  expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
});
