// A column's comment with what the keys say about it, in the marks that tools over such documents look for.

import type { Relationship, Table } from '../../schema-cache/schema-cache.ts';

export type ForeignColumn = { readonly table: string; readonly column: string };

/** Column → where its single-column foreign key points, among the relations that are described; a table before a view of it. */
export function foreignColumns(
  relationships: readonly Relationship[],
  isDescribed: (schema: string, name: string) => boolean,
): ReadonlyMap<string, ForeignColumn> {
  const found = new Map<string, ForeignColumn & { readonly isView: boolean }>();
  for (const relationship of relationships) {
    if (relationship.kind !== 'many-to-one' && relationship.kind !== 'one-to-one') continue;
    if (relationship.kind === 'one-to-one' && relationship.holdsKey !== true) continue;
    const { columns, foreign, foreignIsView } = relationship;
    const [pair] = columns;
    if (pair === undefined || columns.length > 1 || !isDescribed(foreign.schema, foreign.name)) continue;
    const known = found.get(pair[0]);
    if (known === undefined || (known.isView && !foreignIsView)) {
      found.set(pair[0], { table: foreign.name, column: pair[1], isView: foreignIsView });
    }
  }
  return found;
}

export function columnNotes(
  table: Table,
  column: { readonly name: string; readonly description: string | null },
  foreign: ForeignColumn | undefined,
): string | undefined {
  const notes: string[] = [];
  if (table.primaryKey.includes(column.name)) notes.push('This is a Primary Key.<pk/>');
  if (foreign !== undefined) {
    const tag = `<fk table='${attribute(foreign.table)}' column='${attribute(foreign.column)}'/>`;
    notes.push(`This is a Foreign Key to \`${foreign.table}.${foreign.column}\`.${tag}`);
  }
  const comment = column.description ?? '';
  if (notes.length === 0) return comment === '' ? undefined : comment;
  const note = ['Note:', ...notes].join('\n');
  return comment === '' ? note : `${comment}\n\n${note}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
  '"': '&quot;',
};

function attribute(name: string): string {
  return name.replace(/[&<>'"]/g, (character) => ENTITIES[character] ?? character);
}
