import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ReaderGone, SpooledStream } from './spooled-stream.ts';

const LIMITS = { memory: 1000, file: 100_000, disk: 1_000_000, stalledMs: 1 };

/** Numbers in a row, so that what is lost, twice or out of order shows. */
function counted(from: number, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, i) => `${from + i}\n`).join(''));
}

async function readAll(stream: SpooledStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

test('nobody waits for a reader that has not begun, and it gets everything in order', async () => {
  const stream = new SpooledStream(LIMITS);
  for (let i = 0; i < 100; i++) await stream.write(counted(i * 100, 100));
  expect(stream.spooled).toBeGreaterThan(40_000);
  await stream.finish(Buffer.from('end'));
  expect(await readAll(stream)).toBe(`${counted(0, 10_000)}end`);
});

test('a reader that keeps up leaves nothing on disk, and one that falls behind and catches up misses nothing', async () => {
  const stream = new SpooledStream({ ...LIMITS, stalledMs: 60_000 });
  const text = readAll(stream);
  for (let i = 0; i < 200; i++) {
    await stream.write(counted(i * 100, 100));
    if (i % 3 === 0) await new Promise(setImmediate);
  }
  await stream.finish(Buffer.alloc(0));
  expect(await text).toBe(String(counted(0, 20_000)));
});

test('when the file is full the writer waits, and gives up a reader that takes nothing', async () => {
  const stream = new SpooledStream(LIMITS);
  const writing = (async () => {
    for (let i = 0; ; i++) await stream.write(counted(i * 100, 100));
  })();
  await expect(writing).rejects.toBeInstanceOf(ReaderGone);
  expect(stream.destroyed).toBe(true);
});

test('a full file is begun anew when it has been read', async () => {
  const stream = new SpooledStream({ ...LIMITS, stalledMs: 60_000 });
  const writing = (async () => {
    for (let i = 0; i < 1000; i++) await stream.write(counted(i * 100, 100));
    await stream.finish(Buffer.alloc(0));
  })();
  expect(await readAll(stream)).toBe(String(counted(0, 100_000)));
  await writing;
});

test('streams share the room on disk: without any, each goes at the pace of its reader', async () => {
  const stream = new SpooledStream({ ...LIMITS, disk: 0, stalledMs: 60_000 });
  const writing = (async () => {
    for (let i = 0; i < 100; i++) await stream.write(counted(i * 100, 100));
    await stream.finish(Buffer.alloc(0));
  })();
  expect(stream.spooled).toBe(0);
  expect(await readAll(stream)).toBe(String(counted(0, 10_000)));
  await writing;
});

test('who writes to a stream that was closed is told', async () => {
  const stream = new SpooledStream(LIMITS);
  stream.destroy();
  await once(stream, 'close');
  expect(() => stream.write(Buffer.from('x'))).toThrow(ReaderGone);
});
