// Help and documentation page, compared with the files that people read. BLESS=1 rewrites them.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectFile } from '../../test/testkit/expect-file.ts';
import { ok } from '../kernel/result.ts';
import { boundsTable } from '../portal/monitoring/table-bounds.ts';
import { configurationPage } from './cli/configuration-page.ts';
import { HELP_TOPICS, helpText } from './command-line/help.ts';
import { loadServerConfig } from './config/config.ts';
import { loadDatabases } from './config/databases.ts';

test.each(HELP_TOPICS)('the help of %s', (topic) => {
  expectFile(new URL(`./golden/help-${topic.replace(' ', '-')}.txt`, import.meta.url), helpText(topic));
});

test('no line of the help is too wide for a terminal, and none ends in blanks', () => {
  for (const line of HELP_TOPICS.flatMap((topic) => helpText(topic).split('\n'))) {
    expect(line.length, line).toBeLessThanOrEqual(100);
    expect(line).not.toMatch(/\s$/);
  }
});

test('docs/configuration.md says what the option table says', () => {
  expectFile(new URL('../../docs/configuration.md', import.meta.url), configurationPage());
});

test('docs/operations.md says what bounds each table', () => {
  const url = new URL('../../docs/operations.md', import.meta.url);
  const [before, rest = ''] = readFileSync(url, 'utf8').split('<!-- bounds of tables -->\n');
  const [, after] = rest.split('<!-- end of bounds -->\n');
  expectFile(url, `${before}<!-- bounds of tables -->\n${boundsTable()}\n<!-- end of bounds -->\n${after}`);
});

test('the file shown on the page of several databases is one that loads', async () => {
  const page = readFileSync(new URL('../../docs/databases.md', import.meta.url), 'utf8');
  const shown = /```\n(.*?)```/s.exec(page)?.[1] ?? '';
  const input = {
    args: [],
    env: { SALES_PASSWORD: 's', STAFF_PASSWORD: 't' },
    file: 'shown.conf',
    database: [],
    readText: async (path: string) => ok(path === 'shown.conf' ? shown : 'a secret of thirty-two characters'),
  };
  const databases = await loadDatabases(['sales', 'staff'], 'rest', input);
  expect(
    databases.ok && databases.value.map(({ name, config }) => [name, config.dbUri, config.dbPool, config.serverHosts]),
  ).toEqual([
    ['sales', 'postgresql://authenticator:s@db1/sales', 20, []],
    ['staff', 'postgresql://authenticator:t@db2/staff', 10, ['staff.example.org']],
  ]);
});

test('the file shown on the page is a file that loads', async () => {
  const shown = /```\n(.*?)```/s.exec(configurationPage())?.[1] ?? '';
  const files: Readonly<Record<string, string>> = { 'shown.conf': shown, 'secrets.conf': 'db-anon-role = "web_anon"' };
  const loaded = await loadServerConfig('rest', {
    args: [],
    env: { DB_PASSWORD: 'p' },
    file: 'shown.conf',
    database: [],
    readText: async (path) => ok(files[path] ?? ''),
  });
  expect(loaded.ok && loaded.value.config).toMatchObject({
    dbUri: 'postgresql://authenticator:p@localhost/app',
    dbSchemas: ['api', 'public'],
    dbPool: 20,
    dbConfig: false,
    dbAnonRole: 'web_anon',
    appSettings: new Map([['app.settings.region', 'north']]),
  });
});
