// References of drafts, over a database that tests hold.

import { expect, test } from 'vitest';
import { err, ok } from '../../../kernel/result.ts';
import type { Session, Statement } from '../../../pg/driver.ts';
import { toStatement } from '../../fields/bound-value.ts';
import { map } from '../../kinds/map/fields.ts';
import type { Draft, Given } from './draft.ts';
import { referenceFailure, resolveReferences } from './resolve-references.ts';

const fieldOf = (name: string) => {
  const field = map.byName.get(name);
  if (field === undefined) throw new Error(name);
  return field;
};
const draft = (values: Record<string, Given>): Draft =>
  new Map(Object.entries(values).map(([name, given]) => [fieldOf(name), given]));

/** `rows`: of each statement, as `[id, column, text]`. */
async function resolve(drafts: readonly Draft[], ...rows: readonly (readonly (readonly [number, string, string])[])[]) {
  const asked: Statement[] = [];
  const session = {
    async execute(statements: readonly Statement[]) {
      asked.push(...statements);
      return ok(rows.map((found) => ({ rows: [[Buffer.from(JSON.stringify(found))]] })));
    },
  } as unknown as Session;
  const found = await resolveReferences(drafts, session, (fragment) => toStatement(fragment, { role: 'r', base: 'b' }));
  if (!found.ok) throw new Error('not resolved');
  const textOf = (name: string, given: Given) => found.value.textOf(fieldOf(name), given);
  return { resolved: found.value, asked, textOf };
}
const byName = (column: string, name: string) => ({ by: 'name', column, name }) as const;

test('is one statement for each table, however many drafts, and none where nothing is to be looked up', async () => {
  const values = draft({
    title: { kind: 'value', text: 'x' },
    category: { kind: 'reference', to: null },
    // A new keyword is made of its name.
    keywords: { kind: 'references', to: [byName('name', 'water')] },
  });
  const nothing = await resolve([values]);
  expect(nothing.asked).toEqual([]);
  expect(nothing.textOf('title', { kind: 'value', text: 'x' })).toEqual(ok('x'));
  expect(nothing.textOf('category', { kind: 'reference', to: null })).toEqual(ok(null));
  expect(nothing.textOf('keywords', { kind: 'references', to: [byName('name', 'water')] })).toEqual(ok('{"water"}'));
  const water: Given = { kind: 'reference', to: byName('identifier', 'water') };
  const seven: Given = { kind: 'reference', to: { by: 'id', id: 7 } };
  const { asked, textOf } = await resolve(
    [
      draft({ category: water }),
      draft({ category: seven, regions: { kind: 'references', to: [{ by: 'id', id: 1 }] } }),
    ],
    [
      [7, 'identifier', 'roads'],
      [8, 'identifier', 'water'],
      // Of two with the same text the older one is meant.
      [9, 'identifier', 'water'],
    ],
    [[1, 'code', 'DE']],
  );
  expect(asked).toHaveLength(2);
  expect([textOf('category', water), textOf('category', seven)]).toEqual([ok('8'), ok('7')]);
  expect(textOf('regions', { kind: 'references', to: [{ by: 'id', id: 1 }] })).toEqual(ok('{1}'));
});

test('what leads nowhere is told by its field, with as much of its name as anybody reads', async () => {
  const lost: Given = { kind: 'reference', to: byName('identifier', 'x'.repeat(200)) };
  const all = draft({ category: lost, regions: { kind: 'references', to: [{ by: 'id', id: 5 }] } });
  const { resolved } = await resolve([all], [], []);
  expect(referenceFailure(all, resolved)).toEqual({
    kind: 'invalid-fields',
    fields: {
      category: [`Invalid pk "${'x'.repeat(100)}" - category object does not exist.`],
      regions: ['Invalid pk "5" - region object does not exist.'],
    },
  });
  expect(referenceFailure(draft({ title: { kind: 'value', text: 'x' } }), resolved)).toBeUndefined();
});

test('a keyword may be named by its id, and is its name then', async () => {
  const given: Given = { kind: 'references', to: [{ by: 'id', id: 3 }, byName('name', 'new')] };
  const { textOf } = await resolve(
    [draft({ keywords: given })],
    [
      [3, 'name', 'water'],
      [4, 'slug', 'roads'],
    ],
  );
  expect(textOf('keywords', given)).toEqual(ok('{"water","new"}'));
  expect(textOf('keywords', { kind: 'references', to: [{ by: 'id', id: 4 }] })).toMatchObject({ ok: false });
});

test('trouble of the database is passed on', async () => {
  const session = { execute: async () => err({ kind: 'lost', message: 'x' }) } as unknown as Session;
  const wanted = draft({ category: { kind: 'reference', to: { by: 'id', id: 1 } } });
  expect(
    await resolveReferences([wanted], session, (fragment) => toStatement(fragment, { role: 'r', base: 'b' })),
  ).toEqual(err({ kind: 'database', error: { kind: 'lost', message: 'x' } }));
});
