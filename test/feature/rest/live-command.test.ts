// survest live install | remove | status.

import { beforeAll, expect, test } from 'vitest';
import { ok } from '../../../src/kernel/result.ts';
import { type LiveCommand, runLiveCommand } from '../../../src/server/live-command.ts';
import { onEachEngine } from '../../testkit/database.ts';

onEachEngine('survest live', {}, (db) => {
  beforeAll(() =>
    db().script(`create schema api; create schema "o'dd"; create table api.place (id integer primary key);
      create view api.seen as select * from api.place; create table "o'dd"."Ta.ble" (id integer primary key);`),
  );
  const sources = { file: undefined, args: [] };

  async function run(command: LiveCommand): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const code = await runLiveCommand(command, {
      config: { dbSchemas: ['api'] },
      open: async () => ok({ driver: db().driver, close: async () => {}, isShared: false }),
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    });
    return { code, out, err };
  }
  const install = (tables: readonly string[], print = false): ReturnType<typeof run> =>
    run({ kind: 'live-install', tables, role: undefined, print, ...sources });
  const status = async (): Promise<string> => (await run({ kind: 'live-status', json: false, ...sources })).out;

  test('says that nothing is followed, follows tables, and takes that back', async () => {
    expect(await status()).toBe('no table is followed: survest live install TABLE\n');
    const printed = await install(['place'], true);
    expect(printed.out).toContain(`select survest_live.follow('"api"."place"'::regclass);`);
    expect(await status()).toBe('no table is followed: survest live install TABLE\n');
    expect(await install(['place', `"o'dd"."Ta.ble"`])).toMatchObject({ code: 0, err: '' });
    // As often as one likes.
    expect(await install(['api.place'])).toMatchObject({ code: 0, out: 'followed: "api"."place"\n' });
    await db().script('insert into api.place values (1), (2)');
    expect(await status()).toBe(`"o'dd"."Ta.ble"\napi.place\n2 tables are followed, 1 entry in the change log\n`);
    const removed = await run({ kind: 'live-remove', tables: ['place'], print: false, ...sources });
    expect(removed).toMatchObject({ code: 0 });
    expect(await status()).toContain('1 table is followed');
  });

  test('refuses what is no table, and what is not there, and changes nothing then', async () => {
    expect(await install(['seen'])).toMatchObject({ code: 1, err: 'survest live install: api.seen is no table\n' });
    expect((await install(['place', 'nowhere'])).err).toContain('"api.nowhere" does not exist');
    expect(await status()).not.toContain('place');
  });
});
