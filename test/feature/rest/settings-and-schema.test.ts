// Settings and schema reloaded at the same time: neither takes the other back.

import { expect, test } from 'vitest';
import type { RestConfig } from '../../../src/rest/config/config.ts';
import { loadRestConfig } from '../../../src/rest/config/load-config.ts';
import { makeRestService } from '../../../src/rest/lifecycle/rest-service.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { textOf } from '../../testkit/reply-matcher.ts';

onEachEngine('reloading', { engines: ['postgres'] }, (db) => {
  test('settings that change while a schema is loaded are in force afterwards, and so is the schema', async () => {
    await db().script(`create schema api; create table api.note as select n from generate_series(1, 5) n;
      grant usage on schema api to public; grant select on api.note to public`);
    const configOf = async (rows: number): Promise<RestConfig> => {
      const env = {
        SVRST_DB_URI: 'postgresql://',
        SVRST_DB_SCHEMAS: 'api',
        SVRST_DB_ANON_ROLE: 'postgres',
        SVRST_DB_CHANNEL_ENABLED: 'false',
        SVRST_DB_CONFIG: 'false',
        SVRST_DB_MAX_ROWS: String(rows),
      };
      const readText = (): Promise<never> => Promise.reject(new Error('there are no files'));
      const loaded = await loadRestConfig({ args: [], env, file: undefined, database: [], readText });
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
      return loaded.value.config;
    };
    let rows = 4;
    // A load that has read its settings waits here until it is let go.
    let hold: Promise<void> | undefined;
    let reached: (() => void) | undefined;
    const { driver } = db();
    const service = makeRestService({
      config: await configOf(rows),
      driver: {
        ...driver,
        async hold(work, options) {
          if (hold !== undefined) {
            reached?.();
            await hold;
          }
          return driver.hold(work, options);
        },
      },
      version: 'test',
      observe: () => {},
      reread: () => configOf(rows),
      onFatal: () => {},
    });
    const count = async (path: string): Promise<number> => {
      const http = { method: 'GET', path, query: '', headers: {}, body: Buffer.alloc(0) };
      const reply = await service.answer(http, { signal: undefined, remoteAddress: '127.0.0.1', httpVersion: '1.1' });
      return reply.status === 200 ? JSON.parse(textOf(reply.body ?? '[]')).length : -reply.status;
    };
    await service.start();
    expect(await count('/note')).toBe(4);
    await db().script(
      `create table api.fresh as select n from generate_series(1, 5) n; grant select on api.fresh to public`,
    );
    let release = (): void => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const loading = service.reloadSchema();
    await isReached;
    rows = 2;
    await service.reloadConfig();
    expect(await count('/note')).toBe(2);
    hold = undefined;
    release();
    await loading;
    expect([await count('/note'), await count('/fresh')]).toEqual([2, 2]);
    await service.close();
  });
});
