// The package as npm would deliver it: packed, installed in an empty folder without anything of the checkout, and started there.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environment, startAt } from '../blackbox/program.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the package, installed in an empty folder', () => {
  let folder = '';
  const bin = (): string => join(folder, 'node_modules/survest/dist/server/main.js');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'survest-package-'));
    // Scripts stay out of it: `prepare` would build what is built.
    const packed = npm(ROOT, 'pack', '--ignore-scripts', '--pack-destination', folder);
    writeFileSync(join(folder, 'package.json'), '{ "name": "somebody-elses", "private": true }\n');
    npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, packed.trim()));
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('holds the program, its docs and nothing of the workshop', () => {
    const root = join(folder, 'node_modules/survest');
    // npm may put a dependency inside, where another package asks for another version of it.
    const own = readdirSync(root).filter((name) => name !== 'node_modules');
    expect(own.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json']);
    const files = own.flatMap((name) =>
      statSync(join(root, name)).isDirectory()
        ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file))
        : [name],
    );
    expect(files).toContain('dist/server/main.js');
    expect(files.filter((name) => /\.test\.|(^|\/)(test|fixtures|golden|bench)\//.test(name))).toEqual([]);
    expect(files.filter((name) => /\.env|\.conf$|\.pem$/.test(name))).toEqual([]);
  });

  test('has every package it imports among its dependencies', () => {
    const root = join(folder, 'node_modules/survest');
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const imported = new Set<string>();
    for (const name of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
      if (!/\.m?js$/.test(name) || name.startsWith('web/')) continue;
      const text = readFileSync(join(root, 'dist', name), 'utf8');
      for (const [, from = ''] of text.matchAll(
        /^(?:import|export) (?:[\w*{][^'";=]* from )?['"]([^'".][^'"]*)['"];?$/gm,
      ))
        if (!from.startsWith('node:')) imported.add(/^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
    }
    expect(imported.size).toBeGreaterThan(10);
    expect([...imported].filter((name) => dependencies[name] === undefined)).toEqual([]);
  });

  test('`npx survest --help` helps', () => {
    const { status, stdout } = spawnSync('npx', ['--no-install', 'survest', '--help'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('survest rest');
  });

  test('everything starts, with the database that it brings', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const program = startAt(
      bin(),
      [],
      environment({
        'data-dir': data,
        'server-host': '127.0.0.1',
        'server-port': '0',
        'portal-host': '127.0.0.1',
        'portal-port': '0',
        'admin-password': 'a long enough one',
        demo: 'false',
        'log-level': 'info',
      }),
      folder,
    );
    try {
      await program.told(/Portal listens on [^\s"]+[\s"]/);
      const portal = /Portal listens on ([^\s"]+)/.exec(program.err())?.[1];
      const page = await fetch(`${portal}/`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const api = await fetch(`${portal}/api/v2/resources`);
      expect(await api.json()).toMatchObject({ total: 0, resources: [] });
    } finally {
      expect(await program.stop()).toBe(0);
    }
  });
});

function npm(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}
