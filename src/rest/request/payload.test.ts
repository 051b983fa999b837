import { describe, expect, test } from 'vitest';
import type { Action } from './action.ts';
import { DEEPEST_JSON } from './json-scan.ts';
import { parseContentType } from './media-type.ts';
import { type PayloadUse, parsePayload, takesPayload } from './payload.ts';

const insert: PayloadUse = { action: { kind: 'insert' }, columns: undefined };
const call: PayloadUse = { action: { kind: 'call', by: 'post' }, columns: undefined };

/** The payload with its bytes as text, or the error. */
function parse(body: string | Uint8Array, contentType: string | undefined, use: PayloadUse): unknown {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const parsed = parsePayload(bytes, parseContentType(contentType), use);
  if (!parsed.ok) return parsed.error;
  return 'bytes' in parsed.value
    ? { ...parsed.value, bytes: Buffer.from(parsed.value.bytes).toString() }
    : parsed.value;
}

const invalid = (kind: string) => ({ kind: 'body-invalid', problem: { kind } });

describe('JSON', () => {
  test('an object and an array of objects pass as they came', () => {
    expect(parse(' {"b":1,"a":2} ', 'application/json', insert)).toEqual({
      kind: 'json',
      bytes: ' {"b":1,"a":2} ',
      isArray: false,
      keys: ['b', 'a'],
    });
    expect(parse('[{"a":1},{"a":2}]', undefined, insert)).toEqual({
      kind: 'json',
      bytes: '[{"a":1},{"a":2}]',
      isArray: true,
      keys: ['a'],
      alike: { keys: ['a'], rows: 2, lines: Buffer.from('1\n2\n') },
    });
    expect(parse('[]', undefined, insert)).toEqual({ kind: 'json', bytes: '[]', isArray: true, keys: [] });
    expect(parse('{}', undefined, insert)).toEqual({ kind: 'json', bytes: '{}', isArray: false, keys: [] });
  });

  test('the very bytes go on, without a copy', () => {
    const bytes = Buffer.from('{"a":1}');
    const parsed = parsePayload(bytes, { kind: 'json' }, insert);
    expect(parsed.ok && parsed.value.kind === 'json' && parsed.value.bytes).toBe(bytes);
  });

  test.each(['', ' ', '{', 'x', '{"a":1,}'])('%j is no row', (body) => {
    expect(parse(body, undefined, insert)).toEqual(invalid('json-invalid'));
  });

  test('keys must match and depth has a bound', () => {
    expect(parse('[{"a":1},{"b":1}]', undefined, insert)).toEqual(invalid('keys-differ'));
    expect(parse('[1]', undefined, insert)).toEqual(invalid('keys-differ'));
    expect(parse('['.repeat(5000), undefined, insert)).toEqual({
      kind: 'body-invalid',
      problem: { kind: 'json-too-deep', limit: DEEPEST_JSON },
    });
  });

  test.each(['1', '"x"', 'null', 'true'])('%s is no row, and no error', (body) => {
    expect(parse(body, undefined, insert)).toEqual({ kind: 'json', bytes: '[]', isArray: true, keys: [] });
  });

  test('a function may take a single value as its whole body', () => {
    expect(parse('"x"', undefined, call)).toEqual({ kind: 'json', bytes: '"x"', isArray: false, keys: [] });
  });

  test('a call without a body has no arguments', () => {
    expect(parse('', undefined, call)).toEqual({ kind: 'json', bytes: '{}', isArray: false, keys: [] });
    expect(parse('', undefined, { ...call, columns: ['a'] })).toEqual({ kind: 'json', bytes: '{}', isArray: false });
    expect(parse(' ', undefined, call)).toEqual(invalid('json-invalid'));
  });

  test('with columns nobody looks inside', () => {
    const some = { columns: ['a'] };
    expect(parse(' \n{"a":', undefined, { ...insert, ...some })).toEqual({
      kind: 'json',
      bytes: ' \n{"a":',
      isArray: false,
    });
    expect(parse('[{"a":1},{"b":1}]', undefined, { ...insert, ...some })).toEqual({
      kind: 'json',
      bytes: '[{"a":1},{"b":1}]',
      isArray: true,
    });
    expect(parse('', undefined, { action: { kind: 'update' }, ...some })).toEqual({
      kind: 'json',
      bytes: '',
      isArray: true,
    });
    // PUT has no columns
    expect(parse('{"a":', undefined, { action: { kind: 'upsert-one' }, ...some })).toEqual(invalid('json-invalid'));
  });
});

describe('other types', () => {
  test('CSV becomes JSON', () => {
    const json = { kind: 'json', bytes: '[{"a":"1","b":null}]', isArray: true, keys: ['a', 'b'], fromCsv: true };
    expect(parse('a,b\n1,NULL', 'text/csv', insert)).toEqual(json);
    expect(parse('a,b\n1,NULL', 'text/csv; charset=utf-8', call)).toEqual(json);
    expect(parse('a,b\n1', 'text/csv', insert)).toEqual(invalid('fields-differ'));
  });

  test('a form keeps its fields', () => {
    const fields = [
      ['a', 'x y'],
      ['b', 'é'],
      ['a', '2'],
    ];
    expect(parse('a=x+y&b=%C3%A9&a=2', 'application/x-www-form-urlencoded', insert)).toEqual({ kind: 'form', fields });
    expect(parse('a=x+y&b=é&a=2', 'application/x-www-form-urlencoded', call)).toEqual({ kind: 'form', fields });
    expect(parse('', 'application/x-www-form-urlencoded', insert)).toEqual({ kind: 'form', fields: [] });
  });

  test.each([
    ['text/plain', 'text'],
    ['text/xml', 'xml'],
    ['application/octet-stream', 'bytea'],
  ])('%s is for functions', (type, as) => {
    expect(parse('<x/>', type, call)).toEqual({ kind: 'raw', bytes: '<x/>', as });
    expect(parse('', type, call)).toEqual({ kind: 'raw', bytes: '', as });
    expect(parse('<x/>', type, insert)).toEqual({ kind: 'content-type-unsupported', contentType: type });
  });

  test.each(['image/png', 'application/geo+json', 'application/vnd.pgrst.object+json', '*/*', 'nonsense'])(
    '%s is for nobody',
    (type) => {
      for (const use of [insert, call])
        expect(parse('{}', type, use)).toEqual({ kind: 'content-type-unsupported', contentType: type });
    },
  );
});

test('only writes and calls by POST have a body', () => {
  const having: Action[] = [
    { kind: 'insert' },
    { kind: 'update' },
    { kind: 'upsert-one' },
    { kind: 'call', by: 'post' },
  ];
  const without: Action[] = [
    { kind: 'read', headOnly: false },
    { kind: 'delete' },
    { kind: 'call', by: 'get' },
    { kind: 'call', by: 'head' },
    { kind: 'describe', headOnly: false },
    { kind: 'info' },
  ];
  expect(having.map(takesPayload)).toEqual(having.map(() => true));
  expect(without.map(takesPayload)).toEqual(without.map(() => false));
});
