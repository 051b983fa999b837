// `/h_keywords_api`: keywords of items that the caller sees, with their numbers, as a tree. Keywords have no levels here, so it is flat.

import { ok } from '../../kernel/result.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, type Handle, json } from '../operations/exchange.ts';
import { findRecords } from './find-records.ts';

const MAX_KEYWORDS = 1000;

export function keywordTree(context: ApiContext, keywords: Collection): Handle {
  return async (exchange) => {
    const found = await findRecords(context, exchange, keywords, '', { limit: MAX_KEYWORDS, offset: 0 });
    if (!found.ok) return found;
    return ok(
      json(
        200,
        found.value.records.map(({ pk, name, slug, count }) => ({ id: pk, text: name, href: slug, tags: [count] })),
      ),
    );
  };
}
