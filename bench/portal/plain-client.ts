// One connection that asks and reads to the end of the answer, with as little work as can be: whatever the measuring takes of two cores is missing where it measures.

import { connect } from 'node:net';

export type PlainClient = {
  /** The status of the answer to a request, written out. One at a time. */
  ask(request: string): Promise<number>;
  close(): void;
};

const HEAD_END: Buffer = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;
const READ_BYTES = 256 * 1024;

export function openPlainClient(port: number): PlainClient {
  const place = Buffer.allocUnsafeSlow(READ_BYTES);
  let asked: { resolve(status: number): void; reject(why: Error): void } | undefined;
  let head = '';
  let status = 0;
  let missing = 0;
  const end = (why: Error): void => {
    asked?.reject(why);
    asked = undefined;
  };
  const take = (length: number): boolean => {
    let from = 0;
    if (missing === 0) {
      const headEnd = place.subarray(0, length).indexOf(HEAD_END);
      head += place.toString('latin1', 0, headEnd < 0 ? length : headEnd + 2);
      if (headEnd < 0) return true;
      status = Number(head.slice(9, 12));
      const said = LENGTH.exec(head)?.[1];
      if (said === undefined) end(new Error(`an answer without its length: ${head.slice(0, 40)}`));
      missing = Number(said ?? 0);
      head = '';
      from = headEnd + 4;
    }
    missing -= length - from;
    if (missing > 0) return true;
    const { resolve } = asked ?? {};
    asked = undefined;
    resolve?.(status);
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: place, callback: take } });
  socket.once('close', () => end(new Error('closed')));
  socket.once('error', end);
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) {
          reject(new Error('closed'));
          return;
        }
        asked = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
