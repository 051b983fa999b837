// How large what is sent may be: the program's own limit, or less where an administrator has set it.

import type { Statement, StatementResult } from '../../pg/driver.ts';

export type LimitSlug = 'dataset_upload_size' | 'document_upload_size';

export function sizeLimitStatement(slug: LimitSlug): Statement {
  return {
    name: 'portal_size_limit',
    text: 'select max_size from portal.upload_size_limit where slug = $1',
    params: [slug],
  };
}

/** `most`: of the program. */
export function sizeLimit(result: StatementResult | undefined, most: number): number {
  const set = result?.rows[0]?.[0];
  return set === undefined || set === null ? most : Math.min(most, Number(set.toString()));
}
