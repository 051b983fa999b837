// COPY statements of a backup: the columns by name, in the text format, which is the same on every server.

import { quoteIdent } from '../../sql/index.ts';
import type { TableRows } from './manifest.ts';
import { copyFrom, copyQuery, copyTo } from './sql/snapshot.ts';

type Copied = Pick<TableRows, 'schema' | 'name' | 'columns' | 'where' | 'isPartitioned'>;

/** @param asQuery where row-level security is at work, which COPY of a table by name does not go through on every version */
export function copyOutText(table: Copied, asQuery: boolean): string {
  return asQuery || table.isPartitioned === true || table.where !== undefined || table.columns.length === 0
    ? copyQuery(nameOf(table), columnsOf(table), table.where)
    : copyTo(nameOf(table), columnsOf(table));
}

export function copyInText(table: Copied): string {
  return copyFrom(nameOf(table), columnsOf(table));
}

function nameOf({ schema, name }: Pick<Copied, 'schema' | 'name'>): string {
  return `${quoteIdent(schema)}.${quoteIdent(name)}`;
}

function columnsOf({ columns }: Copied): string {
  return columns.map(quoteIdent).join(', ');
}
