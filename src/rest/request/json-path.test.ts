import { describe, expect, test } from 'vitest';
import type { JsonStep } from './api-request.ts';
import { Cursor } from './cursor.ts';
import { field } from './json-path.ts';

const key = (arrow: '->' | '->>', name: string): JsonStep => ({ arrow, operand: { kind: 'key', key: name } });
const index = (arrow: '->' | '->>', number: number): JsonStep => ({ arrow, operand: { kind: 'index', index: number } });

describe('the way into a value', () => {
  test.each<[string, JsonStep[]]>([
    ['data', []],
    ['data->a', [key('->', 'a')]],
    ['data->>a', [key('->>', 'a')]],
    ['data->a->>b', [key('->', 'a'), key('->>', 'b')]],
    ['data->0->>1', [index('->', 0), index('->>', 1)]],
    ['data->>-1', [index('->>', -1)]],
    ['data->-0', [index('->', 0)]],
    ['data->1::int', [index('->', 1)]],
    ['data->1.sum()', [index('->', 1)]],
    ['data->1,x', [index('->', 1)]],
    ['data->0)', [index('->', 0)]],
    // digits with more behind them are a key
    ['data->0xy1', [key('->', '0xy1')]],
    ['data->23-xy-45', [key('->', '23-xy-45')]],
    ['data->>!@#$%^&*_+=', [key('->>', '!@#$%^&*_+=')]],
    ['data->a b', [key('->', 'a b')]],
    ['data->"a.b->c"', [key('->', 'a.b->c')]],
    ['data->"1"', [key('->', '1')]],
    ['data->a-b->c', [key('->', 'a-b'), key('->', 'c')]],
    ['data->😀', [key('->', '😀')]],
    // beyond PostgreSQL's integers there is no element, and no error either
    ['data->99999999999999999999', [index('->', 2147483647)]],
    ['data->-99999999999999999999', [index('->', -2147483647)]],
  ])('%s', (text, path) => {
    expect(field(new Cursor(text))).toEqual({ name: 'data', path });
  });

  test.each(['data->', 'data->>', 'data->>--34', 'data->>-78xy', 'data->(k', 'data->a->', 'data->"open'])(
    '%s is none',
    (text) => {
      expect(field(new Cursor(text))).toBeUndefined();
    },
  );
});
