// The folder of the embedded database is in use: whoever wants it says for whom it waits, and goes on when it is free.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FolderLock, type LockOwner, lockFolder } from '../../src/pg/data-folder/folder-lock.ts';
import { environment, start } from './program.ts';

describe('a data folder that somebody else has', () => {
  let folder: string;
  const env = (more: Readonly<Record<string, string>> = {}): Record<string, string> =>
    environment({
      'data-dir': folder,
      'portal-host': '127.0.0.1',
      'portal-port': '0',
      'server-host': '127.0.0.1',
      'server-port': '0',
      demo: 'false',
      ...more,
    });
  const hold = (owner?: LockOwner): FolderLock => {
    mkdirSync(folder, { recursive: true });
    const lock = lockFolder(join(folder, 'database.lock'), owner);
    if (!lock.ok) throw new Error('the folder is locked');
    return lock.value;
  };
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'survest-held-')), 'data');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  test('is waited for by a start, which names process and command, and begins when it is free', async () => {
    const lock = hold({ command: 'survest backup', isBrief: true });
    const program = start(['rest'], env({ 'data-dir-wait': '0' }));
    await program.told(
      new RegExp(`in use by process ${process.pid} on .*, survest backup .*; waiting for up to 600 s until it is free`),
    );
    lock.release();
    await program.told('Schema cache loaded');
    expect(await program.stop()).toBe(0);
  });

  test('is not waited for any more when the start is told to stop', async () => {
    const lock = hold();
    const program = start(['rest'], env());
    await program.told('waiting for up to 30 s');
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(1);
    lock.release();
  });

  test('of a service is refused at once where the settings do not want to wait', async () => {
    const lock = hold({ command: 'survest', isBrief: false });
    const program = start(['rest'], env({ 'data-dir-wait': '0' }));
    expect(await program.ended).toBe(1);
    expect(program.err()).toMatch(
      /is in use by process \d+ on .*, survest \(its lock is .*stop that one, choose another/,
    );
    lock.release();
  });

  test('is waited for by a command as well', async () => {
    const lock = hold({ command: 'survest import', isBrief: true });
    const listing = start(['user', 'list'], env());
    await listing.told(/^survest user list: the folder .*, survest import .*waiting for up to 600 s/m);
    lock.release();
    await listing.ended;
    expect(listing.err()).not.toContain('stop that one');
  });
});
