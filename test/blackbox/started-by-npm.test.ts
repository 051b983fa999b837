// `npm start` and `npx survest`, ended as service managers end what they started: by a signal to npm.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { environment, eventually, restSettings } from './program.ts';

onEachEngine('a program started by npm', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  test.each([
    ['npm start', ['start', '--', 'rest']],
    ['npx', ['exec', '-c', 'node dist/server/main.js rest']],
  ])('%s: stops with it', async (_name, args) => {
    const env = { ...environment(restSettings(db())), npm_config_update_notifier: 'false' };
    const npm = spawn('npm', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    // The program holds this pipe as well: it is at its end when both have ended.
    const bothEnded = once(npm.stderr.setEncoding('utf8'), 'end');
    npm.stderr.on('data', (text: string) => {
      said += text;
    });
    const port = await eventually(
      async () => Number(/listens on http:\/\/[^\s:]+:(\d+)/.exec(said)?.[1] ?? 0),
      (found) => found > 0,
    );
    expect(await isOpen(port)).toBe(true);
    npm.kill('SIGTERM');
    await bothEnded;
    expect(said).toMatch(/Stopping: (?:npm has ended|received SIGTERM)/);
    expect(await isOpen(port)).toBe(false);
  });
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
