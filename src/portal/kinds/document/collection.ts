// The collection of documents, and what a document has to have.

import type { BlobStore } from '../../../blobs/blob-store.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { NOWHERE } from '../../errors/constraint-messages.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { BoundValue, Sql } from '../../fields/bound-value.ts';
import type { Field, RecordType } from '../../fields/field.ts';
import { writeOnly } from '../../fields/field-makers.ts';
import type { Collection } from '../../operations/collection.ts';
import { type Draft, type Given, givenField, givenText, withValues } from '../../operations/write/draft.ts';
import { contentCollection } from '../item/content-collection.ts';
import { docTypeOf, extensionOf } from './document-types.ts';
import { document } from './fields.ts';

export function documents(blobs: BlobStore): Collection {
  return contentCollection(
    {
      path: '/api/v2/documents',
      about: 'Documents: files, or addresses of files elsewhere.',
      recordType: document,
      type: 'document',
      hasExtent: true,
      writer: {
        prepare: async (draft, mode) => typedByAddress(mode === 'create' ? draft : withArrival(draft)),
        lacks: contentOfDocument,
        uncover: uncoverEmpty,
      },
    },
    blobs,
  );
}

/** A document is a file or an address; nobody could open one that is neither. */
function contentOfDocument(draft: Draft, recordType: RecordType): PortalError | undefined {
  if (recordType !== document || hasContent(draft)) return undefined;
  return { kind: 'invalid-fields', fields: { doc_file: [NOWHERE] } };
}

function hasContent(draft: Draft): boolean {
  return givenField(draft, 'doc_file') !== undefined || (givenText(draft, 'doc_url') ?? '') !== '';
}

const arrival: Field = writeOnly('content', { kind: 'boolean' }, '', {
  kind: 'setter',
  cast: 'boolean',
  setter: { when: 'first', statements: (id) => [sql<BoundValue>`select portal.show_filled(${id})`] },
});

/** One that never got content is out of sight, and can be deleted. */
export function uncoverEmpty(ids: Sql): Sql {
  return sql<BoundValue>`select portal.uncover_for_deletion(${ids})`;
}

/** A document that was made without content comes into sight with it. */
export function withArrival(draft: Draft): Draft {
  return hasContent(draft) ? withValues(draft, new Map([[arrival, { kind: 'value', text: 'true' }]])) : draft;
}

/** What an address ends in tells what is behind it, where nobody says. */
export async function typedByAddress(draft: Draft): Promise<Result<Draft, PortalError>> {
  const address = givenText(draft, 'doc_url');
  if (address === undefined || address === null || !URL.canParse(address)) return ok(draft);
  const ending = extensionOf(new URL(address).pathname);
  const extension = document.byName.get('extension');
  const docType = document.byName.get('doc_type');
  if (ending === '' || extension === undefined || docType === undefined) return ok(draft);
  const changes = new Map<typeof extension, Given>();
  if (!draft.has(extension)) changes.set(extension, { kind: 'value', text: ending });
  if (!draft.has(docType)) changes.set(docType, { kind: 'value', text: docTypeOf(ending) });
  return ok(withValues(draft, changes));
}
