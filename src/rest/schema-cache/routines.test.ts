import { describe, expect, test } from 'vitest';
import { atOnce } from '../../kernel/in-slices.ts';
import type { RoutineRow, TypeRow } from './catalogue-rows.ts';
import { makeRepresentations } from './representations.ts';
import { makeRoutines } from './routines.ts';
import type { Routine } from './schema-cache.ts';
import { makeTypes } from './types.ts';

const TYPES: Readonly<Record<number, string>> = {
  17: 'bytea',
  23: 'integer',
  25: 'text',
  114: 'json',
  142: 'xml',
  1000: 'api.mood',
  1007: 'integer[]',
  1009: 'text[]',
  1042: 'character',
  1014: 'character[]',
  1560: 'bit',
  1561: 'bit[]',
  3802: 'jsonb',
};

describe('what can be called', () => {
  test.each([
    ['no arguments', {}, true],
    ['named arguments', { argumentNames: ['a', 'b'], argumentTypes: [23, 23] }, true],
    ['one unnamed json', { argumentTypes: [114] }, true],
    ['one unnamed jsonb', { argumentTypes: [3802] }, true],
    ['one unnamed text', { argumentTypes: [25] }, true],
    ['one unnamed xml', { argumentTypes: [142] }, true],
    ['one unnamed bytea among named ones', { argumentNames: ['a', ''], argumentTypes: [23, 17] }, true],
    ['one unnamed integer', { argumentTypes: [23] }, true],
    ['an unnamed integer among named ones', { argumentNames: ['a', ''], argumentTypes: [23, 23] }, false],
    ['two unnamed', { argumentTypes: [25, 25] }, false],
    [
      'an unnamed result column',
      { argumentTypes: [23, 23], argumentNames: ['a', ''], argumentModes: ['i', 'o'] },
      true,
    ],
  ] satisfies [string, Partial<RoutineRow>, boolean][])('a function with %s', (_, row, isCallable) => {
    expect(make(row) !== undefined).toBe(isCallable);
  });
});

describe('parameters', () => {
  test('the last so many have a default; results are none', () => {
    const routine = make({
      argumentNames: ['a', 'out', 'b', 'c'],
      argumentModes: ['i', 'o', 'b', 'i'],
      argumentTypes: [23, 23, 25, 1000],
      defaults: 2,
      resultKind: 'record',
    });
    expect(routine?.parameters.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['a', 'integer', true],
      ['b', 'text', false],
      ['c', 'api.mood', false],
    ]);
  });

  test('the variadic one is told', () => {
    const routine = make({ argumentNames: ['v'], argumentModes: ['v'], argumentTypes: [1009] });
    expect(routine?.hasVariadic).toBe(true);
    expect(routine?.parameters[0]?.variadic).toBe(true);
  });

  test.each([
    [1042, 'character varying'],
    [1014, 'character varying[]'],
    [1560, 'bit varying'],
    [1561, 'bit varying[]'],
    [23, 'integer'],
    [1000, 'api.mood'],
  ])('type %i is cast to %s, so that nothing is cut', (type, castType) => {
    expect(make({ argumentNames: ['a'], argumentTypes: [type] })?.parameters[0]?.castType).toBe(castType);
  });
});

describe('results', () => {
  const clients = { oid: 50, schema: 'api', name: 'clients', kind: 'r' } as const;
  const column = (name: string, type: string) => ({ name, baseType: type, nominalType: type, representation: null });

  test.each([
    ['a value', { resultType: 23 }, { kind: 'scalar', type: 'integer' }],
    ['nothing', { resultKind: 'void' }, { kind: 'void' }],
    ['an untyped record', { resultKind: 'record' }, { kind: 'record' }],
    [
      'a row of an exposed relation',
      { resultKind: 'composite', resultRelation: clients },
      { kind: 'composite', relation: { schema: 'api', name: 'clients' }, isAlias: false },
    ],
    [
      'a domain over one',
      { resultKind: 'composite', resultRelation: clients, resultDomain: 'checked' },
      { kind: 'composite', relation: { schema: 'api', name: 'clients' }, isAlias: true },
    ],
    [
      'a composite type',
      { resultKind: 'composite', resultRelation: { oid: 60, schema: 'api', name: 'pair', kind: 'c' } },
      {
        kind: 'composite',
        relation: { schema: 'api', name: 'pair' },
        isAlias: false,
        columns: new Map([
          ['l', column('l', 'integer')],
          ['r', column('r', 'text')],
        ]),
      },
    ],
    [
      'one OUT column, though the result type is the column’s',
      { argumentNames: ['x'], argumentModes: ['o'], argumentTypes: [25], resultType: 25 },
      { kind: 'record', columns: new Map([['x', column('x', 'text')]]) },
    ],
    [
      'OUT columns without names',
      { argumentModes: ['o', 'o'], argumentTypes: [25, 23], resultKind: 'record' },
      {
        kind: 'record',
        columns: new Map([
          ['column1', column('column1', 'text')],
          ['column2', column('column2', 'integer')],
        ]),
      },
    ],
  ] satisfies [string, Partial<RoutineRow>, Routine['returns']['shape']][])('of %s', (_, row, shape) => {
    expect(make(row)?.returns).toEqual({ set: false, shape });
    expect(make({ ...row, returnsSet: true })?.returns).toEqual({ set: true, shape });
  });

  test.each([
    ['text/html', false, 'text/html'],
    ['*/*', false, '*/*'],
    ['text/html', true, undefined],
    ['smallest', false, undefined],
  ])('of the domain %s (set: %s) are of the media type %s', (resultDomain, returnsSet, mediaType) => {
    const { routines, mediaTypes } = makeAll({ resultDomain, returnsSet });
    expect(routines.map((routine) => mediaTypes.get(routine))).toEqual([mediaType]);
  });
});

describe('settings', () => {
  test('are split at the first equals sign', () => {
    expect(make({ settings: ['work_mem=8MB', 'app.filter=a=b', 'app.empty='] })?.settings).toEqual([
      ['work_mem', '8MB'],
      ['app.filter', 'a=b'],
      ['app.empty', ''],
    ]);
  });

  test('tell the isolation level in lower case', () => {
    expect(make({ settings: ['default_transaction_isolation=REPEATABLE READ'] })?.isolation).toBe('repeatable read');
    expect(make({})?.isolation).toBeNull();
  });
});

function make(row: Partial<RoutineRow>): Routine | undefined {
  return makeAll(row).routines[0];
}

function makeAll(row: Partial<RoutineRow>) {
  const routine: RoutineRow = {
    schema: 'api',
    name: 'f',
    description: null,
    kind: 'f',
    volatility: 's',
    settings: null,
    argumentNames: null,
    argumentModes: null,
    argumentTypes: [],
    defaults: 0,
    returnsSet: false,
    expectedRows: 0,
    resultType: 23,
    resultDomain: null,
    resultKind: 'scalar',
    resultRelation: null,
    ...row,
  };
  const types = Object.entries(TYPES).map(
    ([oid, name]): TypeRow => ({
      oid: Number(oid),
      modifier: -1,
      name,
      nominalName: name,
      baseName: name,
      maxLength: null,
      notNull: false,
      default: null,
      enumLabels: null,
      tooDeep: false,
    }),
  );
  const pair = { oid: 60, columnNames: ['l', 'r'], columnTypes: [23, 25], modifiers: [-1, -1] };
  return atOnce(
    makeRoutines({
      routines: [routine],
      composites: new Map([[60, pair]]),
      types: atOnce(makeTypes(types)),
      representations: makeRepresentations([]),
    }),
  );
}
