// A large catalogue in a database of its own, and the portal over it: what the portal's benchmarks need.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Caller } from '../../src/auth/caller.ts';
import { type CallerDb, makeCallerDb } from '../../src/auth/caller-db.ts';
import { hashPassword } from '../../src/auth/password.ts';
import { openDiskStore } from '../../src/blobs/disk.ts';
import type { Driver } from '../../src/pg/driver.ts';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import { loadSigningKeys } from '../../src/portal/oidc/signing-keys.ts';
import { makePortalApp } from '../../src/portal/portal-app.ts';
import { PORTAL_SCHEMA } from '../../test/testkit/portal-schema.ts';
import { findPostgres } from '../../test/testkit/postgres-binaries.ts';
import { startCluster } from '../../test/testkit/postgres-cluster.ts';

const POOL = 16;

export type PortalSetting = {
  readonly port: number;
  /** No policy holds for it. */
  readonly superuser: Driver;
  /** The database as the program asks it, and the ordinary account. */
  readonly db: CallerDb;
  readonly caller: Caller;
  /** Tokens of an ordinary account, and of an administrator. */
  readonly user: string;
  readonly admin: string;
  /** Accounts that are signed in, each with an item of its own. */
  people(count: number): Promise<readonly { readonly token: string; readonly item: number }[]>;
  close(): Promise<void>;
};

export async function openPortalSetting(): Promise<PortalSetting> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error('the benchmarks need PostgreSQL with PostGIS on this machine');
  // As a server is set up that has such a catalogue: with memory for all of it. With the 128 MB of a new server every answer fetches some sixty pages.
  const cluster = await startCluster(binaries, { shared_buffers: '1GB' });
  const owner = makePostgresDriver({ uri: cluster.uri, poolSize: POOL });
  for (const file of [...PORTAL_SCHEMA, fileURLToPath(new URL('./seed.sql', import.meta.url))]) {
    for (const part of separated(await readFile(file, 'utf8'))) {
      const made = await owner.script(part);
      if (!made.ok) throw new Error(`${file}: ${JSON.stringify(made.error)}`);
    }
  }
  const password = 'a password for benchmarks';
  const hash = await hashPassword(password);
  for (const account of [1, 500]) {
    await owner.execute([{ text: 'select portal.set_password($1::integer, $2)', params: [String(account), hash] }]);
  }
  const uri = new URL(cluster.uri);
  uri.username = 'survest_authenticator';
  const driver = makePostgresDriver({ uri: uri.href, poolSize: POOL });
  const db = makeCallerDb(driver);
  const keys = await loadSigningKeys(db);
  if (!keys.ok) throw new Error(JSON.stringify(keys.error));
  const folder = await mkdtemp(join(tmpdir(), 'survest-bench-'));
  const app = await makePortalApp({
    db,
    keys: keys.value,
    publicUrl: undefined,
    webRoot: folder,
    version: 'bench',
    api: {
      blobs: await openDiskStore(join(folder, 'files')),
      enableBulkUpdate: true,
      enablePatchAll: false,
      maxDocumentBytes: 1024,
      version: 'bench',
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const tokenOf = async (username: string): Promise<string> => {
    const reply = await app.inject({
      method: 'POST',
      url: '/account/token/',
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    });
    if (reply.statusCode !== 200) throw new Error(`${username} got no token: ${reply.body}`);
    return (reply.json() as { access_token: string }).access_token;
  };
  const address = app.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    superuser: owner,
    db,
    caller: { kind: 'account', id: 500, username: 'user500', role: 'survest_user', via: 'basic' },
    user: await tokenOf('user500'),
    admin: await tokenOf('user1'),
    async people(count) {
      const found = await owner.execute([
        {
          text: `select a.username, portal.set_password(a.id, $1) is null,
                        (select min(r.id) from portal.resource r where r.owner_id = a.id)
                   from portal.account a where a.id between 2 and $2::integer + 1 order by a.id`,
          params: [hash, String(count)],
        },
      ]);
      if (!found.ok) throw new Error(JSON.stringify(found.error));
      const people: { token: string; item: number }[] = [];
      for (const [username, , item] of found.value[0]?.rows ?? []) {
        people.push({ token: await tokenOf(String(username)), item: Number(item?.toString()) });
      }
      return people;
    },
    async close() {
      await app.close();
      await driver.close();
      await owner.close();
      await cluster.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** VACUUM runs in no transaction, so it has to stand alone. */
function separated(sql: string): readonly string[] {
  return sql.split(/^(vacuum [a-z_. ]*;)$/m).filter((part) => part.trim() !== '');
}
