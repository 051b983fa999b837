// Which server answers a read, seen by the set of replicas itself: a primary and its replica, two real servers.

import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { describeNeeding } from '../../../test/testkit/describe-needing.ts';
import { type ReplicatedCluster, startReplicatedCluster } from '../../../test/testkit/replicated-cluster.ts';
import { makePostgresDriver } from '../postgres/postgres-driver.ts';
import { parseLsn } from './lsn.ts';
import { type ReplicaEvent, Replicas } from './replicas.ts';

const { postgres } = inject('engines');
const NONE = new Set<never>();
const LONG_MS = 3600_000;

describeNeeding(postgres.kind === 'ready' ? undefined : postgres.reason, 'the choice of a replica', () => {
  let cluster: ReplicatedCluster;
  let replicas: Replicas | undefined;
  const told: ReplicaEvent[] = [];

  beforeAll(async () => {
    cluster = await startReplicatedCluster();
    await on(cluster.primary, 'create table noted (n integer)');
  });
  afterEach(async () => {
    await replicas?.close();
    told.length = 0;
  });
  afterAll(() => cluster?.stop());

  async function on<T>(uri: string, sql: string): Promise<T | undefined> {
    const client = new pg.Client({ connectionString: uri });
    await client.connect();
    const done = await client.query(sql).finally(() => client.end());
    return [done].flat().at(-1)?.rows[0] as T | undefined;
  }

  /** Where the primary is after a write. */
  async function written(): Promise<bigint | undefined> {
    const [, row] = [
      await on(cluster.primary, 'insert into noted values (1)'),
      await on<{ lsn: string }>(cluster.primary, 'select pg_current_wal_flush_lsn() as lsn'),
    ];
    return parseLsn(row?.lsn ?? '');
  }

  function open(): Replicas {
    replicas = new Replicas({
      watchPrimary: () => makePostgresDriver({ uri: cluster.primary, poolSize: 1 }),
      open: (uri) => ({
        reads: () => makePostgresDriver({ uri, poolSize: 2 }),
        watch: () => makePostgresDriver({ uri, poolSize: 1 }),
      }),
      nameOf: (uri) => (uri === cluster.replica ? 'replica' : 'primary'),
      onEvent: (event) => told.push(event),
    });
    return replicas;
  }
  const chosen = async (from: Replicas, lsn?: bigint): Promise<string | undefined> =>
    (await from.choose({ lsn, not: NONE }))?.name;

  test('nobody is chosen where none is named, and the replica once it is known to be one of ours', async () => {
    const set = open();
    expect([set.hasAny, await chosen(set), set.stats()]).toEqual([false, undefined, []]);
    set.follow([cluster.replica], LONG_MS);
    expect([set.hasAny, await chosen(set)]).toEqual([true, undefined]);
    await expect.poll(() => chosen(set)).toBe('replica');
    expect(told).toEqual([{ server: 'replica', leftOut: undefined, message: undefined }]);
    expect(set.stats()).toEqual([
      { server: 'replica', usable: true, lagSeconds: expect.any(Number), reads: 0, handedOn: 0, connections: 0 },
    ]);
    const one = await set.choose({ lsn: undefined, not: NONE });
    expect(await set.choose({ lsn: undefined, not: new Set(one === undefined ? [] : [one]) })).toBeUndefined();
    set.follow([], LONG_MS);
    expect([set.hasAny, await chosen(set)]).toEqual([false, undefined]);
  });

  test('those that are equally busy take turns, and who is busy is spared', async () => {
    const set = open();
    const [one, other] = [cluster.replica, `${cluster.replica}?application_name=other`];
    set.follow([one, other], LONG_MS);
    await expect.poll(() => set.stats().filter(({ usable }) => usable)).toHaveLength(2);
    const first = await set.choose({ lsn: undefined, not: NONE });
    if (first === undefined) throw new Error('none is usable');
    first.reads += 1;
    expect(await set.choose({ lsn: undefined, not: NONE })).not.toBe(first);
    first.reads -= 1;
    await first.driver.hold(async () => {
      expect(await set.choose({ lsn: undefined, not: NONE })).not.toBe(first);
      return undefined;
    });
  });

  test('a server that is no replica is left out, and one whose connections fail until it answers again', async () => {
    const set = open();
    set.follow([cluster.primary, cluster.replica], LONG_MS);
    await expect.poll(() => told.map(({ server, leftOut }) => [server, leftOut])).toHaveLength(2);
    expect(told).toContainEqual({ server: 'primary', leftOut: 'not-a-replica', message: undefined });
    expect(await chosen(set)).toBe('replica');
    const replica = await set.choose({ lsn: undefined, not: NONE });
    replica?.suspect({ kind: 'lost', message: 'it fell' });
    expect(await chosen(set)).toBeUndefined();
    expect(told.at(-1)).toEqual({ server: 'replica', leftOut: 'unreachable', message: 'it fell' });
    await expect.poll(() => chosen(set)).toBe('replica');
  });

  test('a position that it has is waited for a moment, and no longer', async () => {
    const set = open();
    set.follow([cluster.replica], LONG_MS);
    await expect.poll(() => chosen(set)).toBe('replica');
    const here = await written();
    await expect.poll(() => chosen(set, here)).toBe('replica');
    expect(await chosen(set, (here ?? 0n) + (1n << 40n))).toBeUndefined();
  });

  test('one that is paused, or behind for longer than it may be, is left out until it has caught up', async () => {
    const set = open();
    set.follow([cluster.replica], LONG_MS);
    await expect.poll(() => chosen(set)).toBe('replica');
    await on(cluster.replica, 'select pg_wal_replay_pause()');
    try {
      await expect.poll(() => set.stats()[0]?.usable).toBe(false);
      expect(told.at(-1)).toMatchObject({ leftOut: 'paused' });
      await written();
      await expect.poll(() => set.stats()[0]?.lagSeconds).toBeGreaterThan(0);
    } finally {
      await on(cluster.replica, 'select pg_wal_replay_resume()');
    }
    await expect.poll(() => chosen(set)).toBe('replica');
    await expect.poll(() => set.stats()[0]?.lagSeconds).toBe(0);
    set.follow([cluster.replica], -1);
    await expect.poll(() => told.at(-1)?.leftOut).toBe('lagging');
    expect(await chosen(set)).toBeUndefined();
  });

  test('one that is killed is left out, and used again when it answers', async () => {
    const set = open();
    set.follow([cluster.replica], LONG_MS);
    await expect.poll(() => chosen(set)).toBe('replica');
    await cluster.killReplica();
    try {
      await expect.poll(() => told.at(-1)).toMatchObject({ server: 'replica', leftOut: 'unreachable' });
      expect(told.at(-1)?.message).not.toBe('');
      expect(await chosen(set, 1n << 60n)).toBeUndefined();
    } finally {
      await cluster.startReplica();
    }
    await expect.poll(() => chosen(set)).toBe('replica');
  });
});
