import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Driver, Listener } from '../../pg/driver.ts';
import { askFingerprint, type ChangeEvent, listenForChanges } from './listen-for-changes.ts';

onEachEngine('changes of the schema', {}, (db) => {
  const open: Listener[] = [];
  afterEach(async () => {
    for (const listener of open.splice(0)) await listener.close();
  });

  function hear(
    driver: Pick<Driver, 'execute' | 'listen'>,
    proofMs: number,
  ): {
    until(wanted: (event: ChangeEvent) => boolean): Promise<void>;
  } {
    const heard: ChangeEvent[] = [];
    let wake = (): void => {};
    const pace = { proofMs, pollMs: 50 };
    open.push(
      listenForChanges({ driver, channel: 'changes', schemas: () => ['api'], pace }, (event) => {
        heard.push(event);
        wake();
      }),
    );
    return {
      async until(wanted) {
        for (;;) {
          while (heard.length > 0) if (wanted(heard.shift() as ChangeEvent)) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
    };
  }

  beforeAll(() => db().script('create schema api; create table api.first (id int primary key)'));

  test('are heard by notification, and who hears does not look', async () => {
    const asked: string[] = [];
    const driver: Pick<Driver, 'execute' | 'listen'> = {
      listen: (channel, onEvent) => db().driver.listen(channel, onEvent),
      execute: (batch, options) => {
        asked.push(batch[0]?.text ?? '');
        return db().driver.execute(batch, options);
      },
    };
    const ears = hear(driver, 30_000);
    await ears.until(({ kind }) => kind === 'listening');
    await db().driver.execute([{ text: `select pg_notify('changes', 'reload schema 17')`, params: [] }]);
    await ears.until((event) => event.kind === 'notification' && event.notification.payload === 'reload schema 17');
    expect(asked.filter((text) => text.includes('pg_attribute'))).toEqual([]);
  });

  test('are seen where nothing is heard, which is told once', async () => {
    const deaf: Pick<Driver, 'execute' | 'listen'> = {
      execute: (batch, options) => db().driver.execute(batch, options),
      // As behind a pooler: the statement succeeds, and nothing comes.
      listen: (_channel, onEvent) => {
        queueMicrotask(() => onEvent({ kind: 'listening' }));
        return { close: async () => {} };
      },
    };
    const ears = hear(deaf, 500);
    await ears.until(({ kind }) => kind === 'deaf');
    const isReload = (event: ChangeEvent): boolean =>
      event.kind === 'notification' && event.notification.payload === 'reload schema';
    // What changed between the load and the first look.
    await ears.until(isReload);
    await db().script('create table api.second (id int)');
    await ears.until((event) => {
      expect(event.kind).not.toBe('deaf');
      return isReload(event);
    });
  });

  describe('have a fingerprint', () => {
    const fingerprint = (): Promise<string | undefined> => askFingerprint(db().driver, ['api']);

    test.each([
      'create table api.t (id int primary key, name text)',
      'alter table api.t add column more int',
      'alter table api.t rename column more to less',
      'alter table api.t drop column less',
      'alter table api.t add foreign key (id) references api.first',
      'create view api.v as select id from api.t',
      'create or replace view api.v as select 1 as id',
      'create function api.f() returns int language sql as $$ select 1 $$',
      'create or replace function api.f() returns int language sql as $$ select 2 $$',
      'drop function api.f()',
      'alter table api.t rename to u',
      'drop table api.u cascade',
    ])('that %s changes', async (ddl) => {
      const before = await fingerprint();
      await db().script(ddl);
      expect(before).toBeDefined();
      expect(await fingerprint()).not.toBe(before);
    });

    test('that rows, statistics and other schemas do not change', async () => {
      const before = await fingerprint();
      for (const sql of [
        'insert into api.first values (1)',
        'analyze api.first',
        'vacuum api.first',
        'create table public.elsewhere (id int)',
      ])
        await db().script(sql);
      expect(await fingerprint()).toBe(before);
    });
  });
});
