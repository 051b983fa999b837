// How a layer's features are shown to people: its columns (name for people, format, order, whether they are shown) and its pop-up. As it is sent and
// stored ⇄ checked. Pure.

import { err, ok, type Result } from '../../kernel/result.ts';
import { type ColumnFormat, parseColumnFormat } from './column-format.ts';

export type ColumnLook = {
  readonly column: string;
  /** '': its name in the table. */
  readonly label: string;
  readonly visible: boolean;
  readonly format: ColumnFormat | undefined;
};

export type PopupChart = {
  readonly kind: (typeof CHART_KINDS)[number];
  readonly title: string;
  readonly columns: readonly string[];
};
export const CHART_KINDS = ['bar', 'column', 'pie'] as const;

export type Popup = {
  /** A list of columns, or the template. */
  readonly kind: 'list' | 'template';
  /** Above it, with `{{column}}`; '': the title of the layer. */
  readonly title: string;
  /** Of the list; undefined: all that are shown. */
  readonly columns: readonly string[] | undefined;
  /** HTML with `{{column}}`. */
  readonly template: string;
  /** Below both. */
  readonly charts: readonly PopupChart[];
};

export const USUAL_POPUP: Popup = { kind: 'list', title: '', columns: undefined, template: '', charts: [] };

/** A table has no more. */
const MAX_COLUMNS = 1600;
export const MAX_LABEL = 255;
export const MAX_TITLE = 500;
export const MAX_TEMPLATE = 100_000;
export const MAX_CHARTS = 10;
const MAX_CHART_COLUMNS = 50;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 255 && !value.includes('\0');
const isShort = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && !value.includes('\0');

/** In order, each once. The error says what is wrong, in words. */
export function parseColumnLooks(value: unknown): Result<readonly ColumnLook[], string> {
  if (!Array.isArray(value)) return err('Must be a list of columns.');
  if (value.length > MAX_COLUMNS) return err(`Must have at most ${MAX_COLUMNS} columns.`);
  const looks: ColumnLook[] = [];
  const seen = new Set<string>();
  for (const one of value as readonly unknown[]) {
    const look = isObject(one) ? parseColumnLook(one) : err('Each column must be an object.');
    if (!look.ok) return look;
    if (seen.has(look.value.column)) return err(`“${look.value.column}” stands there twice.`);
    seen.add(look.value.column);
    looks.push(look.value);
  }
  return ok(looks);
}

function parseColumnLook({ column, label = '', visible = true, format = null }: Json): Result<ColumnLook, string> {
  if (!isName(column)) return err('Each column needs its name, `column`.');
  if (label !== null && !isShort(label, MAX_LABEL))
    return err(`“${column}”: \`label\` must be a text of at most ${MAX_LABEL} characters.`);
  if (typeof visible !== 'boolean') return err(`“${column}”: \`visible\` must be true or false.`);
  const parsed = parseColumnFormat(format);
  if (format !== null && parsed === undefined) return err(`“${column}”: \`format\` is none that is known.`);
  return ok({ column, label: label?.trim() ?? '', visible, format: parsed });
}

export function parsePopup(value: unknown): Result<Popup, string> {
  if (!isObject(value)) return err('Must be an object.');
  const { kind = 'list', title = '', columns = null, template = '', charts = [] } = value;
  if (kind !== 'list' && kind !== 'template') return err('`kind` must be list or template.');
  if (!isShort(title, MAX_TITLE)) return err(`\`title\` must be a text of at most ${MAX_TITLE} characters.`);
  if (!isShort(template, MAX_TEMPLATE))
    return err(`\`template\` must be a text of at most ${MAX_TEMPLATE} characters.`);
  const chosen = columns === null ? undefined : columns;
  if (chosen !== undefined && !isNames(chosen, MAX_COLUMNS))
    return err('`columns` must be a list of names of columns.');
  if (!Array.isArray(charts) || charts.length > MAX_CHARTS)
    return err(`\`charts\` must be a list of at most ${MAX_CHARTS}.`);
  const parsed = charts.map(parseChart);
  if (!parsed.every((one) => one !== undefined))
    return err('Each chart needs `kind` (bar, column or pie), and `columns`, a list of names.');
  return ok({ kind, title, columns: chosen, template, charts: parsed });
}

function parseChart(value: unknown): PopupChart | undefined {
  if (!isObject(value)) return undefined;
  const { title = '', columns } = value;
  const kind = CHART_KINDS.find((one) => one === value['kind']);
  if (kind === undefined || !isShort(title, MAX_TITLE) || !isNames(columns, MAX_CHART_COLUMNS)) return undefined;
  return { kind, title, columns };
}

const isNames = (value: unknown, most: number): value is readonly string[] =>
  Array.isArray(value) && value.length <= most && value.every(isName);

/** As it is sent: JSON has null where there is nothing. */
export function columnLooksData(looks: readonly ColumnLook[]): readonly Json[] {
  return looks.map(({ column, label, visible, format }) => ({ column, label, visible, format: format ?? null }));
}

export function popupData({ columns, ...popup }: Popup): Json {
  return { ...popup, columns: columns ?? null };
}
