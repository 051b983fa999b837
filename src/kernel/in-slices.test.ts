import { describe, expect, test } from 'vitest';
import { atOnce, inSlices, type Stage } from './in-slices.ts';

describe('stages', () => {
  function* count(to: number): Stage<number> {
    for (let i = 0; i < to; i++) yield;
    return to;
  }

  test('give the same result in slices and at once', async () => {
    expect(atOnce(count(1000))).toBe(1000);
    expect(await inSlices(count(1000))).toBe(1000);
  });

  test('let others run when they take long', async () => {
    let turns = 0;
    // Ends only when something else of the event loop has had its turn.
    function* wait(): Stage<string> {
      while (turns === 0) yield;
      return 'others ran';
    }
    setImmediate(() => {
      turns++;
    });
    expect(await inSlices(wait())).toBe('others ran');
  });

  test('pass on what is thrown in them', async () => {
    // biome-ignore lint/correctness/useYield: it throws before it could
    function* fail(): Stage<void> {
      throw new Error('broken');
    }
    await expect(inSlices(fail())).rejects.toThrow('broken');
    expect(() => atOnce(fail())).toThrow('broken');
  });

  test('without end are stopped where their steps are counted', async () => {
    function* endless(): Stage<never> {
      for (;;) yield;
    }
    const budget = { left: 1000, of: 'counting' };
    expect(await inSlices(count(600), budget)).toBe(600);
    await expect(inSlices(endless(), budget)).rejects.toThrow('counting takes too many steps');
  });
});
