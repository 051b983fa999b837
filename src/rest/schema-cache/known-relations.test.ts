import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce } from '../../kernel/in-slices.ts';
import { type KnownRelation, mergeRelations } from './known-relations.ts';

const NO_VIEWS = { showings: new Map(), primary: new Map(), circles: [] };

function relation(oid: number, schema: string, name: string): KnownRelation {
  const columns = { primaryKey: [], columns: new Map() };
  const writable = { insertable: true, updatable: true, deletable: true };
  return {
    oid,
    rowType: oid + 1,
    identifier: { schema, name },
    isView: false,
    columnNames: [],
    table: { schema, name, kind: 'table', description: null, ...writable, ...columns },
  };
}

/** As `order by nspname, relname` has them. */
function byBytes(a: KnownRelation, b: KnownRelation): number {
  const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
  return compare(a.identifier.schema, b.identifier.schema) || compare(a.identifier.name, b.identifier.name);
}

test('relations that were read anew stand where their names belong, whatever is in a name', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
  const names = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '\u{1F5FA}', '\uFFFD'), name), {
    selector: (parts) => parts.join('\0'),
  });
  fc.assert(
    fc.property(names, fc.array(fc.boolean()), (all, isFresh) => {
      const sorted = all.map(([schema, of], oid) => relation(oid, schema, of)).sort(byBytes);
      const fresh = sorted.filter(({ oid }) => isFresh[oid]);
      const before = new Map(sorted.filter(({ oid }) => !isFresh[oid]).map((known) => [known.oid, known]));
      const merged = atOnce(mergeRelations(before, new Set(), fresh, NO_VIEWS));
      expect([...merged.values()]).toEqual(sorted);
    }),
  );
});

test('what changed is taken from what was read, and gone if it was not found', () => {
  const before = [relation(1, 'a', 'gone'), relation(2, 'a', 'old name'), relation(3, 'a', 'same')];
  const renamed = relation(2, 'a', 'zzz');
  const known = new Map(before.map((one) => [one.oid, one]));
  const merged = atOnce(mergeRelations(known, new Set([1, 2]), [renamed], NO_VIEWS));
  expect([...merged.values()]).toEqual([before[2], renamed]);
});
