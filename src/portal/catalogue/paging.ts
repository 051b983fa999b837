// `page` and `page_size` (or `per_page`) → a window of the list.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { QueryParams } from './query-params.ts';

export const DEFAULT_PAGE_SIZE = 10;
/** Clients ask for 99999 when they mean everything; a page of this size still fits into memory a hundred times. */
export const MAX_PAGE_SIZE = 1000;

export type Paging = { readonly page: number; readonly pageSize: number };

export function parsePaging(params: QueryParams): Result<Paging, PortalError> {
  const page = params.first('page') ?? '1';
  if (!/^\d{1,12}$/.test(page) || Number(page) === 0) return err({ kind: 'invalid-page' });
  return ok({ page: Number(page), pageSize: parsePageSize(params.first('page_size') ?? params.first('per_page')) });
}

/** What is no size is the usual size. */
function parsePageSize(text: string | undefined): number {
  if (text === undefined || !/^\d+$/.test(text) || Number(text) === 0) return DEFAULT_PAGE_SIZE;
  return Math.min(Number(text), MAX_PAGE_SIZE);
}
