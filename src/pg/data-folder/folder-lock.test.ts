import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

describe('the lock of a folder', () => {
  let folder = '';
  let path = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'survest-lock-'));
    path = join(folder, 'database.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is refused while it is held, and free after its release', () => {
    const first = lockFolder(path);
    expect(first.ok).toBe(true);
    expect(lockFolder(path)).toMatchObject({ ok: false, error: { kind: 'held', holder: { pid: process.pid } } });
    if (first.ok) first.value.release();
    expect(existsSync(path)).toBe(false);
    const again = lockFolder(path);
    expect(again.ok).toBe(true);
    if (again.ok) again.value.release();
  });

  test('of a process that is gone is taken over', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    const mine = lockFolder(path);
    if (!mine.ok) throw new Error('not locked');
    const written = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...written, pid: gone.pid }));
    mine.value.release(); // no longer ours: left alone
    expect(existsSync(path)).toBe(true);
    expect(lockFolder(path).ok).toBe(true);
  });

  test('of another process with the same number is taken over', () => {
    lockFolder(path);
    const written = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...written, started: 'long ago' }));
    expect(lockFolder(path).ok).toBe(true);
  });

  test('of another machine counts as held as long as it is touched', () => {
    lockFolder(path);
    const written = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...written, host: 'elsewhere', pid: 1 }));
    expect(lockFolder(path)).toMatchObject({
      ok: false,
      error: { kind: 'held', holder: { host: 'elsewhere', pid: 1 } },
    });
    const before = new Date(Date.now() - 60_000);
    utimesSync(path, before, before);
    expect(lockFolder(path).ok).toBe(true);
  });

  test.each(['', '{', 'null', '[]', '{"pid":"1"}', '\0\0\0'])('that says %j is nobody’s', (text) => {
    writeFileSync(path, text);
    expect(lockFolder(path).ok).toBe(true);
  });

  test('is taken over by one at a time', () => {
    writeFileSync(path, '');
    const inTheMidst = lockFolder(`${path}.taking-over`);
    expect(lockFolder(path)).toEqual({ ok: false, error: { kind: 'contended', path } });
    if (inTheMidst.ok) inTheMidst.value.release();
    expect(lockFolder(path).ok).toBe(true);
    expect(existsSync(`${path}.taking-over`)).toBe(false);
  });
});
