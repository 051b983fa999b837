// Streams on a real database: what they wait for, and for how long.

import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Statement } from '../../pg/driver.ts';
import { RESPONSE_STATEMENT } from '../query/main-query.ts';
import { JSON_ARRAY, JsonRows } from './json-rows.ts';
import { type StreamEnd, type StreamRun, streamRows } from './stream-rows.ts';

const q = (text: string): Statement => ({ text, params: [] });

/** Nothing goes to disk: the database waits for the reader at once. */
const SMALL = { memory: 1000, file: 0, disk: 0, stalledMs: 60_000 };

onEachEngine('a stream', {}, (db) => {
  function start(
    text: string,
    more: Partial<StreamRun>,
  ): { first: ReturnType<typeof streamRows>; ended: Promise<StreamEnd> } {
    let tell: (end: StreamEnd) => void = () => {};
    const ended = new Promise<StreamEnd>((resolve) => {
      tell = resolve;
    });
    const rows = new JsonRows(JSON_ARRAY, false);
    const work: StreamRun = {
      before: [q(`select set_config('test.scope', 'scope', true)`)],
      main: { ...q(text), into: rows },
      rows,
      total: 'none',
      response: q(RESPONSE_STATEMENT),
      estimate: undefined,
      isolation: 'read committed',
      ending: 'commit',
      patienceMs: 60_000,
      spool: SMALL,
      onStart: () => {},
      onEnd: tell,
      ...more,
    };
    return { first: streamRows(work, db().driver, (run) => run(), {}), ended };
  }

  test('is cut off when its reader takes nothing for as long as the database may wait', async () => {
    const { first, ended } = start(`select repeat('x', 100) as v from generate_series(1, 100000)`, { patienceMs: 20 });
    const began = await first;
    if (!began.ok || typeof began.value !== 'object') throw new Error(JSON.stringify(began));
    const closed = new Promise(
      (resolve) => began.value instanceof Object && began.value.stream?.once('close', resolve),
    );
    expect(await ended).toMatchObject({ how: 'too-slow' });
    await closed;
    // The connection is free, and nothing of the stream is on it.
    expect(await db().query(`select coalesce(current_setting('test.scope', true), '') as scope`)).toEqual([
      { scope: '' },
    ]);
  });

  test('comes whole to a reader that takes it in its own time', async () => {
    const { first, ended } = start(`select n from generate_series(1, 3000) n`, {});
    const began = await first;
    if (!began.ok || typeof began.value !== 'object' || began.value.stream === undefined) throw new Error('no stream');
    const chunks: Buffer[] = [];
    for await (const chunk of began.value.stream) {
      chunks.push(chunk as Buffer);
      await delay(0);
    }
    expect(await ended).toMatchObject({ how: 'complete', rows: 3000, bytes: Buffer.concat(chunks).length });
    expect(JSON.parse(Buffer.concat(chunks).toString())).toHaveLength(3000);
  });

  test('is none where the first part is the whole', async () => {
    const { first } = start('select n from generate_series(1, 99) n', {});
    const began = await first;
    if (!began.ok || typeof began.value !== 'object') throw new Error(JSON.stringify(began));
    expect(began.value.stream).toBeUndefined();
    expect(JSON.parse(began.value.found.body.toString())).toHaveLength(99);
  });
});
