import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { startPlainFront as start } from '../../../test/testkit/plain-front.ts';
import type { HttpReply } from '../http-message.ts';
import type { PlainHandler } from './plain-connection.ts';

const REQUEST = 'GET /plain HTTP/1.1\r\nHost: h\r\n\r\n';

const streaming =
  (make: () => Readable, headers: HttpReply['headers'] = []): PlainHandler =>
  async () => ({ status: 200, headers, stream: make() });

/** Gives the parts, and then nothing until it is told to. */
function begun(...parts: readonly string[]): PassThrough {
  const stream = new PassThrough();
  for (const part of parts) stream.write(part);
  return stream;
}

describe('a stream', () => {
  test('comes in chunks, an empty one left out, and the connection goes on', async () => {
    const { dial } = await start(
      streaming(() => Readable.from([Buffer.from('hello'), Buffer.alloc(0), Buffer.alloc(17, 'x')])),
    );
    const client = dial();
    for (let i = 0; i < 2; i++) {
      client.send(REQUEST);
      const answer = await client.until('0\r\n\r\n');
      expect(answer).toMatch(
        /^HTTP\/1\.1 200 OK\r\nTransfer-Encoding: chunked\r\nDate: [^\r]*\r\n\r\n5\r\nhello\r\n11\r\nx{17}\r\n0\r\n\r\n$/,
      );
    }
  });

  test('of a known length comes as it is, and the connection goes on', async () => {
    const { dial } = await start(
      streaming(() => Readable.from([Buffer.from('hel'), Buffer.from('lo!')]), [['content-length', '6']]),
    );
    const client = dial();
    for (let i = 0; i < 2; i++) {
      client.send(REQUEST);
      expect(await client.until('lo!')).toMatch(
        /^HTTP\/1\.1 200 OK\r\ncontent-length: 6\r\nDate: [^\r]*\r\n\r\nhello!$/,
      );
    }
  });

  test('is not written over by what others are answered', async () => {
    const streams: PassThrough[] = [];
    const { dial } = await start(async ({ query }) => {
      if (query === 'quick') return { status: 200, headers: [], body: 'q'.repeat(20_000) };
      const stream = begun('first ');
      streams.push(stream);
      return { status: 200, headers: [['X-Slow', 'a'.repeat(9000)]], stream };
    });
    const [slow, quick] = [dial(), dial()];
    slow.socket.pause();
    slow.send(REQUEST);
    await expect.poll(() => streams.length).toBe(1);
    quick.send('GET /plain?quick HTTP/1.1\r\nHost: h\r\n\r\n');
    await quick.until('q'.repeat(20_000));
    slow.socket.resume();
    streams[0]?.end('last');
    expect(await slow.until('0\r\n\r\n')).toContain(`X-Slow: ${'a'.repeat(9000)}\r\n`);
  });

  test.each([
    ['fails', (stream: PassThrough) => void stream.destroy(new Error('a bug'))],
    ['is given up', (stream: PassThrough) => void stream.destroy()],
  ])('that %s ends the connection without the last chunk', async (_, end) => {
    const stream = begun('part');
    const { dial } = await start(streaming(() => stream));
    const client = dial();
    client.send(REQUEST);
    await client.until('part');
    let rest = '';
    client.socket.on('data', (chunk) => (rest += chunk.toString()));
    end(stream);
    await client.ended;
    expect(rest).not.toContain('0\r\n\r\n');
  });

  test('is given up when its client leaves, and one that was still being made, too', async () => {
    const asked: ((reply: HttpReply) => void)[] = [];
    const { dial } = await start(() => new Promise((resolve) => asked.push(resolve)));
    const [reader, impatient] = [dial(), dial()];
    reader.send(REQUEST);
    await expect.poll(() => asked.length).toBe(1);
    const taken = begun('part');
    asked[0]?.({ status: 200, headers: [], stream: taken });
    await reader.until('part');
    const given = once(taken, 'close');
    reader.socket.destroy();
    await given;

    impatient.send(REQUEST);
    await expect.poll(() => asked.length).toBe(2);
    impatient.socket.destroy();
    await impatient.ended;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const late = begun('part');
    const alsoGiven = once(late, 'close');
    asked[1]?.({ status: 200, headers: [], stream: late });
    await alsoGiven;
  });

  test('waits for a client that reads late, and is given up with one that never does', async () => {
    let sent = 0;
    const endless = (): Readable =>
      new Readable({
        read() {
          sent += 65_536;
          this.push(Buffer.alloc(65_536, 'x'));
        },
      });
    const made: Readable[] = [];
    const { dial } = await start(
      streaming(() => {
        made.push(endless());
        return made.at(-1) as Readable;
      }),
      { stalledMs: 200 },
    );
    const client = dial();
    client.socket.removeAllListeners('data').pause();
    client.send(REQUEST);
    await expect.poll(() => made[0]?.closed).toBe(true);
    // The system holds some megabytes; the stream was not read past them.
    expect(sent).toBeLessThan(100_000_000);
  });

  test('comes whole though the server stops meanwhile, and is the last', async () => {
    const stream = begun('first ');
    const { dial, front } = await start(streaming(() => stream));
    const client = dial();
    client.send(REQUEST);
    await client.until('first ');
    front.finish();
    stream.end('last');
    await client.until('4\r\nlast\r\n0\r\n\r\n');
    await client.ended;
  });
});

describe('the memory of a body', () => {
  const reply = (bytes: number, sent: string[], name: string): HttpReply => ({
    status: 200,
    headers: [],
    body: Buffer.alloc(bytes, name),
    onSent: () => sent.push(name),
  });

  test.each([1000, 100_000])('is given back when the system has taken it: %i bytes', async (bytes) => {
    const sent: string[] = [];
    const { dial } = await start(async () => reply(bytes, sent, 'b'));
    const client = dial();
    for (const count of [1, 2]) {
      client.send(REQUEST);
      await client.until('b'.repeat(bytes));
      expect(sent).toHaveLength(count);
    }
  });

  test('is not given back while a client has not read it', async () => {
    const sent: string[] = [];
    const { dial } = await start(async ({ query }) => reply(query === 'slow' ? 30_000_000 : 50_000, sent, query));
    const slow = dial();
    slow.socket.removeAllListeners('data').pause();
    slow.send('GET /plain?slow HTTP/1.1\r\nHost: h\r\n\r\n');
    const quick = dial();
    for (const count of [1, 2, 3]) {
      quick.send('GET /plain?q HTTP/1.1\r\nHost: h\r\n\r\n');
      await quick.until('q'.repeat(50_000));
      expect(sent).toEqual(Array.from({ length: count }, () => 'q'));
    }
  });
});

test('a reply is made to fit where there is no room', async () => {
  const { dial } = await start(async () => ({ status: 200, headers: [], body: 'large' }), {
    fit: () => ({ status: 503, headers: [], body: 'no room' }),
  });
  const client = dial();
  client.send(REQUEST);
  expect(await client.until('no room')).toMatch(/^HTTP\/1\.1 503/);
});

describe('when the server stops', () => {
  test('a connection that was just used has its next request answered, and closed', async () => {
    const { dial, front } = await start(async () => ({ status: 200, headers: [], body: 'hello' }));
    const client = dial();
    client.send(REQUEST);
    await client.until('hello');
    front.finish();
    client.send(REQUEST);
    expect(await client.until('hello')).toContain('Connection: close');
    await client.ended;
  });

  test('one that has waited long for its answer gets it', async () => {
    let release = (): void => {};
    let count = 0;
    const { dial, front } = await start(async () => {
      count += 1;
      await new Promise<void>((resolve) => (release = resolve));
      return { status: 200, headers: [], body: 'at last' };
    });
    const client = dial();
    client.send(REQUEST);
    await expect.poll(() => count).toBe(1);
    // Longer than the moment that a connection gets which was just used.
    await new Promise((resolve) => setTimeout(resolve, 700));
    front.finish();
    release();
    expect(await client.until('at last')).toContain('Connection: close');
  });

  test('one that asks nothing more is closed, and the answer that another waits for is not cut off', async () => {
    let release = (): void => {};
    let count = 0;
    const { dial, front } = await start(async () => {
      count += 1;
      if (count === 3) await new Promise<void>((resolve) => (release = resolve));
      return { status: 200, headers: [], body: `answer ${count}` };
    });
    const [quiet, busy] = [dial(), dial()];
    quiet.send(REQUEST);
    await quiet.until('answer 1');
    busy.send(REQUEST);
    await busy.until('answer 2');
    front.finish();
    busy.send(REQUEST);
    await expect.poll(() => count).toBe(3);
    await quiet.ended;
    release();
    expect(await busy.until('answer 3')).toContain('Connection: close');
    await busy.ended;
  });
});

test('a connection on which nothing is asked is closed, but not before its time', async () => {
  const { dial } = await start(async () => ({ status: 200, headers: [], body: 'hello' }), { idleMs: 800 });
  const client = dial();
  // Before the connection can be idle: the answer may be read late.
  const from = Date.now();
  client.send(REQUEST);
  await client.until('hello');
  await client.ended;
  // Clocks of timers and of days differ by a little.
  expect(Date.now() - from).toBeGreaterThan(700);
});

test('who sends thousands of requests ahead has each of them answered', async () => {
  let release = (): void => {};
  let count = 0;
  const { dial } = await start(({ path }) => {
    if (path !== '/plain') return undefined;
    count += 1;
    return new Promise((resolve) => {
      release = () => resolve({ status: 200, headers: [], body: 'first' });
    });
  });
  const client = dial();
  client.send(REQUEST);
  await expect.poll(() => count).toBe(1);
  const ahead = 3000;
  client.send(Array.from({ length: ahead }, (_, n) => `GET /n${n} HTTP/1.1\r\nHost: h\r\n\r\n`).join(''));
  await new Promise((resolve) => setTimeout(resolve, 50));
  release();
  await client.until('first');
  for (const n of [0, 1, 1500, ahead - 1]) await client.until(`node GET /n${n} `);
});

test('who hangs up while a request is answered does not wait, and who does so after it is hung up on', async () => {
  let heard = (): void => {};
  const gone = new Promise<void>((resolve) => (heard = resolve));
  let count = 0;
  const { dial } = await start((_, { signal }) => {
    count += 1;
    signal.addEventListener('abort', heard);
    return new Promise(() => {});
  });
  const client = dial();
  client.send(REQUEST);
  await expect.poll(() => count).toBe(1);
  client.socket.end();
  await gone;
  await client.ended;
});
