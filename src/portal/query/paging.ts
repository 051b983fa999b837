// `page` and `page_size` (or `per_page`) → a window of the list.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { QueryParams } from './query-params.ts';

export const DEFAULT_PAGE_SIZE = 10;
/** Clients ask for 99999 when they mean everything; a page of this size still fits into memory a hundred times. */
export const MAX_PAGE_SIZE = 1000;

export type Paging = {
  readonly page: number;
  readonly pageSize: number;
  /** The size that was asked for, where it is more than a page holds. */
  readonly askedSize?: number;
};

export function parsePaging(params: QueryParams): Result<Paging, PortalError> {
  const page = params.first('page') ?? '1';
  if (!/^\d{1,12}$/.test(page) || Number(page) === 0) return err({ kind: 'invalid-page' });
  return ok({ page: Number(page), ...parsePageSize(params.first('page_size') ?? params.first('per_page')) });
}

/** What is no size is the usual size. */
function parsePageSize(text: string | undefined): Omit<Paging, 'page'> {
  if (text === undefined || !/^\d+$/.test(text) || Number(text) === 0) return { pageSize: DEFAULT_PAGE_SIZE };
  const asked = Number(text);
  if (asked <= MAX_PAGE_SIZE) return { pageSize: asked };
  return Number.isSafeInteger(asked) ? { pageSize: MAX_PAGE_SIZE, askedSize: asked } : { pageSize: MAX_PAGE_SIZE };
}

/** The size that a list tells: the one that was asked for, as long as all it would hold is there. */
export function shownSize({ pageSize, askedSize }: Paging, total: number): number {
  return askedSize !== undefined && total <= pageSize ? askedSize : pageSize;
}
