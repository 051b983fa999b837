// An offer that no map can show → what kind of document it is here, by what its address ends in. Pure.

import { type DocType, docTypeOf, extensionOf } from '../../kinds/document/document-types.ts';
import type { RemoteOffer } from './remote-service.ts';

export type RemoteDocument = { readonly extension: string | null; readonly type: DocType };

/** Undefined: it is a layer, or links to nothing. */
export function documentOf({ layer, page }: RemoteOffer): RemoteDocument | undefined {
  if (layer !== undefined || page === undefined || !URL.canParse(page)) return undefined;
  const extension = extensionOf(new URL(page).pathname);
  return extension === '' ? { extension: null, type: 'other' } : { extension, type: docTypeOf(extension) };
}
