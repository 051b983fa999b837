import { expect, test } from 'vitest';
import { parseCqlJson, parseExpressionJson } from '../../src/geo/cql/cql-json.ts';
import { parseExpressionText } from '../../src/geo/cql/cql-text.ts';
import { CLEANINGS, cleanExpression, columnWord, FUNCTION_CALLS, targetFilter } from './clean-expression.ts';

test('every cleaning is an expression that the portal reads', () => {
  for (const how of CLEANINGS)
    expect(parseExpressionJson(cleanExpression('a', how, 'x', ''))).toMatchObject({ ok: true });
  expect(cleanExpression('a', 'replace', '', 'b')).toBeUndefined();
  expect(cleanExpression('', 'trim', '', '')).toBeUndefined();
});

test('rows are meant by name, or by the filter and where they lie', () => {
  expect(parseCqlJson(targetFilter({ kind: 'some', key: 'fid', names: [1, 2] }))).toMatchObject({ ok: true });
  const filter = { op: '=', args: [{ property: 'a' }, 1] };
  expect(targetFilter({ kind: 'all', filter: undefined, extent: undefined })).toBeUndefined();
  expect(targetFilter({ kind: 'all', filter, extent: undefined })).toBe(filter);
  expect(parseCqlJson(targetFilter({ kind: 'all', filter, extent: [1, 2, 3, 4] }))).toMatchObject({
    ok: true,
    value: { kind: 'and', parts: [{ kind: 'compare' }, { kind: 'spatial' }] },
  });
});

test('a column is written so that it is read as one', () => {
  for (const name of ['name', 'größe_m²', 'a b', 'not', 'say "so"', '_1'])
    expect(parseExpressionText(columnWord(name))).toEqual({ ok: true, value: { kind: 'property', name } });
});

test('functions to choose from are known ones', () => {
  for (const call of FUNCTION_CALLS)
    expect(
      parseExpressionText(
        call
          .replace(/\((?=[,) ])/, '(a')
          .replaceAll(', )', ', b)')
          .replaceAll(', ,', ', b,'),
      ),
    ).toMatchObject({ ok: true });
});
