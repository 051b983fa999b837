// The mixed load itself: keep-alive connections, raw sockets, one request at a time on each.

import { connect } from 'node:net';
import type { MixedLoad, MixedResult } from './mixed-load.ts';

const load = JSON.parse(process.argv[2] ?? '{}') as MixedLoad;
const requests = load.requests.map((text) => Buffer.from(text));
const statuses: Record<string, number> = {};
const slowest: number[] = [];
const began = performance.now();
const until = began + load.seconds * 1000;
let answers = 0;

function note(status: string, sentAt: number): void {
  const now = performance.now();
  const second = Math.floor((now - began) / 1000);
  slowest[second] = Math.max(slowest[second] ?? 0, now - sentAt);
  statuses[status] = (statuses[status] ?? 0) + 1;
  answers += 1;
}

function drive(first: number): Promise<void> {
  return new Promise((resolve) => {
    let at = first;
    let sentAt = 0;
    let got: Buffer = Buffer.alloc(0);
    const socket = connect(load.port, '127.0.0.1', () => send());
    socket.setNoDelay(true);
    const send = (): void => {
      if (performance.now() >= until) {
        socket.destroy();
        return;
      }
      sentAt = performance.now();
      socket.write(requests[at++ % requests.length] ?? '');
    };
    socket.on('data', (chunk: Buffer) => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk]);
      const end = got.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = got.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (got.length < end + 4 + length) return;
      got = Buffer.alloc(0);
      note(head.slice(9, 12), sentAt);
      if (load.pauseMs === undefined) send();
      else setTimeout(send, load.pauseMs);
    });
    socket.on('error', () => note('lost', sentAt));
    socket.once('close', () => resolve());
  });
}

await Promise.all(Array.from({ length: load.connections }, (_, i) => drive(i)));
const result: MixedResult = {
  answers,
  perSecond: answers / ((performance.now() - began) / 1000),
  statuses,
  slowest: Array.from(slowest, (ms) => ms ?? 0),
};
process.stdout.write(JSON.stringify(result));
