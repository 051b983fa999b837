import { describe, expect, test } from 'vitest';
import type { LayerTable } from '../../layer-ports/layer.ts';
import { parseAggregate } from './aggregate-request.ts';

const column = (name: string, type: string) => ({ name, type, label: null, description: null });
const COLUMNS = [
  column('kind', 'text'),
  column('height', 'integer'),
  column('width', 'double precision'),
  column('day', 'date'),
  column('seen', 'timestamp with time zone'),
  column('raw', 'bytea'),
  column('doc', 'jsonb'),
];
const TABLE = { columns: COLUMNS, geometry: { column: 'geom' } } as unknown as LayerTable;
const parsed = (query: Record<string, unknown>, table = TABLE) => {
  const read = parseAggregate(query, table);
  return read.ok ? read.value : read.error.detail;
};

describe('the query of aggregates', () => {
  test.each([
    [{}, { grouping: undefined, measure: { name: 'count', column: undefined }, limit: 20, order: 'measure' }],
    [{ group: 'kind' }, { grouping: { kind: 'values' }, limit: 20, order: 'measure' }],
    [
      { group: 'kind', sortby: 'group', limit: '100' },
      { order: 'group', limit: 100 },
    ],
    [
      { group: 'height', bins: '100' },
      { grouping: { kind: 'bins', bins: 100 }, limit: 1600, order: 'group' },
    ],
    [
      { group: 'height', across: 'width' },
      { grouping: { kind: 'cells', bins: 20 }, limit: 1600, order: 'group' },
    ],
    [{ group: 'height', across: 'width', bins: '40' }, { grouping: { kind: 'cells', bins: 40 } }],
    [
      { group: 'day', unit: 'auto' },
      { grouping: { kind: 'times', unit: 'auto' }, limit: 200, order: 'measure' },
    ],
    [
      { group: 'seen', unit: 'month', limit: '1000' },
      { grouping: { kind: 'times', unit: 'month' }, limit: 1000 },
    ],
    [{ measure: 'avg', of: 'height' }, { measure: { name: 'avg' } }],
    [{ measure: 'max', of: 'day' }, { measure: { name: 'max' } }],
    [{ measure: 'min', of: 'seen' }, { measure: { name: 'min' } }],
    [{ measure: 'distinct', of: 'kind' }, { measure: { name: 'distinct' } }],
    [
      { bbox: '1,2,3,4', filter: 'height = 1' },
      { bbox: [1, 2, 3, 4], filter: { kind: 'compare' } },
    ],
  ])('%j', (query, expected) => {
    expect(parsed(query)).toMatchObject(expected);
  });

  test.each([
    [{ group: ['a', 'b'] }, 'The parameter "group" is given more than once.'],
    [{ group: 'nothing' }, 'group: there is no column "nothing".'],
    [{ group: 'raw' }, 'group: a column of bytes cannot be counted.'],
    [{ group: 'doc' }, 'group: a column of json cannot be counted.'],
    [{ bins: '5' }, 'bins, unit and across go with group.'],
    [{ unit: 'day' }, 'bins, unit and across go with group.'],
    [{ across: 'height' }, 'bins, unit and across go with group.'],
    [{ group: 'height', bins: '5', unit: 'day' }, 'bins are for numbers and unit for dates: one of both.'],
    [{ group: 'day', unit: 'decade' }, 'unit: auto, year, quarter, month, week, day, hour.'],
    [{ group: 'height', unit: 'day' }, 'unit: the column holds neither dates nor times.'],
    [{ group: 'day', unit: 'day', across: 'height' }, 'across goes with bins.'],
    [{ group: 'height', across: 'width', bins: '41' }, 'bins: a number from 1 to 40.'],
    [{ group: 'height', across: 'kind' }, 'across: both columns have to hold numbers.'],
    [{ group: 'kind', across: 'height' }, 'across: both columns have to hold numbers.'],
    [{ group: 'height', bins: '101' }, 'bins: a number from 1 to 100.'],
    [{ group: 'height', bins: '0' }, 'bins: a number from 1 to 100.'],
    [{ group: 'kind', bins: '5' }, 'bins: the column holds no numbers.'],
    [{ group: 'kind', limit: '101' }, 'limit: a number from 1 to 100.'],
    [{ group: 'day', unit: 'day', limit: '1001' }, 'limit: a number from 1 to 1000.'],
    [{ sortby: 'height' }, 'sortby: measure or group.'],
    [{ measure: 'mode' }, 'measure: count, sum, avg, min, max, median, distinct.'],
    [{ of: 'height' }, 'of: count is of all rows.'],
    [{ measure: 'sum' }, 'of: sum needs a column.'],
    [{ measure: 'sum', of: 'day' }, 'of: sum needs a column of numbers.'],
    [{ measure: 'max', of: 'kind' }, 'of: max needs a column of numbers.'],
    [{ measure: 'sum', of: 'nothing' }, 'of: there is no column "nothing".'],
    [{ bbox: '1,2' }, 'bbox is four or six numbers, lower before upper.'],
    [{ filter: '(' }, expect.stringContaining('filter')],
  ])('%j is refused', (query, said) => {
    expect(parsed(query)).toEqual(said);
  });

  test('rows of a table have no places', () => {
    expect(parsed({ bbox: '1,2,3,4' }, { columns: COLUMNS } as unknown as LayerTable)).toBe(
      'bbox: the rows of this table have no places.',
    );
  });
});
