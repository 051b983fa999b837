import { describe, expect, test } from 'vitest';
import {
  changeDashboard,
  changeHistory,
  type Dashboard,
  dashboardData,
  isComplete,
  MAX_WIDGETS,
  newWidget,
  nextId,
  parseDashboard,
} from './dashboard.ts';

const three: Dashboard = {
  widgets: [newWidget('map', 'w1', 7), newWidget('counter', 'w2', 7), newWidget('text', 'w3')],
};
const ids = ({ widgets }: Dashboard): string => widgets.map(({ id }) => id).join(' ');

test('what was written is read again', () => {
  expect(parseDashboard(JSON.parse(JSON.stringify(dashboardData(three))))).toEqual(three);
});

test('whatever else there is, is no dashboard, and what is not known of one is left out', () => {
  for (const data of [null, [], {}, { widgets: [] }, { type: 'survest-dashboard' }])
    expect(parseDashboard(data)).toBeUndefined();
  const read = parseDashboard({
    type: 'survest-dashboard',
    widgets: [{ kind: 'bar', width: 99, height: -1, layer: 'x', measure: 'mode' }, { kind: 'rocket' }, 5],
  });
  expect(read?.widgets).toEqual([{ ...newWidget('bar', 'w1'), width: 12, height: 1 }]);
  const many = Array.from({ length: 200 }, () => ({ kind: 'text' }));
  expect(parseDashboard({ type: 'survest-dashboard', widgets: many })?.widgets).toHaveLength(MAX_WIDGETS);
});

describe('changes', () => {
  test('a widget is moved among the others, and not beyond them', () => {
    const moved = (id: string, to: number): string => ids(changeDashboard(three, { kind: 'move', id, to }));
    expect([moved('w1', 2), moved('w3', 0), moved('w2', 99), moved('w2', -1)]).toEqual([
      'w2 w3 w1',
      'w3 w1 w2',
      'w1 w3 w2',
      'w2 w1 w3',
    ]);
    expect(changeDashboard(three, { kind: 'move', id: 'w2', to: 1 })).toBe(three);
  });

  test('a size stays within the grid', () => {
    const sized = changeDashboard(three, { kind: 'size', id: 'w2', width: 40, height: 0 });
    expect(sized.widgets[1]).toMatchObject({ width: 12, height: 1 });
  });

  test('a new one has an id of its own', () => {
    expect(nextId(three)).toBe('w4');
    expect(nextId({ widgets: [] })).toBe('w1');
  });

  test('every step is undone and done again; one drag is one step', () => {
    let history = { now: three, before: [], after: [] } as Parameters<typeof changeHistory>[0];
    const drag = (to: number, isSameStep: boolean): void => {
      history = changeHistory(history, { kind: 'change', change: { kind: 'move', id: 'w1', to }, isSameStep });
    };
    drag(1, false);
    drag(2, true);
    expect(ids(history.now)).toBe('w2 w3 w1');
    history = changeHistory(history, { kind: 'undo' });
    expect(history.now).toBe(three);
    history = changeHistory(history, { kind: 'redo' });
    expect(ids(history.now)).toBe('w2 w3 w1');
    expect(changeHistory({ now: three, before: [], after: [] }, { kind: 'undo' }).now).toBe(three);
  });
});

test('a widget is complete once it has what its kind needs', () => {
  const bar = newWidget('bar', 'w1', 7);
  expect(isComplete(bar)).toBe(false);
  expect(isComplete({ ...bar, column: 'kind' })).toBe(true);
  expect(isComplete({ ...bar, column: 'kind', measure: 'sum' })).toBe(false);
  expect(isComplete(newWidget('counter', 'w1', 7))).toBe(true);
  expect(isComplete(newWidget('counter', 'w1'))).toBe(false);
  expect(isComplete({ ...newWidget('scatter', 'w1', 7), column: 'a' })).toBe(false);
  expect(isComplete(newWidget('text', 'w1'))).toBe(true);
});
