// What a hostile or broken client can do to the wire: the program stays up, and no database connection waits for a client.

import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { ask, eventually, type RunningRest, restSettings, startRest, trouble } from './program.ts';

onEachEngine('attacks', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  let program: RunningRest;
  let port: number;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    await db().script(`
      create function test.attack_large() returns text language sql as $$ select repeat('x', 30000000) $$;
      create function test.attack_slow() returns int language sql volatile as $$ select pg_sleep(600); select 1 $$;
      grant execute on function test.attack_large(), test.attack_slow() to rest_anon`);
    program = await startRest(
      restSettings(db(), { 'db-pool': '2', 'db-pool-acquisition-timeout': '60', 'server-max-body-size': '1MB' }),
    );
    port = Number(new URL(program.url).port);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    expect(await program.stop()).toBe(0);
    expect(trouble(program)).toEqual([]);
  });

  function raw(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
      sockets.push(socket);
      socket.once('error', reject).on('error', () => {});
    });
  }

  /** Sends, and gathers what comes back until the other side ends it. */
  async function exchange(text: string | Buffer): Promise<string> {
    const socket = await raw();
    return await new Promise((resolve) => {
      let got = '';
      socket.on('data', (part: Buffer) => {
        got += part.toString('latin1');
      });
      socket.once('close', () => resolve(got));
      socket.write(text);
    });
  }

  const works = async (): Promise<void> => {
    expect((await ask(program.url, '/items?limit=1')).status).toBe(200);
  };
  const busy = (): Promise<unknown[]> =>
    db().query(
      `select pid from pg_stat_activity where usename = 'rest_authenticator' and datname = current_database() and state <> 'idle'`,
    );
  const nobodyBusy = (): Promise<unknown> => eventually(busy, (found) => found.length === 0);

  test('readers who do not read hold no connection', async () => {
    for (let i = 0; i < 8; i++) {
      const socket = await raw();
      socket.pause();
      socket.write('GET /rpc/attack_large HTTP/1.1\r\nHost: x\r\n\r\n');
    }
    await nobodyBusy();
    await works();
  });

  test('senders who never finish hold none either', async () => {
    for (let i = 0; i < 50; i++) {
      (await raw()).write(
        'POST /items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n[',
      );
      (await raw()).write('GET /items HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    }
    await nobodyBusy();
    await works();
  });

  test('whoever leaves in the middle of the body is forgotten', async () => {
    for (let i = 0; i < 20; i++) {
      const socket = await raw();
      await new Promise((resolve) =>
        socket.write('POST /items HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n[{"id":', resolve),
      );
      socket.destroy();
    }
    await nobodyBusy();
    await works();
  });

  test('whoever leaves while the statement runs has it cancelled', async () => {
    const leaving: Socket[] = [];
    for (let i = 0; i < 6; i++) {
      const socket = await raw();
      socket.write('POST /rpc/attack_slow HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
      leaving.push(socket);
    }
    await eventually(busy, (found) => found.length === 2);
    for (const socket of leaving) socket.destroy();
    await nobodyBusy();
    await works();
  });

  test('whoever leaves in the middle of the answer is forgotten', async () => {
    for (let i = 0; i < 4; i++) {
      const socket = await raw();
      socket.write('GET /rpc/attack_large HTTP/1.1\r\nHost: x\r\n\r\n');
      await new Promise((resolve) => socket.once('data', resolve));
      socket.destroy();
    }
    await nobodyBusy();
    await works();
  });

  describe('broken HTTP is refused in one answer', () => {
    test.each<[string, string, RegExp]>([
      ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', /^HTTP\/1\.1 400 /],
      [
        'an unknown method',
        'BREW /items HTTP/1.1\r\nHost: x\r\n\r\n',
        /^HTTP\/1\.1 405 .*Allow: OPTIONS,GET.*"Unsupported HTTP method: BREW"\}$/s,
      ],
      [
        'an unknown method on a function',
        'BREW /rpc/sayhello?name=x HTTP/1.1\r\nHost: x\r\n\r\n',
        /^HTTP\/1\.1 405 .*"Cannot use the BREW method on RPC"\}$/s,
      ],
      [
        'CONNECT',
        'CONNECT /items HTTP/1.1\r\nHost: x\r\n\r\n',
        /^HTTP\/1\.1 405 .*"Unsupported HTTP method: CONNECT"\}$/s,
      ],
      ['an unknown method, and no path', 'BREW tea HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
      ['a space in a header name', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', /^HTTP\/1\.1 400 /],
      [
        'two lengths',
        'POST /items HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]',
        /^HTTP\/1\.1 400 /,
      ],
      [
        'length and chunks',
        'POST /items HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        /^HTTP\/1\.1 400 /,
      ],
      [
        'a chunk of no size',
        'POST /items HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
        /^HTTP\/1\.1 400 /,
      ],
      ['a negative length', 'POST /items HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', /^HTTP\/1\.1 400 /],
      [
        'a body too large by its own word',
        `POST /items HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000000\r\n\r\n`,
        /^HTTP\/1\.1 413 /,
      ],
      [
        'a header too large',
        `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`,
        /^HTTP\/1\.1 431 /,
      ],
      ['a target too large', `GET /items?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, /^HTTP\/1\.1 431 /],
      ['too many headers', `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(60_000)}\r\n`, /^HTTP\/1\.1 431 /],
      ['no host', 'GET /items HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ])('%s', async (_, text, expected) => {
      const answer = await exchange(Buffer.from(text, 'latin1'));
      expect(answer).toMatch(expected);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
      await works();
    });
  });

  test('requests in a row are answered in a row', async () => {
    const one = 'GET /items?select=id&limit=1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = 'GET /items?limit=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await exchange(`${one}${one}${last}`);
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
  });

  test('garbage behind a request ends the connection', async () => {
    const one = 'GET /items?select=id&limit=1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await exchange(`${one.repeat(20)}garbage garbage\r\n\r\n`);
    expect(answer).toMatch(/HTTP\/1\.1 400 /);
    await nobodyBusy();
    await works();
  });

  test('a body larger than allowed is not waited for', async () => {
    const reply = await exchange(
      `POST /items HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${`10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(20)}`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    await works();
  });

  test('a hundred connections that say nothing are no trouble', async () => {
    await Promise.all(Array.from({ length: 100 }, raw));
    await works();
    await nobodyBusy();
  });
});
