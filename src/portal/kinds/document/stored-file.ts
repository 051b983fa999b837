// A stored file as part of a document's draft: the row of the file, and what the document is by it.

import { sql } from '../../../sql/index.ts';
import type { BoundValue } from '../../fields/bound-value.ts';
import type { Field } from '../../fields/field.ts';
import { writeOnly } from '../../fields/field-makers.ts';
import type { Collection } from '../../operations/collection.ts';
import { type Draft, type Given, withValues } from '../../operations/write/draft.ts';
import type { DocumentFile } from './receive-document.ts';

/** What the file brings with it; nobody sends these by name. */
const storedFile: Field = writeOnly('doc_file', { kind: 'json' }, '', {
  kind: 'setter',
  cast: 'jsonb',
  setter: {
    when: 'middle',
    statements: (id, file) => [
      sql<BoundValue>`insert into portal.document_file (resource_id, blob, file_name, size) select ${id}, f ->> 'blob', f ->> 'name', (f ->> 'size')::bigint from (select ${file}::jsonb) v(f) on conflict (resource_id) do update set blob = excluded.blob, file_name = excluded.file_name, size = excluded.size, uploaded = now()`,
    ],
  },
});
const mimeType: Field = writeOnly('mime_type', { kind: 'text' }, '', {
  kind: 'column',
  column: 'mime_type',
  cast: 'text',
});

export function withFile(draft: Draft, file: DocumentFile | undefined, { recordType }: Collection): Draft {
  if (file === undefined) return draft;
  const { blob, fileName, size, extension, mime, type } = file;
  const changes = new Map<Field, Given>([
    [storedFile, { kind: 'value', text: JSON.stringify({ blob, name: fileName, size }) }],
    [mimeType, { kind: 'value', text: mime }],
  ]);
  // What the client says of its file counts; what it does not say follows from it.
  for (const [name, text] of [
    ['extension', extension],
    ['doc_type', type],
  ] as const) {
    const field = recordType.byName.get(name);
    if (field !== undefined && !draft.has(field)) changes.set(field, { kind: 'value', text });
  }
  return withValues(draft, changes);
}
