// One connection to a real server, used as the pipelines use it: batches sent behind each other, without waiting.

import { expect, onTestFinished, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Statement } from '../driver.ts';
import { makeConnector } from '../postgres/connect.ts';
import { connectSettings } from '../postgres/connect-settings.ts';
import { textRows } from '../rows.ts';
import type { Connection, Outcome } from './connection.ts';

function q(text: string, ...params: string[]): Statement {
  return { text, params };
}

onEachEngine('a connection', { engines: ['postgres'] }, (db) => {
  async function open(): Promise<Connection> {
    const settings = connectSettings(db().uri ?? '', {}, undefined);
    if (!settings.ok) throw new Error(settings.error.message);
    const limits = { connectTimeoutMs: 10_000, batchTimeoutMs: undefined, statementCacheSize: 10 };
    const connected = await makeConnector(settings.value, limits, () => {})();
    if (!connected.ok) throw new Error(connected.error.message);
    const { connection } = connected.value;
    onTestFinished(() => connection.destroy('the test is over'));
    return connection;
  }
  const follow = (connection: Connection, batch: readonly Statement[]): Promise<Outcome> =>
    new Promise((resolve) => connection.follow(batch, resolve));
  const rowsOf = (outcome: Outcome): unknown =>
    outcome.kind === 'reply' ? outcome.reply.results.map(textRows) : outcome.kind;

  test('reads of each batch what that batch wants to read', async () => {
    const connection = await open();
    const batch = (who: string): readonly Statement[] => [
      { ...q('select $1::text', who), ignoreRows: true },
      q('select $1::text', who),
    ];
    const outcomes = await Promise.all(['a', 'b', 'c'].map((who) => follow(connection, batch(who))));
    expect(outcomes.map(rowsOf)).toEqual(['a', 'b', 'c'].map((who) => [[], [[who]]]));
  });

  test('a batch that leaves its transaction open takes the connection along: nobody runs inside it', async () => {
    const connection = await open();
    await db().script('drop table if exists left_open; create table left_open (id int)');
    const outcomes = await Promise.all([
      follow(connection, [q('begin')]),
      follow(connection, [q('insert into left_open values (1)')]),
      follow(connection, [q('select 1')]),
    ]);
    const lost = { kind: 'lost', message: 'a batch left its transaction open before others' };
    expect(outcomes).toMatchObject([lost, lost, lost]);
    expect(connection.isOpen).toBe(false);
  });

  test('alone, a batch may leave its transaction open: whoever holds the connection goes on in it', async () => {
    const connection = await open();
    expect(await connection.execute([q('begin')])).toMatchObject({ kind: 'reply' });
    expect(connection.status).toBe('T');
    expect(await connection.script('rollback')).toMatchObject({ kind: 'reply' });
    expect(connection.status).toBe('I');
  });

  test('that is busy is not asked anything else', async () => {
    const connection = await open();
    const first = connection.execute([q('select 1')]);
    await expect(connection.execute([q('select 2')])).rejects.toThrow('busy');
    await expect(connection.script('select 2')).rejects.toThrow('busy');
    expect(rowsOf(await first)).toEqual([[['1']]]);
  });

  test('that has ended answers everybody with the reason', async () => {
    const connection = await open();
    const running = connection.execute([q('select pg_sleep(60)')]);
    connection.destroy('enough');
    const lost = { kind: 'lost', message: 'enough' };
    expect(await running).toMatchObject(lost);
    expect(await Promise.all([connection.execute([q('select 1')]), follow(connection, [q('select 1')])])).toMatchObject(
      [lost, lost],
    );
    expect(await connection.script('select 1')).toMatchObject(lost);
  });
});
