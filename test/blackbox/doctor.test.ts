// survest doctor on a database that has no portal: what it says about the REST service.

import { beforeAll, expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { environment, runProgram } from './program.ts';

onEachEngine('survest doctor, without a portal', { engines: ['postgres'], fixtures: REST_FIXTURE }, (db) => {
  const doctor = (settings: Readonly<Record<string, string>> = {}, ...args: readonly string[]) =>
    runProgram(
      ['doctor', ...args],
      environment({ 'db-uri': db().uri ?? '', 'db-anon-role': 'rest_anon', 'db-schemas': 'test', ...settings }),
    );
  beforeAll(() => db().script('alter role rest_anon reset statement_timeout'));

  test('says loudly that no role of a request has a statement timeout', async () => {
    const { code, out, err } = await doctor();
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/^PostgreSQL \d+.*, without a portal\nNO STATEMENT TIMEOUT: one request .* rest_anon/);
    expect(out).toContain(`alter role "rest_anon" set statement_timeout = '30s'`);
    const json = JSON.parse((await doctor({}, '--json')).out);
    expect(json.findings).toMatchObject([{ kind: 'no-statement-timeout' }]);
  });

  test('is content with a timeout in the settings, or of the database', async () => {
    const content = { code: 0, out: expect.stringContaining('requests of the REST service have a statement timeout') };
    expect(await doctor({ 'db-statement-timeout': '30' })).toMatchObject(content);
    await db().script(
      `do $$ begin execute format('alter database %I set statement_timeout = %L', current_database(), '9s'); end $$`,
    );
    expect(await doctor()).toMatchObject(content);
    await db().script(
      `do $$ begin execute format('alter database %I reset statement_timeout', current_database()); end $$`,
    );
  });

  test('names only the roles that have none', async () => {
    await db().script(
      `do $$ begin execute format('alter role rest_anon in database %I set statement_timeout = %L', current_database(), '9s'); end $$`,
    );
    const { out } = await doctor();
    expect(out).not.toContain('rest_anon');
  });

  test('names the anonymous role that its own role may not switch to', async () => {
    const { out } = await doctor({ 'db-anon-role': 'rest_nobody' });
    expect(out).toContain('db-anon-role: there is no role "rest_nobody", so requests without a token will fail');
  });
});
