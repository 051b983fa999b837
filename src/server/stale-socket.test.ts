import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeStaleSocket } from './listen.ts';

const folder = mkdtempSync(join(tmpdir(), 'survest-socket-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a socket that somebody answers on stays', async () => {
  const path = join(folder, 'live');
  const server = createServer().listen(path);
  await once(server, 'listening');
  await removeStaleSocket(path);
  expect(existsSync(path)).toBe(true);
  server.close();
});

test('a socket whose program was killed is removed', async () => {
  const path = join(folder, 'left');
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(path)).toBe(true);
  await removeStaleSocket(path);
  expect(existsSync(path)).toBe(false);
});

test('a file that is no socket stays', async () => {
  const path = join(folder, 'letter');
  writeFileSync(path, 'Dear all');
  await removeStaleSocket(path);
  expect(existsSync(path)).toBe(true);
});
