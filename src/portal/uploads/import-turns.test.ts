import { expect, test } from 'vitest';
import { makeImportTurns } from './import-turns.ts';

const { signal } = new AbortController();

/** What has begun, in its order; each ends when it is told. */
function makeRuns() {
  const turns = makeImportTurns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    async start(name: string, how: 'beside' | 'alone', until: AbortSignal = signal): Promise<void> {
      ends.set(name, await turns.enter(how, until));
      begun.push(name);
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

test('imports run beside each other', async () => {
  const { start, begun } = makeRuns();
  await Promise.all([start('a', 'beside'), start('b', 'beside')]);
  expect(begun).toEqual(['a', 'b']);
});

test('one that is to be alone waits for those before it, and those after it wait', async () => {
  const { start, begun, end } = makeRuns();
  await start('a', 'beside');
  const [alone, after] = [start('alone', 'alone'), start('after', 'beside')];
  await Promise.resolve();
  expect(begun).toEqual(['a']);
  await end('a');
  await alone;
  expect(begun).toEqual(['a', 'alone']);
  await end('alone');
  await after;
  expect(begun).toEqual(['a', 'alone', 'after']);
});

test('two that are to be alone follow each other', async () => {
  const { start, begun, end } = makeRuns();
  await start('a', 'alone');
  const second = start('b', 'alone');
  expect(begun).toEqual(['a']);
  await end('a');
  await second;
  expect(begun).toEqual(['a', 'b']);
});

test('one that does not wait any longer is in nobody’s way', async () => {
  const { start, begun } = makeRuns();
  await start('a', 'beside');
  const impatient = new AbortController();
  const alone = start('alone', 'alone', impatient.signal);
  const after = start('after', 'beside');
  impatient.abort(new Error('stopped'));
  await expect(alone).rejects.toThrow('stopped');
  await after;
  expect(begun).toEqual(['a', 'after']);
});
