import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { missing } from '../testkit/machine.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/release.mjs');
const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- A bell.

## [0.1.0] - 2026-01-01

- The first one.
`;

describeNeeding(missing('git'), 'the release script', () => {
  let folder = '';
  const git = (...args: string[]): string =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout;
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [SCRIPT, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 't',
        GIT_AUTHOR_EMAIL: 't@example.org',
        GIT_COMMITTER_NAME: 't',
        GIT_COMMITTER_EMAIL: 't@example.org',
      },
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'survest-release-'));
    git('init', '--quiet', '--initial-branch', 'main');
    writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
    writeFileSync(join(folder, 'package.json'), '{ "name": "x", "version": "0.1.0" }\n');
    writeFileSync(
      join(folder, 'package-lock.json'),
      '{ "name": "x", "version": "0.1.0", "lockfileVersion": 3, "requires": true, "packages": { "": { "name": "x", "version": "0.1.0" } } }\n',
    );
    mkdirSync(join(folder, 'client'));
    writeFileSync(join(folder, 'client/package.json'), '{ "name": "@x/client", "version": "0.1.0" }\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'begin');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('dates the unreleased notes, raises the version, commits and tags', () => {
    const { status, stderr } = release('0.2.0', '--date', '2026-02-03');
    expect([status, stderr]).toEqual([0, '']);
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toContain(
      '## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- A bell.\n\n## [0.1.0] - 2026-01-01',
    );
    for (const file of ['package.json', 'client/package.json'])
      expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toMatchObject({ version: '0.2.0' });
    expect(git('log', '-1', '--format=%s').trim()).toBe('Release 0.2.0');
    const tag = git('tag', '--list', '--format=%(contents)', 'v0.2.0');
    expect(tag).toContain('- A bell.');
    expect(tag).not.toContain('The first one');
    expect(git('status', '--porcelain')).toBe('');
  });

  test.each<[string, () => void, string[], RegExp]>([
    ['without a version', () => {}, [], /say which version/],
    ['with changes that are not committed', () => writeFileSync(join(folder, 'x'), ''), ['0.2.0'], /commit or stash/],
    ['for a version that is tagged already', () => git('tag', 'v0.2.0'), ['0.2.0'], /v0\.2\.0 exists already/],
    ['away from main', () => git('switch', '--quiet', '--create', 'other'), ['0.2.0'], /made on main/],
  ])('refuses %s, and changes nothing', (_name, prepare, args, message) => {
    prepare();
    const { status, stderr } = release(...args);
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(CHANGELOG);
  });
});
