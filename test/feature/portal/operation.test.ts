// What operators have: status, space and quotas, limits of accounts, and the audit log by filters and for a time.

import { expect, test } from 'vitest';
import { concerns } from '../../../src/portal/monitoring/concerns.ts';
import { startHeartbeat } from '../../../src/portal/monitoring/heartbeat.ts';
import { type OperationStatus, readStatus } from '../../../src/portal/monitoring/operation-status.ts';
import { type AccountName, onPortal, type Portal } from '../../testkit/portal-client.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { bodyOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Entry = { readonly id: number; readonly act: string; readonly actor_name: string | null; readonly name: string };

onCatalogue('operation', {}, (portal) => {
  const tokens = new Map<AccountName, string>();
  const as = async (account: AccountName): Promise<ReturnType<Portal['bearer']>> => {
    const token = tokens.get(account) ?? (await portal().tokenOf(account));
    tokens.set(account, token);
    return portal().bearer(token);
  };
  const entries = async (query: string): Promise<readonly Entry[]> =>
    bodyOf<{ entries: readonly Entry[] }>(await (await as('admin')).get(`/api/v2/audit/${query}`)).entries;

  test('a token that is asked for with a password is one sign-in, and not two', async () => {
    await as('admin');
    await portal().tokenOf('mel');
    expect((await entries('?actor=mel')).map(({ act }) => act)).toEqual(['sign-in']);
  });

  test('administrators see how the program runs; others do not', async () => {
    await fillCatalogue(portal());
    const heart = await startHeartbeat({ db: portal().callerDb, version: '9.9', services: 'all' });
    expect(await portal().visitor.get('/api/v2/status/')).toMatchReply({ status: 401 });
    expect(await (await as('ada')).get('/api/v2/status/')).toMatchReply({ status: 403 });
    const status = bodyOf<OperationStatus>(await (await as('admin')).get('/api/v2/status/'));
    expect(status).toMatchObject({
      mode: { mode: 'normal', message: '', since: null },
      copies: [{ version: '9.9', services: 'all', state: 'alive', pid: process.pid }],
      failed_jobs: [],
      database: { bytes: expect.any(Number) },
    });
    expect(concerns(status)).toEqual([]);
    await heart.stopping();
    const read = await readStatus(portal().callerDb);
    expect(read.ok && read.value.copies).toMatchObject([{ state: 'stopping' }]);
    // Its heart may beat just after this, and what is read a second later is a second more.
    const silent = async (): Promise<unknown> => {
      await portal().db.query(`update portal_private.program_copy set seen = now() - interval '5 minutes'`);
      const later = await readStatus(portal().callerDb);
      return later.ok && concerns(later.value);
    };
    await expect.poll(silent).toEqual([expect.stringMatching(/has not been heard of for 3\d\d s/)]);
    await heart.end();
    const gone = await readStatus(portal().callerDb);
    expect(gone.ok && gone.value.copies).toEqual([]);
  });

  test('everybody sees the space that they use, administrators that of all', async () => {
    const own = bodyOf<{ storage: { username: string }[] }>(await (await as('ada')).get('/api/v2/storage/'));
    expect(own.storage.map(({ username }) => username)).toEqual(['ada']);
    const all = bodyOf<{ storage: { username: string }[] }>(await (await as('admin')).get('/api/v2/storage/'));
    expect(all.storage.length).toBeGreaterThan(0);
  });

  test('a document beyond the quota is refused with what is used and allowed; the quota is an administrator’s to set', async () => {
    const { ids } = portal();
    const path = `/api/v2/users/${ids.ada}/quota/`;
    expect(await (await as('ada')).put(path, { bytes: 0 })).toMatchReply({ status: 403 });
    expect(await (await as('admin')).put(path, { bytes: -1 })).toMatchReply({ status: 400 });
    expect(await (await as('admin')).put('/api/v2/users/999999/quota/', { bytes: 1 })).toMatchReply({ status: 404 });
    expect(await (await as('admin')).put(path, { bytes: 100 })).toMatchReply({ status: 200 });
    const form = (size: number) => ({
      body: `--x\r\nContent-Disposition: form-data; name="doc_file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${'a'.repeat(size)}\r\n--x--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    const refused = await (await as('ada')).request('POST', '/api/v2/documents/', form(500));
    expect([refused.status, bodyOf(refused)]).toEqual([
      413,
      { detail: expect.stringMatching(/^Your layers and files use .* of the 100 bytes/), code: 'quota_exceeded' },
    ]);
    expect(await (await as('admin')).put(path, { bytes: null })).toMatchReply({ status: 200 });
    expect((await entries('?act=quota-changed')).map(({ name }) => name)).toEqual(['ada', 'ada']);
  });

  test('the audit log is found by act, by person, by what it is about, and by time', async () => {
    const all = await entries('?limit=1000');
    const acts = (await entries('?act=quota-changed&act=sign-in&limit=1000')).map(({ act }) => act);
    expect(new Set(acts)).toEqual(new Set(['quota-changed', 'sign-in']));
    expect((await entries('?actor=ADMIN&limit=1000')).every(({ actor_name }) => actor_name === 'admin')).toBe(true);
    expect((await entries('?name=AD&act=quota-changed')).length).toBe(2);
    expect(await entries('?since=2999-01-01')).toEqual([]);
    expect((await entries('?until=2999-01-01T00:00:00Z&limit=1000')).length).toBeGreaterThanOrEqual(all.length);
    const admin = await as('admin');
    const first = bodyOf<{ next: string }>(await admin.get('/api/v2/audit/?act=quota-changed&limit=1'));
    expect(first.next).toMatch(/\?act=quota-changed&limit=1&before=\d+$/);
    expect(await admin.get('/api/v2/audit/?since=yesterday&act=A%27')).toMatchReply({
      status: 400,
      json: {
        act: ['Must be the name of an act; 50 at most.'],
        since: ['Must be a date and time, such as 2026-01-31T12:00:00Z.'],
      },
    });
  });

  test('entries that are older than the settings say go, which is an entry itself; nothing else removes any', async () => {
    await expect(portal().db.query('delete from portal_private.audit')).rejects.toThrow(/not changed/);
    const before = (await entries('?limit=1000')).length;
    await portal().db.query('alter table portal_private.audit disable trigger only_added');
    await portal().db.query(
      `update portal_private.audit set at = now() - interval '40 days' where id = (select min(id) from portal_private.audit)`,
    );
    await portal().db.query('alter table portal_private.audit enable trigger only_added');
    const trim = async (days: number): Promise<unknown> =>
      (await portal().db.query<{ n: number }>('select portal.trim_audit($1::integer) as n', [String(days)]))[0]?.n;
    expect(await trim(0)).toBe(0);
    expect(await trim(41)).toBe(0);
    expect(await trim(39)).toBe(1);
    const after = await entries('?limit=1000');
    expect(after.length).toBe(before);
    expect(after[0]).toMatchObject({ act: 'audit-trimmed', detail: { entries: 1, days: 39 } });
    await expect(portal().db.query('delete from portal_private.audit')).rejects.toThrow(/not changed/);
  });
});

onPortal('a limit of requests', { portal: { accountRate: { requests: 3, perSeconds: 60 } } }, (portal) => {
  test('holds for each account by itself, over its tokens, and says when to come again', async () => {
    const ada = portal().bearer(await portal().tokenOf('ada'));
    expect((await ada.get('/api/v2/mode/')).status).toBe(200);
    expect((await ada.get('/api/v2/mode/')).status).toBe(200);
    expect(await ada.get('/api/v2/mode/')).toMatchReply({ status: 429, headers: { 'retry-after': '20' } });
    expect((await portal().visitor.get('/api/v2/mode/')).status).toBe(200);
    portal().clock.advance(20_000);
    expect((await ada.get('/api/v2/mode/')).status).toBe(200);
  });
});

onPortal('guesses at names', {}, (portal) => {
  test('are slowed down without any setting, for the account that guesses', async () => {
    const mia = portal().as('mia');
    const guess = (): Promise<Reply> =>
      mia.post(`/api/v2/groups/${portal().ids.surveyors}/members/`, { username: 'nobody-at-all' });
    for (let n = 0; n < 60; n += 1) expect((await guess()).status).toBe(400);
    expect(await guess()).toMatchReply({ status: 429, headers: { 'retry-after': '1' } });
    expect((await mia.get('/api/v2/mode/')).status).toBe(200);
    expect((await portal().as('ada').patch('/api/v2/resources/987654', { permissions: {} })).status).not.toBe(429);
    portal().clock.advance(1000);
    expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
  });
});
