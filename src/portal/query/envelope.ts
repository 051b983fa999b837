// What stands around records: links, total and page of a list, the name of an item. The records themselves pass through as
// the bytes PostgreSQL made of them.

import type { Paging } from './paging.ts';

export type ListFrame = Paging & {
  /** Name of the list in the answer. */
  readonly member: string;
  readonly total: number;
  /** Address of the request: origin, path and query as they came. */
  readonly origin: string;
  readonly target: string;
  /** Further members, as JSON, behind a comma each. */
  readonly more?: string;
};

export function listEnvelope(records: Uint8Array, frame: ListFrame): Buffer {
  const { page, pageSize, total, member, more = '' } = frame;
  const links = {
    next: page * pageSize < total ? pageLink(frame, page + 1) : null,
    previous: page > 1 ? pageLink(frame, page - 1) : null,
  };
  const head = JSON.stringify({ links, total, page, page_size: pageSize });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"${member}":`), records, Buffer.from(`${more}}`)]);
}

/** `{"map": {…}}`, and `{"maps": […]}` where no page is meant. */
export function namedEnvelope(member: string, json: Uint8Array, more = ''): Buffer {
  return Buffer.concat([Buffer.from(`{"${member}":`), json, Buffer.from(`${more}}`)]);
}

export function isBeyondEnd({ page, pageSize }: Paging, total: number): boolean {
  return page > 1 && (page - 1) * pageSize >= total;
}

/** The request again for another page: names in order, and the first page without a number. */
function pageLink({ origin, target, pageSize }: ListFrame, page: number): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const params = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  params.delete('page');
  if (page > 1) params.set('page', String(page));
  for (const name of ['page_size', 'per_page']) if (params.has(name)) params.set(name, String(pageSize));
  params.sort();
  const query = params.toString();
  return `${origin}${path}${query === '' ? '' : `?${query}`}`;
}
