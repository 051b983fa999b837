import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Statement } from '../../pg/driver.ts';
import { askVisible, readVisible } from './ask-visible.ts';

const BEFORE: Statement = { text: `select set_config('test.before', '1', true)`, params: [] };

onEachEngine('what a caller may know of a schema', {}, (db) => {
  test('is its comment, and what is in it, unless privileges do not count', async () => {
    await db().script(`drop schema if exists seen cascade; create schema seen; comment on schema seen is 'An API';
      create table seen.thing (n integer)`);
    const ask = (mode: 'follow-privileges' | 'ignore-privileges', schema = 'seen') =>
      askVisible(db().driver, [BEFORE], { mode, schema }, {});
    expect(await ask('ignore-privileges')).toEqual({ ok: true, value: { comment: 'An API', objects: undefined } });
    const followed = await ask('follow-privileges');
    if (!followed.ok) throw new Error(JSON.stringify(followed.error));
    expect(followed.value.comment).toBe('An API');
    expect(followed.value.objects?.tables?.toString()).toContain('thing');
    expect(
      await askVisible(
        db().driver,
        [{ text: 'select 1 / 0', params: [] }],
        { mode: 'ignore-privileges', schema: 'seen' },
        {},
      ),
    ).toMatchObject({
      ok: false,
      error: { sqlstate: '22012' },
    });
  });
});

test('nothing is known of what has no row, and nothing is in what has none', () => {
  expect(readVisible('ignore-privileges', [])).toEqual({ comment: null, objects: undefined });
  expect(readVisible('follow-privileges', [[null, null, null]])).toEqual({
    comment: null,
    objects: { tables: null, routines: null },
  });
  const [tables, routines] = [Buffer.from('{1}'), Buffer.from('{2}')];
  expect(readVisible('follow-privileges', [[Buffer.from('ä'), tables, routines]])).toEqual({
    comment: 'ä',
    objects: { tables, routines },
  });
});
