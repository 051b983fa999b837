import { expect, test } from 'vitest';
import { columnClass } from './column-class.ts';

test.each([
  ['bigint', 'integer'],
  ['numeric', 'number'],
  ['numeric(10,2)', 'number'],
  ['numeric(5,-2)', 'number'],
  ['double precision', 'number'],
  ['timestamp without time zone', 'time'],
  ['timestamp(3) with time zone', 'time'],
  ['date', 'date'],
  ['jsonb', 'json'],
  ['bytea', 'bytes'],
  ['character varying(20)', 'text'],
  // What holds several of them is none of them, and a type of somebody's own is not what its name begins with.
  ['real[]', 'json'],
  ['numeric(10,2)[]', 'json'],
  ['integer[]', 'json'],
  ['timestamp with time zone[]', 'json'],
  ['date[]', 'json'],
  ['realm', 'text'],
  ['numeric_grade', 'text'],
  ['timestamped', 'text'],
])('%s is %s to clients', (type, expected) => {
  expect(columnClass(type)).toBe(expected);
});
