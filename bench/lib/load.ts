// Load on an HTTP server: keep-alive connections, each sending the same request again when its answer is complete. Raw
// sockets, so that the measuring costs little of what is measured.

import { connect } from 'node:net';

export type Load = {
  readonly port: number;
  /** `%n` in it is a number from 1 to 50,000, the next one each time. */
  readonly request: string | Buffer;
  readonly connections: number;
  readonly seconds: number;
  /** Status every answer must have. */
  readonly expect: number;
};

export type LoadResult = {
  readonly perSecond: number;
  readonly answers: number;
  readonly unexpected: ReadonlyMap<number, number>;
};

export async function runLoad(load: Load): Promise<LoadResult> {
  const counts = { answers: 0, unexpected: new Map<number, number>() };
  let until = 0;
  const drivers = Array.from({ length: load.connections }, () => drive(load, () => until, counts));
  await Promise.all(drivers.map(({ ready }) => ready));
  const began = performance.now();
  until = began + load.seconds * 1000;
  await Promise.all(drivers.map((driver) => driver.start()));
  return {
    perSecond: counts.answers / ((performance.now() - began) / 1000),
    answers: counts.answers,
    unexpected: counts.unexpected,
  };
}

const HEAD_END: Buffer = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;
const READ_BYTES = 256 * 1024;

type Counts = { answers: number; unexpected: Map<number, number> };

/** One connection. Its bytes are read into one place and looked at there: a stream of chunks would cost as much as the server. */
function drive(
  load: Load,
  until: () => number,
  counts: Counts,
): { readonly ready: Promise<void>; start(): Promise<void> } {
  const next = requestsOf(load);
  const place = Buffer.allocUnsafeSlow(READ_BYTES);
  let missing = 0;
  let head = '';
  let onEnd: (failure?: Error) => void = () => {};
  const take = (length: number): boolean => {
    let from = 0;
    if (missing === 0) {
      const end = place.subarray(0, length).indexOf(HEAD_END);
      head += place.toString('latin1', 0, end < 0 ? length : end + 2);
      if (end < 0) return true;
      const status = Number(head.slice(9, 12));
      if (status !== load.expect) counts.unexpected.set(status, (counts.unexpected.get(status) ?? 0) + 1);
      missing = Number(LENGTH.exec(head)?.[1] ?? 0);
      head = '';
      from = end + 4;
    }
    missing -= length - from;
    if (missing > 0) return true;
    missing = 0;
    counts.answers += 1;
    if (performance.now() >= until()) socket.destroy();
    else socket.write(next());
    return true;
  };
  const socket = connect({
    port: load.port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: place, callback: take },
  });
  socket.once('close', () => onEnd());
  socket.once('error', (error) => onEnd(error));
  return {
    ready: new Promise((resolve) => socket.once('connect', () => resolve())),
    start: () =>
      new Promise((resolve, reject) => {
        onEnd = (failure) => (failure === undefined ? resolve() : reject(failure));
        socket.write(next());
      }),
  };
}

export const NUMBERS = 50_000;
let last = 0;

function requestsOf({ request }: Load): () => Buffer {
  const bytes = Buffer.from(request);
  const text = request.toString();
  if (!text.includes('%n')) return () => bytes;
  return () => {
    last = (last % NUMBERS) + 1;
    return Buffer.from(text.replaceAll('%n', String(last)));
  };
}
