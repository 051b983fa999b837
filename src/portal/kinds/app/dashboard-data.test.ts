import { expect, test } from 'vitest';
import { DASHBOARD, dashboardFault, MAX_WIDGETS } from './dashboard-data.ts';

const bar = { id: 'w1', kind: 'bar', title: '', width: 4, height: 4, layer: 7, column: 'kind', measure: 'count' };
const board = (...widgets: readonly unknown[]) => ({ type: DASHBOARD, version: 1, widgets });

test('a dashboard is taken, and whatever is none', () => {
  const text = { id: 'w2', kind: 'text', title: 'Hello', width: 12, height: 1, text: 'World' };
  for (const data of [board(bar, text), board(), { widgets: [1] }, null, 'text', [], { type: 'survest-story' }])
    expect(dashboardFault(data)).toBeUndefined();
});

test.each([
  ['another version', { ...board(), version: 2 }, 'version'],
  ['no list', { ...board(), widgets: {} }, 'list'],
  ['too many', board(...Array.from({ length: MAX_WIDGETS + 1 }, () => bar)), `${MAX_WIDGETS}`],
  ['no object', board(5), 'Widget 1'],
  ['the same id twice', board(bar, bar), 'Widget 2'],
  ['a member that is not known', board({ ...bar, onclick: 'x' }), 'onclick'],
  ['a kind that is not known', board({ ...bar, kind: 'rocket' }), 'kind'],
  ['no layer', board({ ...bar, layer: undefined }), 'layer'],
  ['a layer by name', board({ ...bar, layer: 'trees' }), 'layer'],
  ['no column', board({ ...bar, column: '' }), 'column'],
  ['too wide', board({ ...bar, width: 13 }), 'width'],
  ['no title', board({ ...bar, title: 5 }), 'title'],
  ['a scatter plot of one column', board({ ...bar, kind: 'scatter' }), 'across'],
  ['a measure that is not known', board({ ...bar, measure: 'mode' }), 'measure'],
  ['too many groups', board({ ...bar, groups: 1000 }), 'groups'],
  ['columns that are no list', board({ ...bar, columns: 'a' }), 'columns'],
])('%s is refused by name', (_, data, said) => {
  expect(dashboardFault(data)).toContain(said);
});
