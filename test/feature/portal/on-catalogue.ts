// The portal with its catalogue for a suite, and a few items in it whose owners made them in their own names.

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { BlobStore } from '../../../src/blobs/blob-store.ts';
import { openDiskStore } from '../../../src/blobs/disk.ts';
import type { ApiOptions } from '../../../src/portal/operations/exchange.ts';
import type { PortalOptions } from '../../../src/portal/portal-app.ts';
import type { SuiteOptions } from '../../testkit/database.ts';
import { type AccountName, onPortal, type Portal } from '../../testkit/portal-client.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';

export type CatalogueSuite = SuiteOptions & {
  readonly api?: Partial<ApiOptions>;
  readonly portal?: Partial<PortalOptions>;
};

export function onCatalogue(
  name: string,
  options: CatalogueSuite,
  suite: (portal: () => Portal, blobs: BlobStore) => void,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'survest-catalogue-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const api: ApiOptions = {
    blobs: lateStore(folder),
    enableBulkUpdate: true,
    enablePatchAll: false,
    maxDocumentBytes: 1024 * 1024,
    version: 'test',
    ...options.api,
  };
  onPortal(name, { ...options, portal: { ...options.portal, api } }, (portal) => suite(portal, api.blobs));
}

/** What a test makes goes with it: items (also out of the bin), groups and accounts. What `beforeAll` has made before stays. */
export function sweepEach(portal: () => Portal): void {
  // Items first: those of an account that goes would be somebody else's.
  const tables = ['portal.resource', 'portal.user_group', 'portal.account'];
  let last: readonly number[] = [];
  beforeAll(async () => {
    const [found] = await portal().db.query<{ ids: readonly number[] }>(
      `select array[${tables.map((table) => `(select coalesce(max(id), 0)::integer from ${table})`).join()}] as ids`,
    );
    last = found?.ids ?? [];
  });
  afterEach(() => portal().db.script(tables.map((table, n) => `delete from ${table} where id > ${last[n]}`).join(';')));
}

/** Opened when it is first used: a suite is described before anything can be waited for. */
function lateStore(folder: string): BlobStore {
  let opened: Promise<BlobStore> | undefined;
  const store = (): Promise<BlobStore> => {
    opened ??= openDiskStore(folder);
    return opened;
  };
  return {
    put: async (...args) => (await store()).put(...args),
    open: async (...args) => (await store()).open(...args),
    remove: async (...args) => (await store()).remove(...args),
    async *list(prefix) {
      yield* (await store()).list(prefix);
    },
  };
}

/** Runs SQL as an account, with all its rules; the statements are one transaction. */
export async function scriptAs(portal: Portal, account: AccountName, sql: string): Promise<void> {
  const role = account === 'admin' ? 'survest_admin' : 'survest_user';
  const claims = JSON.stringify({ sub: String(portal.ids[account]), role });
  await portal.db.script(`begin;
    select set_config('role', '${role}', true), set_config('request.jwt.claims', '${claims}', true);
    ${sql};
    commit`);
}

export function bodyOf<T = Record<string, unknown>>(reply: Reply): T {
  return JSON.parse(textOf(reply.body)) as T;
}

/** Titles (or another member) of the records in a list. */
export function membersOf(reply: Reply, list: string, member = 'title'): unknown[] {
  const body = bodyOf<Record<string, Record<string, unknown>[]>>(reply);
  if (!Array.isArray(body[list])) throw new Error(`no ${list} in ${reply.status} ${textOf(reply.body).slice(0, 2000)}`);
  return body[list].map((record) => record[member]);
}

/** The id of an item by its title. */
export async function idOf(portal: Portal, title: string): Promise<number> {
  const [found] = await portal.db.query<{ id: number }>('select id from portal.resource where title = $1', [title]);
  if (found === undefined) throw new Error(`nothing is titled ${title}`);
  return found.id;
}
