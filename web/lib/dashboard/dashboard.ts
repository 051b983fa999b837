// Dashboards: a grid of widgets over layers and tables. Read from whatever the portal holds; written as JSON; every way to change one. Pure.

import { MEASURES, type Measure } from '../../api/aggregates.ts';
import { redone, stepTo, type Undoable, undone } from '../undo.ts';
import { COLUMNS, freePlace } from './grid.ts';

const CHARTS = ['bar', 'line', 'pie', 'histogram', 'scatter'] as const;
const CONTROLS = ['choice', 'range', 'date', 'search'] as const;
export const WIDGET_KINDS = ['map', ...CHARTS, 'counter', 'table', 'text', ...CONTROLS] as const;
export type WidgetKind = (typeof WIDGET_KINDS)[number];
export type ChartKind = (typeof CHARTS)[number];

export type Widget = {
  readonly id: string;
  readonly kind: WidgetKind;
  readonly title: string;
  /** Of twelve columns. */
  readonly width: number;
  /** In rows of the grid. */
  readonly height: number;
  /** Id of the layer; undefined: of text. */
  readonly layer: number | undefined;
  readonly column: string | undefined;
  /** The second column of a scatter plot. */
  readonly across: string | undefined;
  readonly measure: Measure;
  /** The column that is measured. */
  readonly of: string | undefined;
  /** Of time: `auto`, `month` … */
  readonly unit: string | undefined;
  /** Of values and classes, how many. */
  readonly groups: number | undefined;
  /** Of a table; undefined: all. */
  readonly columns: readonly string[] | undefined;
  /** In the simple markup of `markup.ts`. */
  readonly text: string | undefined;
};

export type Dashboard = { readonly widgets: readonly Widget[] };

const TYPE = 'survest-dashboard';
export const MAX_WIDGETS = 60;
const MAX_ROWS = 12;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;
const wholeIn = (value: unknown, least: number, most: number): number | undefined =>
  Number.isInteger(value) ? Math.min(most, Math.max(least, Number(value))) : undefined;

/** Undefined: this is no dashboard. */
export function parseDashboard(data: unknown): Dashboard | undefined {
  if (!isObject(data) || data['type'] !== TYPE || !Array.isArray(data['widgets'])) return undefined;
  const widgets = data['widgets'].filter(isObject).slice(0, MAX_WIDGETS);
  return { widgets: widgets.flatMap((widget, i) => parseWidget(widget, `w${i + 1}`) ?? []) };
}

export function parseWidget(widget: Json, otherwise: string): Widget | undefined {
  const kind = WIDGET_KINDS.find((one) => one === widget['kind']);
  if (kind === undefined) return undefined;
  const size = sizeOf(kind);
  return {
    id: textIn(widget['id'], 50) ?? otherwise,
    kind,
    title: textIn(widget['title'], 255) ?? '',
    width: wholeIn(widget['width'], 1, COLUMNS) ?? size.width,
    height: wholeIn(widget['height'], 1, MAX_ROWS) ?? size.height,
    layer: wholeIn(widget['layer'], 1, 2_147_483_647),
    column: textIn(widget['column'], 255),
    across: textIn(widget['across'], 255),
    measure: MEASURES.find((one) => one === widget['measure']) ?? 'count',
    of: textIn(widget['of'], 255),
    unit: textIn(widget['unit'], 20),
    groups: wholeIn(widget['groups'], 1, 100),
    columns: Array.isArray(widget['columns'])
      ? widget['columns'].flatMap((one) => textIn(one, 255) ?? []).slice(0, 50)
      : undefined,
    text: textIn(widget['text'], 20_000),
  };
}

/** Members without a value are left out when it is written as text. */
export function dashboardData(dashboard: Dashboard): unknown {
  return { type: TYPE, version: 1, widgets: dashboard.widgets };
}

function sizeOf(kind: WidgetKind): { readonly width: number; readonly height: number } {
  switch (kind) {
    case 'map':
      return { width: 8, height: 5 };
    case 'table':
      return { width: 12, height: 4 };
    case 'counter':
      return { width: 3, height: 2 };
    case 'text':
      return { width: 4, height: 2 };
    case 'range':
    case 'date':
    case 'search':
      return { width: 3, height: 2 };
    default:
      return { width: 4, height: 4 };
  }
}

export function newWidget(kind: WidgetKind, id: string, layer?: number): Widget {
  return {
    id,
    kind,
    title: '',
    ...sizeOf(kind),
    layer: kind === 'text' ? undefined : layer,
    column: undefined,
    across: undefined,
    measure: 'count',
    of: undefined,
    unit: undefined,
    groups: undefined,
    columns: undefined,
    text: undefined,
  };
}

/** One that no widget has. */
export function nextId({ widgets }: Dashboard): string {
  const most = Math.max(0, ...widgets.map(({ id }) => Number(/^w(\d{1,9})$/.exec(id)?.[1] ?? 0)));
  return `w${most + 1}`;
}

export type DashboardChange =
  | { readonly kind: 'put'; readonly widget: Widget }
  | { readonly kind: 'remove'; readonly id: string }
  /** To this place among the others. */
  | { readonly kind: 'move'; readonly id: string; readonly to: number }
  | { readonly kind: 'size'; readonly id: string; readonly width: number; readonly height: number };

export function changeDashboard(dashboard: Dashboard, change: DashboardChange): Dashboard {
  const { widgets } = dashboard;
  switch (change.kind) {
    case 'put': {
      const isKnown = widgets.some(({ id }) => id === change.widget.id);
      if (!isKnown && widgets.length >= MAX_WIDGETS) return dashboard;
      return {
        widgets: isKnown
          ? widgets.map((one) => (one.id === change.widget.id ? change.widget : one))
          : widgets.toSpliced(freePlace(widgets, change.widget), 0, change.widget),
      };
    }
    case 'remove':
      return { widgets: widgets.filter(({ id }) => id !== change.id) };
    case 'move': {
      const moved = widgets.find(({ id }) => id === change.id);
      if (moved === undefined) return dashboard;
      const others = widgets.filter((one) => one !== moved);
      const to = Math.min(others.length, Math.max(0, change.to));
      if (widgets.indexOf(moved) === to) return dashboard;
      return { widgets: [...others.slice(0, to), moved, ...others.slice(to)] };
    }
    case 'size': {
      const width = Math.min(COLUMNS, Math.max(1, change.width));
      const height = Math.min(MAX_ROWS, Math.max(1, change.height));
      const sized = widgets.find(({ id }) => id === change.id);
      if (sized === undefined || (sized.width === width && sized.height === height)) return dashboard;
      return { widgets: widgets.map((one) => (one === sized ? { ...one, width, height } : one)) };
    }
  }
}

export type HistoryAction =
  | { readonly kind: 'change'; readonly change: DashboardChange; readonly isSameStep?: boolean }
  | { readonly kind: 'undo' | 'redo' };

export function changeHistory(history: Undoable<Dashboard>, action: HistoryAction): Undoable<Dashboard> {
  switch (action.kind) {
    case 'change': {
      const next = changeDashboard(history.now, action.change);
      return next === history.now ? history : stepTo(history, next, action.isSameStep);
    }
    case 'undo':
      return undone(history);
    case 'redo':
      return redone(history);
  }
}

/** Does the widget have all that it needs? */
export function isComplete({ kind, layer, column, across, measure, of }: Widget): boolean {
  if (kind === 'text') return true;
  if (layer === undefined) return false;
  if (kind === 'map' || kind === 'table') return true;
  if (measure !== 'count' && of === undefined && (kind === 'counter' || isGrouped(kind))) return false;
  if (kind === 'counter') return true;
  return column !== undefined && (kind !== 'scatter' || across !== undefined);
}

const isGrouped = (kind: WidgetKind): boolean => kind === 'bar' || kind === 'pie' || kind === 'line';

/** Ids of the layers that it shows, each once. */
export function layersIn({ widgets }: Dashboard): readonly number[] {
  return [...new Set(widgets.flatMap(({ layer }) => (layer === undefined ? [] : [layer])))];
}
