import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeLineWriter } from './line-writer.ts';

/** A stream whose reader can stop. */
function makeStream(): { stream: Writable; taken: string[]; state: { waiting: (() => void)[] | undefined } } {
  const taken: string[] = [];
  const state: { waiting: (() => void)[] | undefined } = { waiting: undefined };
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      taken.push(chunk);
      if (state.waiting === undefined) done();
      else state.waiting.push(done);
    },
  });
  return { stream, taken, state };
}

test('lines that cannot be written stop nothing, and are told only when others can be', async () => {
  const failing = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE: broken pipe')) });
  const writer = makeLineWriter(failing);
  writer.write('one');
  await turn();
  writer.write('two');
  await turn();
  expect(writer.takeLost()).toBeUndefined();
});

test('lines that nobody reads are kept up to a bound, and those after it are counted', async () => {
  const { stream, taken, state } = makeStream();
  const writer = makeLineWriter(stream, 100);
  state.waiting = [];
  for (let i = 0; i < 100; i++) writer.write('0123456789');
  expect(stream.writableLength).toBeLessThanOrEqual(100 + 11);
  expect(writer.takeLost()).toBeUndefined();
  const waiting = state.waiting;
  state.waiting = undefined;
  for (const done of waiting) done();
  await turn();
  const lost = writer.takeLost();
  expect(lost).toEqual({ lines: 100 - taken.length, why: 'nobody read them' });
  expect(writer.takeLost()).toBeUndefined();
});
