import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OLDEST_NODE, runtimeComplaint } from './runtime-complaint.ts';

test('the oldest Node is the one that package.json names', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
});

test.each(['18.20.8', '20.18.3', '16.0.0', '20.9.0'])(
  'Node %s is too old, and the words say which is not',
  (version) => {
    expect(runtimeComplaint(version, true)).toContain(
      `this is Node.js ${version}, and Survest needs ${OLDEST_NODE} or later`,
    );
  },
);

test.each(['20.19.0', '20.20.2', '22.0.0', '100.1.2'])('Node %s is new enough', (version) => {
  expect(runtimeComplaint(version, true)).toBeUndefined();
});

test('a Node without WebAssembly is told of', () => {
  expect(runtimeComplaint('22.0.0', false)).toContain('without WebAssembly');
});
