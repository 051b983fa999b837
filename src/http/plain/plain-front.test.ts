import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startPlainFront as start } from '../../../test/testkit/plain-front.ts';
import type { PlainHandler } from './plain-connection.ts';

const REQUEST = 'GET /plain HTTP/1.1\r\nHost: h\r\n\r\n';
/** As long as the numbers it is told from. */
const OTHER = '.........';
const saying =
  (body: string): PlainHandler =>
  (request) =>
    request.path === '/plain' ? Promise.resolve({ status: 200, headers: [['X-Way', 'plain']], body }) : undefined;

describe('a plain request', () => {
  test('is answered with length and date, again and again on one connection', async () => {
    const { dial } = await start(saying('hello'));
    const client = dial();
    for (let i = 0; i < 3; i++) {
      client.send(REQUEST);
      const answer = await client.until('hello');
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Way: plain\r\nContent-Length: 5\r\nDate: .* GMT\r\n\r\nhello$/);
    }
  });

  test('is answered without a body where there must be none', async () => {
    const { dial } = await start(saying('hello'));
    const client = dial();
    client.send('HEAD /plain HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await client.until('\r\n\r\n')).not.toContain('Content-Length');
    client.send(REQUEST);
    expect(await client.until('hello')).toMatch(/^HTTP\/1\.1 200/);
  });

  test('gets a large answer whole', async () => {
    const large = `${'x'.repeat(3_000_000)}end`;
    const { dial } = await start(saying(large));
    const client = dial();
    client.send(REQUEST);
    expect((await client.until('end')).length).toBeGreaterThan(large.length);
  });

  test('has its answer whole when its client reads late and others are answered meanwhile', async () => {
    let handled = 0;
    const { dial } = await start(async ({ query }) => {
      if (query !== OTHER) handled++;
      return { status: 200, headers: [], body: query.repeat(3000) };
    });
    const [late, other] = [dial(), dial()];
    const answerOther = async (): Promise<void> => {
      other.send(`GET /plain?${OTHER} HTTP/1.1\r\nHost: h\r\n\r\n`);
      await other.until(OTHER.repeat(3000));
    };
    late.socket.pause();
    let sent = 0;
    // Until the system takes no more for it: its next request is then not looked at.
    while (handled === sent) {
      late.send(`GET /plain?${String(sent++).padStart(9, '0')} HTTP/1.1\r\nHost: h\r\n\r\n`);
      for (let i = 0; i < 300 && handled < sent; i++) await answerOther();
    }
    await answerOther();
    late.socket.resume();
    for (let i = 0; i < sent; i++)
      expect(await late.until(String(i).padStart(9, '0').repeat(3000))).not.toContain(OTHER);
  });

  test('sent before the last one was answered waits its turn', async () => {
    let release = (): void => {};
    let count = 0;
    const { dial } = await start(async () => {
      count += 1;
      const mine = count;
      if (mine === 1) await new Promise<void>((resolve) => (release = resolve));
      return { status: 200, headers: [], body: `answer ${mine}` };
    });
    const client = dial();
    client.send(REQUEST);
    await expect.poll(() => count).toBe(1);
    client.send(REQUEST);
    release();
    expect(await client.until('answer 2')).toContain('answer 1');
  });

  test('sent in pieces before the last one was answered waits its turn whole', async () => {
    let release = (): void => {};
    let count = 0;
    const { dial } = await start(async () => {
      count += 1;
      const mine = count;
      if (mine === 1) await new Promise<void>((resolve) => (release = resolve));
      return { status: 200, headers: [], body: `answer ${mine}.` };
    });
    const [client, other] = [dial(), dial()];
    client.send(REQUEST);
    await expect.poll(() => count).toBe(1);
    // When another connection has its answer, the piece sent before it was read.
    for (const [i, piece] of ['GET /plain HT', 'TP/1.1\r\nHo', 'st: h\r\n\r\n'].entries()) {
      client.send(piece);
      other.send(REQUEST);
      await other.until(`answer ${i + 2}.`);
    }
    release();
    expect(await client.until('answer 5.')).not.toContain('400');
  });

  test('has one length in its answer, also where the handler says it', async () => {
    const { dial } = await start(async () => ({ status: 200, headers: [['Content-Length', '5']], body: 'hello' }));
    const client = dial();
    client.send(REQUEST);
    expect((await client.until('hello')).match(/content-length/gi)).toHaveLength(1);
  });

  test('whose answer has a header that could not be sent as one fails alone', async () => {
    const { dial, failures } = await start(async () => ({
      status: 200,
      headers: [['X', 'a\r\nSet-Cookie: b']],
      body: '',
    }));
    const client = dial();
    client.send(REQUEST);
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 500/);
    await client.ended;
    expect(failures).toHaveLength(1);
  });

  test('whose handler throws fails alone', async () => {
    const { dial, failures } = await start(() => Promise.reject(new Error('a bug')));
    const client = dial();
    client.send(REQUEST);
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 500/);
    expect(failures).toHaveLength(1);
  });
});

describe('Node answers', () => {
  test.each([
    ['what is not for the handler', 'GET /other HTTP/1.1\r\nHost: h\r\n\r\n', 'node GET /other'],
    ['what is not plain', 'GET /plain HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n', 'node GET /plain'],
    ['two in one chunk', `${REQUEST}GET /second HTTP/1.1\r\nHost: h\r\n\r\n`, 'node GET /second'],
    [
      'chunked bodies',
      'POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'node POST /x',
    ],
  ])('%s', async (_, sent, answer) => {
    const { dial } = await start(saying('hello'));
    const client = dial();
    client.send(sent);
    expect(await client.until(answer)).toContain('HTTP/1.1 200 OK');
  });

  test('what comes in pieces, also after plain ones', async () => {
    const { dial } = await start(saying('hello'));
    const client = dial();
    client.send(REQUEST);
    await client.until('hello');
    client.send('GET /pieces HT');
    await new Promise((resolve) => setImmediate(resolve));
    client.send('TP/1.1\r\nHo');
    client.send('st: h\r\n\r\n');
    expect(await client.until('node GET /pieces')).toContain('200 OK');
    client.send('POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n12');
    client.send('34');
    expect(await client.until('node POST /body')).toContain('200 OK');
  });

  test('bodies larger than any buffer, byte for byte, while plain requests come on other connections', async () => {
    const { dial } = await start(saying('hello'));
    const body = 'The quick brown fox. '.repeat(200_000);
    const [large, small] = [dial(), dial()];
    large.send(`POST /large HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n`);
    for (let at = 0; at < body.length; at += 500_000) {
      large.send(body.slice(at, at + 500_000));
      small.send(REQUEST);
      await small.until('hello');
    }
    const sum = createHash('sha256').update(body).digest('hex');
    expect(await large.until(`node POST /large ${sum}`)).toContain('200 OK');
  });

  test('a body that begins beside its head, byte for byte, while plain requests come on other connections', async () => {
    const { dial, server } = await start(saying('hello'));
    const [slow, small] = [dial(), dial()];
    const arrived = new Promise((resolve) => server.once('request', resolve));
    slow.send(`POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n${'a'.repeat(1000)}`);
    await arrived;
    small.send(`GET /plain HTTP/1.1\r\nHost: h\r\nX-Padding: ${'x'.repeat(2000)}\r\n\r\n`);
    await small.until('hello');
    slow.send('b'.repeat(1000));
    const sum = createHash('sha256')
      .update(`${'a'.repeat(1000)}${'b'.repeat(1000)}`)
      .digest('hex');
    expect(await slow.until(`node POST /slow ${sum}`)).toContain('200 OK');
  });

  test('what is malformed, with its own refusal', async () => {
    const { dial } = await start(saying('hello'));
    const client = dial();
    client.send('GET /plain HTTP/1.1\r\nHost : h\r\n\r\n');
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
  });
});

describe('the end of a connection', () => {
  test('tells the handler that nobody waits any more', async () => {
    let heard = (): void => {};
    const gone = new Promise<void>((resolve) => (heard = resolve));
    let asked = (): void => {};
    const began = new Promise<void>((resolve) => (asked = resolve));
    const { dial } = await start((_, { signal }) => {
      signal.addEventListener('abort', heard);
      asked();
      return new Promise(() => {});
    });
    const client = dial();
    client.send(REQUEST);
    await began;
    client.socket.destroy();
    await gone;
  });

  test('by the client between two requests ends ours', async () => {
    const { dial } = await start(saying('hello'));
    const client = dial();
    client.send(REQUEST);
    await client.until('hello');
    client.socket.end();
    await client.ended;
  });

  test('is announced in the last answer when the server stops', async () => {
    let release = (): void => {};
    let asked = (): void => {};
    const began = new Promise<void>((resolve) => (asked = resolve));
    const { dial, front, server } = await start(async () => {
      asked();
      await new Promise<void>((resolve) => (release = resolve));
      return { status: 200, headers: [], body: 'last' };
    });
    const idle = dial();
    const busy = dial();
    busy.send(REQUEST);
    await began;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    front.finish();
    await idle.ended;
    release();
    expect(await busy.until('last')).toContain('Connection: close');
    await closed;
  });
});

test('a client that takes nothing of its answer is closed, and its connection forgotten', async () => {
  const { dial, server } = await start(async () => ({ status: 200, headers: [], body: Buffer.alloc(50_000_000) }), {
    stalledMs: 100,
  });
  const closed = new Promise<void>((resolve) => {
    server.once('connection', (socket: Socket) => socket.once('close', () => resolve()));
  });
  const { socket, send } = dial();
  socket.removeAllListeners('data').pause();
  send(REQUEST);
  await closed;
});
