// Over real connections, with handlers that answer when they are told to.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { unobserved } from '../kernel/observation.ts';
import { registerErrors } from './errors/register-errors.ts';
import { registerTurns } from './register-turns.ts';

const opened: (FastifyInstance | Socket)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    if ('listen' in one) await one.close();
    else one.destroy();
  }
});

type Place = {
  /** What has begun, by path. */
  readonly begun: string[];
  answer(name: string, body?: string): void;
  dial(text: string): Promise<{ readonly socket: Socket; read(): string }>;
};

async function openPlace(patienceMs = 60_000): Promise<Place> {
  const app = Fastify({ forceCloseConnections: true });
  opened.push(app);
  registerTurns(
    app,
    { answerError: registerErrors(app, unobserved), addressOf: () => '' },
    { atOnce: 1, patienceMs, longestMs: 600_000 },
  );
  const begun: string[] = [];
  const answers = new Map<string, (body: string) => void>();
  for (const method of ['GET', 'POST']) {
    app.route({
      method,
      url: '/api/v2/:name',
      handler: ({ params }) => {
        const { name } = params as { name: string };
        begun.push(name);
        return new Promise<string>((resolve) => answers.set(name, resolve));
      },
    });
  }
  app.get('/other', async () => 'other');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  return {
    begun,
    answer(name, body = name) {
      answers.get(name)?.(body);
    },
    async dial(text) {
      const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
      opened.push(socket);
      let said = '';
      socket.on('data', (bytes) => {
        said += bytes;
      });
      socket.write(text);
      await once(socket, 'connect');
      return { socket, read: () => said };
    },
  };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
const WAIT = { timeout: 30_000 };

test('one begins when the one before it has its answer', async () => {
  const { begun, answer, dial } = await openPlace();
  const first = await dial(get('/api/v2/a'));
  await vi.waitFor(() => expect(begun).toEqual(['a']), WAIT);
  await dial(get('/api/v2/b'));
  const other = await dial(get('/other'));
  await vi.waitFor(() => expect(other.read()).toMatch(/other$/), WAIT);
  expect(begun).toEqual(['a']);
  answer('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']), WAIT);
  await vi.waitFor(() => expect(first.read()).toMatch(/a$/), WAIT);
});

test('nobody waits for a client that does not read its answer', async () => {
  const { begun, answer, dial } = await openPlace();
  const slow = await dial(get('/api/v2/slow'));
  slow.socket.pause();
  await vi.waitFor(() => expect(begun).toEqual(['slow']), WAIT);
  answer('slow', 'x'.repeat(30_000_000));
  await dial(get('/api/v2/b'));
  await vi.waitFor(() => expect(begun).toEqual(['slow', 'b']), WAIT);
});

test('nobody waits for a client that sends its body bit by bit', async () => {
  const { begun, dial } = await openPlace();
  const head = 'POST /api/v2/slow HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n';
  const slow = await dial(`${head}{"a"`);
  await dial(get('/api/v2/b'));
  await vi.waitFor(() => expect(begun).toEqual(['b']), WAIT);
  slow.socket.write(':    1');
});

test('a client that leaves while it waits is not worked for', async () => {
  const { begun, answer, dial } = await openPlace();
  await dial(get('/api/v2/a'));
  await vi.waitFor(() => expect(begun).toEqual(['a']), WAIT);
  const gone = await dial(get('/api/v2/gone'));
  const other = await dial(get('/other'));
  await vi.waitFor(() => expect(other.read()).toMatch(/other$/), WAIT);
  gone.socket.destroy();
  await once(gone.socket, 'close');
  const again = await dial(get('/other'));
  await vi.waitFor(() => expect(again.read()).toMatch(/other$/), WAIT);
  await dial(get('/api/v2/b'));
  answer('a');
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']), WAIT);
});

test('whoever has waited for long is told to come again', async () => {
  const { begun, dial } = await openPlace(100);
  await dial(get('/api/v2/a'));
  await vi.waitFor(() => expect(begun).toEqual(['a']), WAIT);
  const late = await dial(get('/api/v2/late'));
  await vi.waitFor(() => expect(late.read()).toMatch(/^HTTP\/1\.1 503 [\s\S]*temporarily unavailable/), WAIT);
  expect(begun).toEqual(['a']);
});
