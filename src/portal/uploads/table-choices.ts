// The field `table` of a form: JSON that says how a table is read → the choices, or what is wrong with them. Pure.

import { err, ok, type Result } from '../../kernel/result.ts';
import {
  CELL_TYPES,
  type ColumnChoice,
  DATE_ORDERS,
  DELIMITERS,
  type TableChoices,
} from '../../layer-ports/table-choices.ts';

const MAX_COLUMNS = 1500;
const MAX_NAME = 255;
const MAX_HEADER = 1000;

export function parseTableChoices(text: string): Result<TableChoices, string> {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return err('This is not JSON.');
  }
  if (!isObject(sent)) return err('An object is expected.');
  const { delimiter, decimal, header, dates, columns, ...others } = sent;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return err(`Unknown member "${stranger.slice(0, 50)}".`);
  if (delimiter !== undefined && !isOf(DELIMITERS, delimiter))
    return err('"delimiter" is a comma, a semicolon, a tab or a bar.');
  if (decimal !== undefined && decimal !== '.' && decimal !== ',') return err('"decimal" is a point or a comma.');
  if (header !== undefined && !(Number.isInteger(header) && Number(header) >= 0 && Number(header) <= MAX_HEADER))
    return err(`"header" is the number of a row, at most ${MAX_HEADER}, or 0.`);
  if (dates !== undefined && !isOf(DATE_ORDERS, dates)) return err(`"dates" is one of ${DATE_ORDERS.join(', ')}.`);
  const chosen = parseColumns(columns ?? {});
  if (!chosen.ok) return chosen;
  return ok({
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(header === undefined ? {} : { header: Number(header) }),
    ...(dates === undefined ? {} : { dates }),
    ...(columns === undefined ? {} : { columns: chosen.value }),
  });
}

function parseColumns(sent: unknown): Result<Readonly<Record<string, ColumnChoice>>, string> {
  if (!isObject(sent)) return err('"columns" is an object: what is chosen of each column, by its name.');
  const entries = Object.entries(sent);
  if (entries.length > MAX_COLUMNS) return err(`"columns" has at most ${MAX_COLUMNS} members.`);
  const names = new Set<string>();
  for (const [column, choice] of entries) {
    const at = `"columns": "${column.slice(0, 50)}"`;
    if (!isObject(choice)) return err(`${at} is an object with "type", "name" or "skip".`);
    const { skip, name, type, ...others } = choice;
    if (Object.keys(others).length > 0) return err(`${at} has "type", "name" or "skip", and nothing else.`);
    if (skip !== undefined && typeof skip !== 'boolean') return err(`${at}: "skip" is true or false.`);
    if (type !== undefined && !isOf(CELL_TYPES, type)) return err(`${at}: "type" is one of ${CELL_TYPES.join(', ')}.`);
    if (name === undefined) continue;
    if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME || name.includes('\0'))
      return err(`${at}: "name" is a text of at most ${MAX_NAME} characters.`);
    if (names.has(name)) return err(`${at}: two columns cannot be called "${name.slice(0, 50)}".`);
    names.add(name);
  }
  // Members are those of the type: each was looked at.
  return ok(Object.fromEntries(entries) as Readonly<Record<string, ColumnChoice>>);
}

function isOf<const T>(list: readonly T[], value: unknown): value is T {
  return list.includes(value as T);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
