// The collection of documents, and what a document has to have.

import type { BlobStore } from '../../../blobs/blob-store.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { NOWHERE } from '../../errors/constraint-messages.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { RecordType } from '../../fields/field.ts';
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
      writer: { prepare: typedByAddress, lacks: contentOfDocument },
    },
    blobs,
  );
}

/** A document is a file or an address; nobody could open one that is neither. */
export function contentOfDocument(draft: Draft, recordType: RecordType): PortalError | undefined {
  if (recordType !== document || givenField(draft, 'doc_file') !== undefined) return undefined;
  return (givenText(draft, 'doc_url') ?? '') === ''
    ? { kind: 'invalid-fields', fields: { doc_file: [NOWHERE] } }
    : undefined;
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
