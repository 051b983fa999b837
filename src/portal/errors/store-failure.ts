// What a blob store says of a file that it could not keep → the failure of the request. What is neither about the file nor about space or the
// database is thrown: the log has it in full.

import type { BlobError } from '../../blobs/blob-store.ts';
import type { PortalError } from './portal-error.ts';

export function storeFailure(error: BlobError): PortalError {
  switch (error.kind) {
    case 'too-large':
      return { kind: 'too-large', limit: error.limit };
    case 'disk':
      return error;
    case 'not-noted':
      return { kind: 'database', error: error.error };
    default:
      throw new Error(`a file could not be kept: ${JSON.stringify(error)}`);
  }
}
