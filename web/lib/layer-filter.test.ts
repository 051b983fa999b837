import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeText } from './i18n/text.ts';
import {
  allOf,
  asked,
  type Conditions,
  filterCql,
  filterParameters,
  filterText,
  layerFeatureFilter,
  parseLayerFilter,
} from './layer-filter.ts';
import { mapFilter, type TableFilter } from './table-filter.ts';

const oak: TableFilter = { column: 'species', operator: 'is', value: 'oak', kind: 'text' };
const tall: TableFilter = { column: 'height', operator: 'more', value: '20', kind: 'number' };
const any: Conditions = { kind: 'conditions', join: 'or', conditions: [oak, tall] };
const FIELDS = { species: 'String', height: 'Number' };

describe('several conditions', () => {
  test('are one filter for the server and one for the map', () => {
    expect(filterCql(any)).toEqual({
      op: 'or',
      args: [
        { op: '=', args: [{ property: 'species' }, 'oak'] },
        { op: '>', args: [{ property: 'height' }, 20] },
      ],
    });
    expect(layerFeatureFilter(any, FIELDS)?.map).toMatchObject(['any', ['all', ['has', 'species'], {}], {}]);
    expect(layerFeatureFilter(allOf(oak), FIELDS)).toEqual({
      map: ['all', ['has', 'species'], ['==', ['to-string', ['get', 'species']], 'oak']],
      cql: { op: '=', args: [{ property: 'species' }, 'oak'] },
    });
  });

  test('a column that is no attribute on the map is the id of features there', () => {
    const told = layerFeatureFilter(allOf({ ...tall, column: 'fid' }), FIELDS);
    expect(JSON.stringify(told?.map)).toContain('["id"]');
  });

  test('are parameters of the rows, quoted where any of them may hold', () => {
    expect(filterParameters(allOf(oak, tall))).toEqual([
      ['species', 'eq.oak'],
      ['height', 'gt.20'],
    ]);
    const odd = { ...oak, value: 'a,b)"c\\' };
    expect(filterParameters({ ...any, conditions: [odd, { ...tall, operator: 'empty' }] })).toEqual([
      ['or', String.raw`(species.eq."a,b)\"c\\",height.is.null)`],
    ]);
    expect(filterParameters({ kind: 'cql', cql: {} })).toBeUndefined();
  });

  test('groups of conditions are one filter for the server, the map and the rows, and stand in parentheses', () => {
    const low: TableFilter = { column: 'height', operator: 'less', value: '3', kind: 'number' };
    const group: Conditions = { ...any, conditions: [oak, allOf(tall, { ...oak, operator: 'is-not', value: 'a,b' })] };
    const nested = allOf(low, group);
    expect(filterCql(nested)).toMatchObject({
      op: 'and',
      args: [{ op: '<' }, { op: 'or', args: [{ op: '=' }, { op: 'and', args: [{ op: '>' }, { op: '<>' }] }] }],
    });
    const other: TableFilter = { ...oak, operator: 'is-not', value: 'a,b' };
    expect(layerFeatureFilter(nested, FIELDS)?.map).toEqual([
      'all',
      mapFilter(low),
      ['any', mapFilter(oak), ['all', mapFilter(tall), mapFilter(other)]],
    ]);
    expect(filterParameters(nested)).toEqual([
      ['height', 'lt.3'],
      ['or', '(species.eq."oak",and(height.gt."20",species.neq."a,b"))'],
    ]);
    expect(filterParameters({ ...any, conditions: [oak, allOf(low, tall)] })).toEqual([
      ['or', '(species.eq."oak",and(height.lt."3",height.gt."20"))'],
    ]);
    expect(filterText(makeText('en'), nested, new Map())).toBe(
      'height is less than 3 and (species is oak or (height is more than 20 and species is not a,b))',
    );
    expect(parseLayerFilter(JSON.parse(JSON.stringify(filterCql(nested))))).toEqual(nested);
  });

  test('a group of one is that one, an empty one is nothing, and deeper ones than anybody reads are used as they are', () => {
    const empty = { ...oak, value: '' };
    expect(asked(allOf(tall, { ...any, conditions: [oak, empty] }))).toEqual(allOf(tall, oak));
    expect(asked(allOf(allOf(empty), allOf(allOf(empty))))).toBeUndefined();
    expect(filterParameters(allOf(allOf(empty), { ...any, conditions: [tall, empty] }))).toEqual([['height', 'gt.20']]);
    const [or, and] = [(...conditions: (TableFilter | Conditions)[]): Conditions => ({ ...any, conditions }), allOf];
    expect(parseLayerFilter(filterCql(and(oak, or(oak, and(oak, tall)))))?.kind).toBe('conditions');
    expect(parseLayerFilter(filterCql(and(oak, or(oak, and(oak, or(oak, tall))))))?.kind).toBe('cql');
    const many = Array.from({ length: 11 }, () => oak);
    expect(parseLayerFilter(filterCql(and(or(...many), or(...many))))?.kind).toBe('cql');
  });

  test('what is not filled in yet asks for nothing', () => {
    const empty = { ...oak, value: '' };
    expect(asked(allOf(empty))).toBeUndefined();
    expect(asked(allOf(empty, tall))).toEqual(allOf(tall));
    expect(filterCql(allOf(empty))).toBeUndefined();
    expect(layerFeatureFilter(allOf(empty), FIELDS)).toBeUndefined();
  });

  test('are said in words', () => {
    const t = makeText('en');
    expect(filterText(t, any, new Map([['height', 'Height']]))).toBe('species is oak or Height is more than 20');
  });
});

describe('a filter that was kept', () => {
  test('comes back as the conditions that it was made of', () => {
    const kinds: readonly TableFilter[] = [
      oak,
      tall,
      { column: 'a', operator: 'contains', value: '50%_\\', kind: 'text' },
      { column: 'a', operator: 'empty', value: '', kind: 'text' },
      { column: 'a', operator: 'is', value: 'true', kind: 'boolean' },
      { column: 'a', operator: 'before', value: '2020-01-31', kind: 'date' },
      { column: 'a', operator: 'is-not', value: 'x', kind: 'text' },
    ];
    for (const one of kinds) expect(parseLayerFilter(filterCql(allOf(one)))).toEqual(allOf(one));
    expect(parseLayerFilter(JSON.parse(JSON.stringify(filterCql(any))))).toEqual(any);
  });

  test('that somebody else wrote is used as it is', () => {
    const within = { op: 's_within', args: [{ property: 'geom' }, { type: 'Point', coordinates: [1, 2] }] };
    const kept = parseLayerFilter(within);
    expect(kept).toEqual({ kind: 'cql', cql: within });
    expect(filterCql(kept)).toBe(within);
    expect(layerFeatureFilter(kept, FIELDS)).toEqual({ map: undefined, cql: within });
    expect(parseLayerFilter({ op: 'and', args: [filterCql(allOf(oak)), within] })?.kind).toBe('cql');
    expect(parseLayerFilter({ op: 'not', args: [filterCql(allOf(oak))] })?.kind).toBe('cql');
    expect(parseLayerFilter('species')).toBeUndefined();
  });

  test('whatever it is, what is read of it means the same to the server', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = parseLayerFilter(value);
        if (read?.kind === 'cql') expect(filterCql(read)).toBe(value);
      }),
    );
  });
});
