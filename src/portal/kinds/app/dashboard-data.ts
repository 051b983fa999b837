// The content of a dashboard, checked before it is kept: an app whose document has the type of a dashboard holds widgets of known kinds, and not too
// many of them. Whatever else apps hold is theirs. Pure.

import { isMembers } from '../../operations/write/body-forms.ts';

export const DASHBOARD = 'survest-dashboard';

const CHARTS = ['bar', 'line', 'pie', 'histogram', 'scatter'] as const;
const CONTROLS = ['choice', 'range', 'date', 'search'] as const;
const KINDS: ReadonlySet<string> = new Set([...CHARTS, ...CONTROLS, 'map', 'counter', 'table', 'text']);
const WITH_COLUMN: ReadonlySet<string> = new Set([...CHARTS, ...CONTROLS]);
const MEASURES: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max', 'median', 'distinct']);
const MEMBERS: ReadonlySet<string> = new Set(
  'id kind title width height layer column across measure of unit groups columns text'.split(' '),
);

export const MAX_WIDGETS = 60;
const MAX_COLUMNS = 50;
const MAX_NAME = 255;
const MAX_TEXT = 20_000;

type Json = Readonly<Record<string, unknown>>;

/** What is wrong with it, in a sentence; undefined: nothing, or it is no dashboard. */
export function dashboardFault(data: unknown): string | undefined {
  if (!isMembers(data) || data['type'] !== DASHBOARD) return undefined;
  if (data['version'] !== 1) return 'The version of a dashboard is 1.';
  const { widgets } = data;
  if (!Array.isArray(widgets)) return 'The widgets of a dashboard are a list.';
  if (widgets.length > MAX_WIDGETS) return `A dashboard has ${MAX_WIDGETS} widgets at most.`;
  const seen = new Set<unknown>();
  for (const [i, widget] of (widgets as readonly unknown[]).entries()) {
    const fault = isMembers(widget) ? widgetFault(widget) : 'it is an object.';
    if (fault !== undefined) return `Widget ${i + 1}: ${fault}`;
    const { id } = widget as Json;
    if (seen.has(id)) return `Widget ${i + 1}: its id is that of another one.`;
    seen.add(id);
  }
  return undefined;
}

function widgetFault(widget: Json): string | undefined {
  const strange = Object.keys(widget).find((name) => !MEMBERS.has(name));
  if (strange !== undefined) return `"${strange.slice(0, 50)}" is not known.`;
  const { id, kind, title, width, height, layer, column, across, measure, of, unit, groups, columns, text } = widget;
  if (!isName(id, 50)) return 'id is a text of 1 to 50 characters.';
  if (typeof kind !== 'string' || !KINDS.has(kind)) return `kind is one of ${[...KINDS].join(', ')}.`;
  if (typeof title !== 'string' || title.length > MAX_NAME) return `title is a text of at most ${MAX_NAME} characters.`;
  if (!isWhole(width, 1, 12)) return 'width is a whole number from 1 to 12.';
  if (!isWhole(height, 1, 12)) return 'height is a whole number from 1 to 12.';
  if (kind !== 'text' && !isWhole(layer, 1, 2_147_483_647)) return 'layer is the id of a layer.';
  if (WITH_COLUMN.has(kind) ? !isName(column, MAX_NAME) : column !== undefined && !isName(column, MAX_NAME))
    return 'column is the name of a column.';
  if (kind === 'scatter' ? !isName(across, MAX_NAME) : across !== undefined && !isName(across, MAX_NAME))
    return 'across is the name of a column.';
  if (measure !== undefined && (typeof measure !== 'string' || !MEASURES.has(measure)))
    return `measure is one of ${[...MEASURES].join(', ')}.`;
  if (of !== undefined && !isName(of, MAX_NAME)) return 'of is the name of a column.';
  if (unit !== undefined && !isName(unit, 20)) return 'unit is a text.';
  if (groups !== undefined && !isWhole(groups, 1, 100)) return 'groups is a whole number from 1 to 100.';
  if (columns !== undefined && !isNames(columns)) return `columns is a list of at most ${MAX_COLUMNS} names.`;
  if (text !== undefined && (typeof text !== 'string' || text.length > MAX_TEXT))
    return `text has at most ${MAX_TEXT} characters.`;
  return undefined;
}

function isName(value: unknown, most: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= most;
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_COLUMNS && value.every((one) => isName(one, MAX_NAME));
}
