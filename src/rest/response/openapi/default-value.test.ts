import { expect, test } from 'vitest';
import { defaultValue } from './default-value.ts';

test.each<[expression: string, type: string, value: unknown]>([
  ["'foo'::text", 'text', 'foo'],
  ["'it''s'::character varying", 'character varying', "it's"],
  ["''::text", 'text', ''],
  [String.raw`E'a\\b'::text`, 'text', 'a\\b'],
  ["'a'::bpchar", 'character', 'a'],
  ["'draft'::test.project_state", 'test.project_state', 'draft'],
  [`'x'::"My Schema"."My ""type"""`, '"My Schema"."My ""type"""', 'x'],
  ["'2024-01-31'::date", 'date', '2024-01-31'],
  ["'00:00:00'::time(3) without time zone", 'time without time zone', '00:00:00'],
  ['42', 'integer', 42],
  ["'-1'::integer", 'integer', -1],
  ['(-1)', 'smallint', -1],
  ["'9007199254740991'::bigint", 'bigint', 9007199254740991],
  ['1.50', 'numeric', 1.5],
  ["'-0.5'::numeric(5,2)", 'numeric', -0.5],
  ['(0)::double precision', 'double precision', 0],
  ["'1e3'::real", 'real', 1000],
  ['true', 'boolean', true],
  ["'f'::boolean", 'boolean', false],
  ['\'{"a": [1]}\'::jsonb', 'jsonb', { a: [1] }],
  ["'null'::json", 'json', null],
  ["'{}'::text[]", 'text[]', []],
  [`'{a,"b c","d\\"e",NULL}'::text[]`, 'text[]', ['a', 'b c', 'd"e', null]],
  ["'{1, 2}'::integer[]", 'integer[]', [1, 2]],
  ["ARRAY['a'::text, 'b,c'::text]", 'text[]', ['a', 'b,c']],
  ['ARRAY[1, 2]', 'integer[]', [1, 2]],
  ['ARRAY[]::text[]', 'text[]', []],
])('%s of %s is a literal', (expression, type, value) => {
  expect(defaultValue(expression, type)).toEqual(value);
});

test.each<[expression: string, type: string]>([
  ['now()', 'timestamp with time zone'],
  ['CURRENT_TIMESTAMP', 'timestamp with time zone'],
  ["nextval('test.items_id_seq'::regclass)", 'integer'],
  ['gen_random_uuid()', 'uuid'],
  ["('now'::text)::date", 'date'],
  ["'now'::text::date", 'date'],
  ["'a'::text || 'b'::text", 'text'],
  ["('a'::text || 'b'::text)", 'text'],
  ["'2020-01-01'::timestamp AT TIME ZONE 'utc'", 'timestamp with time zone'],
  ['NULL::text', 'text'],
  ['NULL', 'integer'],
  ["'9007199254740993'::bigint", 'bigint'],
  ["'NaN'::numeric", 'numeric'],
  ["'Infinity'::real", 'real'],
  ["'{not json'::json", 'json'],
  ["'{{1},{2}}'::integer[]", 'integer[]'],
  ["'{1,'::integer[]", 'integer[]'],
  ["ARRAY[now(), 'x']", 'text[]'],
  ['1 + 1', 'integer'],
  ['', 'text'],
  ["'", 'text'],
])('%s of %s is computed, or not a value JSON has', (expression, type) => {
  expect(defaultValue(expression, type)).toBeUndefined();
});
