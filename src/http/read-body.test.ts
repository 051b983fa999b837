// Bodies as they come: in one piece or many, announced or not, too large, broken off.

import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Body, readBody } from './read-body.ts';

/** Sends the pieces one after the other, each when the server has seen the one before. */
async function received(head: readonly string[], pieces: readonly (string | Buffer)[], limit = 1000): Promise<Body> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const body = new Promise<Body>((resolve) => {
      server.once('request', (request: IncomingMessage) => void readBody(request, limit).then(resolve));
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
    socket.on('error', () => {});
    socket.write(`${['POST / HTTP/1.1', 'Host: test', ...head].join('\r\n')}\r\n\r\n`);
    for (const piece of pieces) {
      await new Promise((resolve) => setImmediate(resolve));
      socket.write(piece);
    }
    if (head.includes('X-Break: off')) socket.end();
    const read = await body;
    socket.destroy();
    return read;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const read = (text: string) => ({ kind: 'read', bytes: Buffer.from(text) });
const chunked = (pieces: readonly string[]): string =>
  `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;

describe('a body', () => {
  test.each<[string, readonly string[], readonly string[], string]>([
    ['of nothing', [], [], ''],
    ['of an announced nothing', ['Content-Length: 0'], [], ''],
    ['in one piece', ['Content-Length: 5'], ['12345'], '12345'],
    ['in several pieces', ['Content-Length: 9'], ['1', '23', '456', '789'], '123456789'],
    ['in one chunk', ['Transfer-Encoding: chunked'], [chunked(['12345'])], '12345'],
    [
      'in chunks',
      ['Transfer-Encoding: chunked'],
      [chunked(['1', '23', '456', '7'.repeat(100)])],
      `123456${'7'.repeat(100)}`,
    ],
    [
      'in chunks of a byte',
      ['Transfer-Encoding: chunked'],
      [chunked([...'abcdefghijklmnopqrstuvwxyz'])],
      'abcdefghijklmnopqrstuvwxyz',
    ],
    ['as large as it may be', ['Content-Length: 1000'], ['x'.repeat(400), 'x'.repeat(600)], 'x'.repeat(1000)],
  ])('%s', async (_, head, pieces, text) => {
    expect(await received(head, pieces)).toEqual(read(text));
  });

  test('of many megabytes, byte for byte', async () => {
    const bytes = Buffer.allocUnsafe(5_000_000);
    for (let i = 0; i < bytes.length; i++) bytes[i] = i * 7;
    const announced = await received([`Content-Length: ${bytes.length}`], [bytes], bytes.length);
    expect(announced.kind === 'read' && announced.bytes.equals(bytes)).toBe(true);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 70_000) {
      const piece = bytes.subarray(at, at + 70_000);
      pieces.push(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
    }
    pieces.push(Buffer.from('0\r\n\r\n'));
    const unannounced = await received(['Transfer-Encoding: chunked'], pieces, bytes.length);
    expect(unannounced.kind === 'read' && unannounced.bytes.equals(bytes)).toBe(true);
  });

  test('that is too large is not read to its end', async () => {
    expect(await received(['Content-Length: 1001'], [])).toEqual({ kind: 'too-large' });
    expect(await received(['Transfer-Encoding: chunked'], [chunked(['x'.repeat(600), 'x'.repeat(401)])])).toEqual({
      kind: 'too-large',
    });
  });

  test('that breaks off', async () => {
    expect(await received(['Content-Length: 100', 'X-Break: off'], ['12345'])).toEqual({ kind: 'aborted' });
    expect(await received(['Transfer-Encoding: chunked', 'X-Break: off'], ['5\r\n12345\r\n'])).toEqual({
      kind: 'aborted',
    });
  });
});
