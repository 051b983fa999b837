import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoItems, keepDemoRemoved, keepDemoState, parseDemoState, readDemoState } from './demo-state.ts';

test.each([
  ['a demo under way', '{"parts":{"countries":3},"done":false}', { parts: { countries: 3 }, done: false }],
  [
    'a finished one',
    '{"parts":{"countries":3,"story":9},"done":true}',
    { parts: { countries: 3, story: 9 }, done: true },
  ],
  ['one that does not say', '{"parts":{}}', { parts: {}, done: true }],
  ['half a file', '{"parts":{"coun', { parts: {}, done: true }],
  ['something else', '[1,2]', { parts: {}, done: true }],
  ['nothing', 'null', { parts: {}, done: true }],
  [
    'ids that are none',
    '{"parts":{"countries":"3; drop","cities":-1,"map":1.5,"__proto__":7},"done":false}',
    { parts: {}, done: false },
  ],
])('%s is read as what it says', (_name, text, state) => {
  expect(parseDemoState(text)).toEqual(state);
});

test('a state is kept, and a removed demo is not begun again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'survest-demo-'));
  try {
    expect(await readDemoState(folder)).toBeUndefined();
    await keepDemoState(folder, { parts: { countries: 1, cities: 2 }, done: false });
    expect(await demoItems(folder)).toEqual([1, 2]);
    await keepDemoRemoved(folder);
    expect(await readDemoState(folder)).toEqual({ parts: {}, done: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
